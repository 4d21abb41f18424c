import { checks } from '../conformance/index.ts';
import { triggers, violationIds } from '../spec/index.ts';
import type { Tried } from './prove.ts';
import type { Trial } from './trials.ts';

/** What the proof comes to, as lines for a reader. */
export function summary(tried: readonly Tried[]): readonly string[] {
  const of = (...kinds: readonly Trial['kind'][]): readonly Tried[] =>
    tried.filter(({ trial }) => kinds.includes(trial.kind));
  const share = (rows: readonly Tried[]): string =>
    `${rows.filter(({ verdict }) => verdict.holds).length} of ${rows.length}`;
  const clean = of('profile', 'combination', 'persona', 'permitted');
  const alarms = clean.reduce((sum, { verdict }) => sum + verdict.failed.length, 0);
  const judged = clean.reduce((sum, { verdict }) => sum + verdict.judged, 0);
  const isTriggered = ({ trial }: Tried): boolean => trial.kind === 'fault' && trial.trigger !== undefined;
  const plain = of('fault').filter((row) => !isTriggered(row));
  const triggered = of('fault').filter(isTriggered);
  const profiles = new Set(plain.flatMap(({ trial }) => (trial.kind === 'fault' ? [trial.profile] : [])));
  return [
    `checks                     ${checks.length}`,
    `violations                 ${violationIds.length}${profiles.size === 0 ? '' : `, each committed under ${[...profiles].join(', ')}`}`,
    `faults caught              ${share(plain)} by exactly the checks that claim them`,
    ...triggeredLines(triggered),
    `broken shapes caught       ${share(of('mutant'))} generated`,
    `false alarms               ${alarms} in ${judged} judgements of ${clean.length} permitted servers`,
    `useless servers found out  ${share(of('degenerate'))}`,
  ];
}

/** Faults under triggers: how many were tried, and what came of them; no line where there were none. */
function triggeredLines(tried: readonly Tried[]): readonly string[] {
  if (tried.length === 0) return [];
  const seldom = tried.filter(({ trial }) => isSeldom(trial));
  const sure = tried.filter(({ trial }) => !isSeldom(trial));
  const beside = tried.filter(({ verdict: { failed, expected, allowed } }) =>
    failed.some((id) => !expected.includes(id) && !allowed.includes(id)),
  );
  return [
    `faults under triggers      ${sure.filter(({ verdict }) => verdict.holds).length} of ${sure.length} caught by exactly the checks that claim them`,
    ...(seldom.length === 0
      ? []
      : [
          `faults now and then        ${seldom.filter(({ verdict }) => verdict.failed.length > 0).length} of ${seldom.length} met in one run`,
        ]),
    ...(beside.length === 0 ? [] : [`failed beside those        ${beside.length} times another check`]),
  ];
}

const isSeldom = (trial: Trial): boolean =>
  trial.kind === 'fault' && trial.trigger !== undefined && triggers[trial.trigger].isSeldom === true;
