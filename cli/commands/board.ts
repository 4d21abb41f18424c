import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import { readReportFile } from '../check/checked-file.ts';
import type { Cli, CommandDefinition } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { writeAtomically } from '../files/files.ts';
import { readFlags, readText, switchFlag, typedFlags, valueFlag } from '../flags.ts';

const flags = typedFlags({
  out: valueFlag(
    '<folder>',
    'where to write index.html, board.json, board.md and the reports (default: board)',
    readText,
  ),
  alarm: switchFlag('end with 1 if the newest run of a product breaks what the run before it held'),
} as const);

const footer = `
Reads every report.json below the folders (bundles of check --submission, or reports of --report json=FILE). A column is a version of
a product (--product, --product-version), as its newest run shows it; runs without a product go by their base URL.

Exit status: 0 written; 1 with --alarm, if the newest run of a product breaks what the run before it held; 2 a folder is wrong.`;

export const definition: CommandDefinition = {
  operands: [['<folder...>', 'folders with reports, at any depth']],
  flags,
  footer,
  run,
};

async function run({ io, clean }: Cli, command: Command): Promise<number> {
  const { out = 'board', alarm } = readFlags(flags, command, io);
  const folders = command.args;
  const files = folders.flatMap((folder) => reportsIn(path.resolve(io.cwd, folder), folder));
  if (files.length === 0) throw new UsageError(`There is no report.json below ${folders.map(visible).join(', ')}.`);
  const reports: Report[] = [];
  for (const file of files) reports.push(await readReportFile(file, io.cwd));
  const [{ boardMarkdown, boardOf }, { boardPage }, { reporters }] = await Promise.all([
    import('../board/board.ts'),
    import('../board/page.ts'),
    import('../../conformance/reporters/index.ts'),
  ]);
  const board = boardOf(reports);
  const folder = path.resolve(io.cwd, out);
  mkdirSync(path.join(folder, 'reports'), { recursive: true });
  const write = (name: string, text: string): void => writeAtomically(path.join(folder, name), clean(text));
  write('index.html', boardPage(board));
  write('board.json', `${JSON.stringify(board, null, 2)}\n`);
  write('board.md', boardMarkdown(board));
  for (const { id, startedAt, product } of board.columns) {
    const report = reports.find(
      ({ target, startedAt: at }) => at === startedAt && (target.product?.name ?? target.baseUrl) === product,
    );
    if (report) write(`reports/${id}.html`, reporters.html.reporter(report, { color: false }));
  }
  const { columns, regressions } = board;
  io.stdout.write(
    `${reports.length} reports, ${columns.length} columns: ${visible(path.join(folder, 'index.html'))}\n`,
  );
  for (const { product, requirement } of regressions)
    io.stdout.write(`regression: ${visible(product)} breaks ${requirement}\n`);
  return alarm && regressions.length > 0 ? exitStatus.nonconformant : exitStatus.conformant;
}

/** The reports below a folder. @throws UsageError if there is no such folder */
function reportsIn(folder: string, label: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`There is no folder ${visible(label)}.`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names.filter((name) => /(?:^|[\\/.-])report\.json$/.test(name)).map((name) => path.join(folder, name));
}
