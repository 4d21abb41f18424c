import { diffReports } from '../../conformance/report/diff.ts';
import type { Report } from '../../conformance/report/report.ts';
import { againFlags, prepareAgain } from '../check/again.ts';
import { readReportFile } from '../check/checked-file.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { print } from '../io.ts';
import { diffText } from './diff.ts';

export const flags = againFlags;
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number | void> {
  const { io } = cli;
  const [file = '', typed] = command.args;
  const before = readReportFile(file, io.cwd);
  const again = await prepareAgain(cli, command, before, { typed, label: 'base_url' });
  const after = await again.run({ only: again.isWhole ? undefined : again.known });
  const diff = diffReports(before, after);
  const choices = changedChoices(before, after);
  // An observation in other words, or one that is missing by chance, is not a change of the server.
  const observations = diff.observations.filter(({ gap }) => choices.has(gap));
  const shown = { ...diff, observations };
  print(io, again.settings, shown, (colors) => diffText(shown, { before, after }, colors));
  if (after.outcome === 'unreachable' || after.counts.error > 0 || io.signal?.aborted === true)
    return exitStatus.broken;
  if (diff.isWorse || choices.size > 0) return exitStatus.nonconformant;
}

function changedChoices(before: Report, after: Report): ReadonlySet<string> {
  const known = new Map(before.observations.map(({ gap, choice }) => [gap, choice]));
  const changed = after.observations.filter(({ gap, choice }) => {
    const was = known.get(gap);
    return was !== undefined && choice !== undefined && was !== choice;
  });
  return new Set(changed.map(({ gap }) => gap));
}
