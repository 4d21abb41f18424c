import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface CodeBlock {
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Why it is exempt: `<!-- excuse: ... -->` before it. */
  readonly excuse: string | undefined;
  /** Its file: `<!-- file: known.json -->` before it, or a first line `// agents.test.ts`. */
  readonly file: string | undefined;
  /** The schema that validates it: `<!-- schema: baseline -->` before it. */
  readonly schema: string | undefined;
}

export interface DocsPage {
  /** Relative to the root of the repository, with forward slashes. */
  readonly name: string;
  readonly blocks: readonly CodeBlock[];
  /** The possible fragments of links to it. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly { readonly line: number; readonly target: string }[];
  readonly code: readonly { readonly line: number; readonly text: string }[];
}

const MARKER = /^<!-- (excuse|file|schema): (.+?) -->$/;

/** Reads a page of Markdown. @throws Error if a fence is not closed */
export function readPage(root: string, name: string): DocsPage {
  const lines = readFileSync(path.join(root, name), 'utf8').split(/\r?\n/);
  const blocks: CodeBlock[] = [];
  const anchors = new Set<string>();
  const links: { line: number; target: string }[] = [];
  const code: { line: number; text: string }[] = [];
  let markers: Record<string, string> = {};
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, indent = '', fence, info = ''] = /^( *)(```+)(.*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      const start = at;
      const inside: string[] = [];
      for (at++; lines[at]?.trim() !== fence; at++) {
        if (at >= lines.length) throw new Error(`${name}:${start + 1}: this fence is not closed.`);
        inside.push((lines[at] ?? '').slice(indent.length));
      }
      blocks.push({
        page: name,
        line: start + 1,
        language: info.trim().split(/\s/)[0] ?? '',
        text: inside.join('\n'),
        excuse: markers['excuse'],
        file: markers['file'] ?? /^\/\/ (\S+\.\w+)$/.exec(inside[0] ?? '')?.[1],
        schema: markers['schema'],
      });
      markers = {};
      continue;
    }
    const [, key, value] = MARKER.exec(line.trim()) ?? [];
    if (key !== undefined && value !== undefined) markers[key] = value;
    else if (line.trim() !== '') markers = {};
    const [, heading] = /^#{1,6} (.+)$/.exec(line) ?? [];
    if (heading !== undefined) anchors.add(freeAnchor(heading, anchors));
    for (const [, text = ''] of line.matchAll(/`([^`]+)`/g)) code.push({ line: at + 1, text });
    for (const [, target = ''] of line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g))
      links.push({ line: at + 1, target });
  }
  return { name, blocks, anchors, links, code };
}

/** The flags and variables of the program, according to its reference. */
export function documentedNames(root: string): ReadonlySet<string> {
  const { code } = readPage(root, 'docs/reference/commands.md');
  return new Set(code.flatMap(({ text }) => text.match(/--[a-z][a-z0-9-]*|AGENT_CONTRACT_[A-Z0-9_]+/g) ?? []));
}

/** GitHub's anchor for a heading: the second of the same name ends in -1. */
function freeAnchor(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  for (let n = 0; ; n++) {
    const anchor = n === 0 ? plain : `${plain}-${n}`;
    if (!taken.has(anchor)) return anchor;
  }
}

export const isOutput = ({ language, file }: CodeBlock): boolean =>
  language === 'text' || (language === 'json' && file === undefined);
