import { diffReports } from '../../conformance/report/diff.ts';
import type { CheckChange, CheckChanges, ObservationChange, ReportDiff } from '../../conformance/report/diff.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { Entry } from '../../conformance/reporters/outline/line.ts';
import { blocksText, sectionLines } from '../../conformance/reporters/text.ts';
import { visible } from '../../text/visible.ts';
import { readReportFile } from '../check/checked-file.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { jsonFlag, readFlags } from '../flags.ts';
import { print, type Colors } from '../io.ts';

export const flags = jsonFlag;

export function run({ io }: Cli, command: Command): number | void {
  const [one = '', other = ''] = command.args;
  const before = readReportFile(one, io.cwd);
  const after = readReportFile(other, io.cwd);
  const diff = diffReports(before, after);
  print(io, readFlags(jsonFlag, command, io), diff, (colors) => diffText(diff, { before, after }, colors));
  if (diff.isWorse) return exitStatus.nonconformant;
}

/** How two reports differ, for a person. */
export function diffText(
  diff: ReportDiff,
  { before, after }: { readonly before: Report; readonly after: Report },
  colors: Colors,
): string {
  const lists = Object.entries(titles).map(([kind, title]) => ({
    title,
    entries: diff[kind as keyof CheckChanges].map(changeEntry),
  }));
  const observed = { title: 'Observed choices that changed', entries: diff.observations.map(observationEntry) };
  const { newlyFailing, newlyNotJudged, fixed, isWorse } = diff;
  const word = isWorse ? colors.red('WORSE') : colors.green('NOT WORSE');
  const sums = `${newlyFailing.length} newly failing, ${newlyNotJudged.length} newly not judged, ${fixed.length} fixed`;
  return blocksText([
    heading(before, after, colors),
    ...[...lists, observed].map((section) => sectionLines({ id: '', ...section }, colors)),
    [`${colors.bold(word)}: ${sums}`],
  ]);
}

const titles: Readonly<Record<keyof CheckChanges, string>> = {
  newlyFailing: 'Newly failing',
  newlyNotJudged: 'Newly not judged',
  failingDifferently: 'Failing differently',
  fixed: 'Fixed',
  newlyPassing: 'Newly passing, not judged before',
};

function heading(before: Report, after: Report, colors: Colors): string[] {
  const line = (name: string, { tool, target, startedAt, seed, counts }: Report): string => {
    const { pass, fail, notJudged, error } = counts;
    const when = colors.dim(`${startedAt}, seed ${seed}, version ${tool.version}`);
    const sums = `${pass} passed, ${fail} failed, ${notJudged + error} not judged`;
    return `${colors.bold(name)}  ${colors.cyan(visible(target.baseUrl))}  ${when}  ${sums}`;
  };
  const lines = [line('before', before), line('after ', after)];
  for (const [name, flag] of Object.entries({ readOnly: '--read-only', strict: '--strict' } as const)) {
    const [was, is] = [before, after].map(({ options }) => options?.[name as 'readOnly' | 'strict']);
    if (was === undefined || is === undefined || was === is) continue;
    lines.push(colors.yellow(`Only one run, ${was ? 'before' : 'after'}, used ${flag}.`));
  }
  return lines;
}

function changeEntry({ id, title, after, says, said }: CheckChange): Entry {
  const below: Entry[] = [];
  if (said !== undefined) below.push({ line: [{ quiet: 'before  ' }, said] });
  const now = after === undefined ? 'no longer run' : says;
  if (now !== undefined) below.push({ line: [{ quiet: 'now     ' }, now] });
  return { line: [title, { quiet: `  [${id}]` }], below };
}

function observationEntry({ section, question, before, after }: ObservationChange): Entry {
  const change = `${before ?? 'not observed'} → ${after ?? 'not observed'}`;
  return { line: [{ quiet: section.padEnd(5) }, ' ', question, ' ', { strong: change }] };
}
