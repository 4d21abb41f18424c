import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { prove, type Tried } from '../../prove/prove.ts';
import { summary } from '../../prove/summary.ts';
import { about, allTrials, nameOf, seededTrials, shortfall, subjects, triggeredTrials } from '../../prove/trials.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { flagsOf, readFlags, readNumber, typedFlags, type ValuesOf } from '../flags.ts';
import { print, progressLine } from '../io.ts';

export const flags = typedFlags(flagsOf('prove', { seeds: readNumber('a whole number of seeds', 1, 10_000, 200) }));

export async function run({ io }: Cli, command: Command): Promise<number | void> {
  const { json, ...wanted } = readFlags(flags, command, io);
  const trials = chosenTrials(wanted);
  const progress = progressLine(io);
  const tried = await prove(join(__dirname, '../../prove/worker.js'), trials, (_, done) =>
    progress.show(`${done} of ${trials.length} trials`),
  ).finally(progress.end);
  const wrong = tried.filter(({ verdict }) => !verdict.holds);
  print(io, { json }, tried, ({ red }) => {
    const texts = wrong.map(({ trial, verdict }) => [nameOf(trial), ...shortfall(verdict)].join('\n  '));
    return [`${matrix(tried)}\n${summary(tried).join('\n')}\n`, ...texts.map((text) => red(`\n${text}\n`))].join('');
  });
  if (wrong.length > 0) return exitStatus.nonconformant;
}

/** The requested trials, or all. @throws UsageError for an id that no trial is about. */
export function chosenTrials({ all = false, only = [], seeds = 0 }: Partial<ValuesOf<typeof flags>>) {
  const others = seededTrials(Array.from({ length: seeds }, () => randomInt(2 ** 31)));
  const trials = [...allTrials({ everything: all }), ...others];
  if (only.length === 0) return trials;
  const wanted = new Set(
    only.flatMap((id) => {
      // The proof tries only a share of the faults under triggers, so an id with a trigger needs all of them.
      const found = about(id, trials);
      const chosen = found.length > 0 ? found : about(id, triggeredTrials());
      if (chosen.length > 0) return chosen;
      throw new UsageError(
        `No trial of the proof is about ${JSON.stringify(id)}.${didYouMean(id, subjects()) || ' "agent-contract list checks" (or violations, triggers, gaps, personas) shows the ids.'}`,
      );
    }),
  );
  return [...wanted];
}

/** One line per violation: the checks that caught it, and in how many trials exactly these did. */
export function matrix(tried: readonly Tried[]): string {
  const rows = new Map<string, { expected: readonly string[]; held: number; of: number }>();
  for (const { trial, verdict } of tried) {
    if (trial.kind !== 'fault') continue;
    const row = rows.get(trial.violation) ?? { expected: verdict.expected, held: 0, of: 0 };
    // A fault now and then may be missed, so its trial expects nothing.
    const expected = row.expected.length > 0 ? row.expected : verdict.expected;
    rows.set(trial.violation, { expected, held: row.held + Number(verdict.holds), of: row.of + 1 });
  }
  const width = Math.max(...[...rows.keys()].map((id) => id.length));
  return [...rows]
    .map(([id, row]) => `${id.padEnd(width)}  ${row.held}/${row.of}  ${row.expected.join(', ')}\n`)
    .join('');
}
