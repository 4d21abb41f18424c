import { checks } from '../conformance/index.ts';
import { violationIds } from '../spec/index.ts';
import type { Tried } from './prove.ts';
import type { Trial } from './trials.ts';

/** What the proof comes to, as lines for a reader. */
export function summary(tried: readonly Tried[]): readonly string[] {
  const of = (...kinds: readonly Trial['kind'][]): readonly Tried[] =>
    tried.filter(({ trial }) => kinds.includes(trial.kind));
  const share = (rows: readonly Tried[]): string =>
    `${rows.filter(({ verdict }) => verdict.holds).length} of ${rows.length}`;
  const clean = of('profile', 'combination', 'persona');
  const alarms = clean.reduce((sum, { verdict }) => sum + verdict.failed.length, 0);
  const judged = clean.reduce((sum, { verdict }) => sum + verdict.judged, 0);
  const profiles = new Set(of('fault').flatMap(({ trial }) => (trial.kind === 'fault' ? [trial.profile] : [])));
  return [
    `checks                     ${checks.length}`,
    `violations                 ${violationIds.length}, each committed under ${[...profiles].join(', ')}`,
    `faults caught              ${share(of('fault'))} by exactly the checks that claim them`,
    `broken shapes caught       ${share(of('mutant'))} generated`,
    `false alarms               ${alarms} in ${judged} judgements of ${clean.length} permitted servers`,
    `useless servers found out  ${share(of('degenerate'))}`,
  ];
}
