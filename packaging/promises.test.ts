import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import rows from './promises.json';
import { root } from './test-package.ts';

// What pages promise, and the tests that show it: every sentence about what SECURITY.md guards against, and elsewhere those with
// such a word. Decisions give reasons, in which the weaker words promise nothing to users.

const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const PROMISING = /\b(?:never|always|no token|every|nothing|only)\b/i;
const PROMISING_IN_DECISIONS = /\b(?:never|always|no token)\b/i;

interface Row {
  readonly page: string;
  readonly says: string;
  /** Files of tests, and a title in each. */
  readonly shownBy?: readonly (readonly [file: string, title: string])[];
  /** Why it promises nothing that a test could show; if given, there are no tests. */
  readonly promisesNothing?: string;
}
const all = rows as unknown as readonly Row[];

/** The promises of a page, outside of its blocks of code and its headings. */
function promisesOf(page: string): readonly string[] {
  const [, guarded] =
    /## What we guard against\n(.*?)Nothing\s+needs\s+them:/s.exec(page === 'SECURITY.md' ? read(page) : '') ?? [];
  const whole = (guarded ?? read(page)).replaceAll(/<!--.*?-->/gs, '');
  // The reference quotes the help of each command in blocks.
  const text = page.startsWith('docs/reference') ? whole : whole.replaceAll(/^ *```.*?^ *```$/gms, '\n');
  const sentences = text
    .split(/\n\s*\n|\n(?=\s*[-*|#]|\d+\. )/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    // What a flag does is said to whoever gives it, and tested with its command.
    .filter((part) => part !== '' && !part.startsWith('#') && !part.startsWith('| `--'))
    .flatMap((part) => part.replace(/^(?:[-*]|\d+\.) /, '').split(/(?<=[.!?:]\)?)\s+(?=[A-Z`[*-])/));
  const words = page.startsWith('docs/decisions') ? PROMISING_IN_DECISIONS : PROMISING;
  return [...new Set(sentences)].filter((sentence) => guarded !== undefined || words.test(sentence));
}

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
    .toSorted();
const folders = ['docs/guides', 'docs/recipes', 'docs/decisions'].flatMap(pagesIn);
const pages = ['SECURITY.md', 'README.md', 'docs/reference/commands.md', ...folders];

test.each(pages)('every promise of %s has a row, and every row its promise', (page) => {
  expect(all.filter((row) => row.page === page).map(({ says }) => says)).toEqual(promisesOf(page));
});

test('every row names tests that exist, or says why it promises nothing', () => {
  const wrong = all.filter(({ page, shownBy = [], promisesNothing = '' }) => {
    if (!pages.includes(page) || shownBy.length > 0 === (promisesNothing !== '')) return true;
    const isThere = (title: string, file: string): boolean =>
      ["'", '"', '`'].some((quote) => read(file).replaceAll(/\(\s+/g, '(').includes(`(${quote}${title}${quote}`));
    return shownBy.some(([file, title]) => !file.endsWith('.test.ts') || !isThere(title, file));
  });
  expect(wrong).toEqual([]);
});
