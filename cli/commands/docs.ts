import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Cli, Command } from '../command.ts';

/** The folders of pages in the package, in the order of the list. */
const FOLDERS = ['guides', 'recipes', 'reference'] as const;

type Topic = ReturnType<typeof allTopics>[number];

export const flags = {};

export function run({ io }: Cli, { args: [name] }: Command): void {
  const topics = allTopics();
  io.stdout.write(name === undefined ? listed(topics) : textOf(name, topics));
}

function allTopics() {
  const docs = path.join(packageRoot(), 'docs');
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(docs, folder))
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .map((file) => ({ name: file.slice(0, -'.md'.length), folder, file: path.join(docs, folder, file) })),
  );
}

/** The folder of package.json, whether this is a source or compiled. */
export function packageRoot(): string {
  const above = path.join(__dirname, '../..');
  return existsSync(path.join(above, 'docs/guides')) ? above : path.dirname(above);
}

/** The text of a page. @throws UsageError if there is no such page. */
function textOf(name: string, topics: readonly Topic[]): string {
  const found = topics.find((topic) => topic.name === name);
  if (found) return readFileSync(found.file, 'utf8');
  const names = topics.map((topic) => topic.name);
  throw new UsageError(
    `There is no page ${JSON.stringify(name)}.${didYouMean(name, names) || ' "agent-contract docs" lists them.'}`,
  );
}

function listed(topics: readonly Topic[]): string {
  const width = Math.max(...topics.map(({ name }) => name.length));
  const lines = topics.map(({ name, folder, file }, i) => {
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    const line = `  ${name.padEnd(width)}  ${title}`;
    if (topics[i - 1]?.folder === folder) return line;
    return `${folder}\n${line}`;
  });
  return `${lines.join('\n')}\nagent-contract docs <name> shows a page.\n`;
}
