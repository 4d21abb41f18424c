import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { standIns } from '../stand-ins.ts';

const root = path.join(import.meta.dirname, '../../..');

const titleOf = (file: string): string =>
  /^# (.*)$/m.exec(readFileSync(path.join(root, file), 'utf8'))?.[1]?.replaceAll('`', '') ?? file;
const pagesIn = (folder: string) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ text: titleOf(`${folder}/${name}`), link: `/${folder}/${name.replace('.md', '')}` }));

/** Nothing is loaded from elsewhere, and no script runs that was not built: those within the page are named by their hashes. */
function withPolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g)].map(([, text = '']) => text);
  const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return page.replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

/** The playground imports sources, which the package does not have. */
const compiled = {
  name: 'compiled',
  enforce: 'pre' as const,
  resolveId(this: { resolve(file: string): unknown }, asked: string) {
    const [, source] = /^\.\.\/\.\.\/(.*)\.ts$/.exec(asked) ?? [];
    return source && this.resolve(path.join(root, 'dist', `${source}.js`));
  },
};

export default defineConfig({
  title: 'agent-contract',
  description: 'Contract, mock server and conformance runner for the Agent Builder Service',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: root,
  srcExclude: ['SKILL.md', '**/node_modules/**', 'dist/**'],
  rewrites: (page) => page.replace(/README\.md$/, 'index.md').replace('docs/site/', ''),
  // Files of the project that are no pages.
  ignoreDeadLinks: [/^(?!.*\.md$)/],
  themeConfig: {
    nav: [
      { text: 'Playground', link: '/playground' },
      { text: 'Reference', link: '/docs/reference/' },
      { text: 'Decisions', link: '/docs/decisions/' },
    ].filter(({ link }) => !link.endsWith('/') || existsSync(path.join(root, link, 'README.md'))),
    sidebar: [
      { text: 'Guides', items: pagesIn('docs/guides') },
      { text: 'Reference', items: pagesIn('docs/reference') },
      { text: 'Recipes', items: pagesIn('docs/recipes') },
    ],
    search: { provider: 'local' },
    outline: 'deep',
  },
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  transformHtml: withPolicy,
  vite: {
    plugins: [compiled, standIns],
    build: { chunkSizeWarningLimit: 2_000, commonjsOptions: { include: [/node_modules/, /\/dist\//] } },
  },
});
