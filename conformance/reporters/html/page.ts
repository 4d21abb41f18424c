import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Status } from '../../report/report.ts';
import { visible } from '../../../text/visible.ts';
import { html, trusted, type Markup } from './markup.ts';

const style = readFileSync(path.join(__dirname, 'style.css'), 'utf8');

const COLORS: Record<Status, string> = { pass: '1f7a4d', 'not-judged': '8a5a00', fail: 'b3261e', error: '6b3fa0' };

/**
 * A page in one file, which loads nothing. Its policy allows its own style and script, by their hashes. It looks like a status,
 * or like none; `skip` is the id of what its first link leads to, and the words of the link.
 */
export function htmlPage(of: {
  title: string;
  look?: Status;
  skip: readonly [id: string, words: string];
  body: Markup;
  css?: string;
  script?: string;
}): string {
  const { title, look, skip, body, css = '', script = '' } = of;
  const allStyle = style + css;
  const sources = `default-src 'none'; style-src ${hashOf(allStyle)}; script-src ${hashOf(script)}`;
  const policy = `${sources}; img-src data:; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
    <html lang="en" data-look="${look ?? 'none'}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>${visible(title)}</title>
        ${look && html`<link rel="icon" href="${favicon(look)}" />`} ${trusted(`<style>${allStyle}</style>`)}
      </head>
      <body>
        <a class="skip" href="#${skip[0]}">${skip[1]}</a>
        ${body} ${script !== '' && trusted(`<script>${script}</script>`)}
      </body>
    </html>`;
  return `${page.markup}\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function favicon(look: Status): string {
  const circle = `<circle cx='8' cy='8' r='7' fill='#${COLORS[look]}'/>`;
  const image = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${circle}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(image)}`;
}
