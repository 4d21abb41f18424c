import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { jest as config } from '../../package.json';

const root = path.join(__dirname, '../..');
const [, section = ''] =
  /^## Where things are$(.*?)^## /ms.exec(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')) ?? [];

/** The text about each folder of the root, by its name. */
const texts = new Map(section.split(/^- (?=`)/m).map((text) => [/^`([\w-]+)\/`/.exec(text)?.[1] ?? '', text] as const));

/** Git knows no empty folders. */
const isEmpty = (folder: string): boolean => readdirSync(path.join(root, folder)).length === 0;

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', '__snapshots__'].includes(name))
    .filter((entry) => entry.isDirectory() && !isEmpty(`${folder}/${entry.name}`))
    .flatMap(({ name }) => [`${folder}/${name}`, ...foldersIn(`${folder}/${name}`)]);

test.each([...config.roots.map((folder) => folder.replace('<rootDir>/', '')), 'docs'])(
  'CONTRIBUTING.md says what is in %s/, and in each folder of it',
  (folder) => {
    const text = texts.get(folder) ?? '';
    // A decision is found by its page, and the last sentence says what is in folders of two names.
    const unnamed = foldersIn(folder).filter(
      (one) =>
        !text.includes(`\`${path.posix.basename(one)}/\``) &&
        !one.startsWith('docs/decisions/') &&
        !['generated', 'testing'].includes(path.posix.basename(one)),
    );
    expect({ folder, isNamed: texts.has(folder), unnamed }).toEqual({ folder, isNamed: true, unnamed: [] });
  },
);
