import { checks } from '../conformance/index.ts';
import { triggerIds, triggers, violationIds } from '../spec/index.ts';
import type { Tried } from './prove.ts';
import type { Trial } from './trials.ts';

/** The result of the proof, as lines of text. */
export function summary(tried: readonly Tried[]): readonly string[] {
  const of = (...kinds: readonly Trial['kind'][]): readonly Tried[] =>
    tried.filter(({ trial }) => kinds.includes(trial.kind));
  const clean = of('profile', 'combination', 'persona', 'permitted', 'stack');
  const alarms = clean.reduce((sum, { verdict }) => sum + verdict.failed.length, 0);
  const judged = clean.reduce((sum, { verdict }) => sum + verdict.judged, 0);
  const faults = tried.flatMap(({ trial, verdict }) => (trial.kind === 'fault' ? [{ trial, verdict }] : []));
  const plain = faults.filter(({ trial: { trigger, seed } }) => trigger === undefined && seed === undefined);
  const seeded = faults.filter(({ trial }) => trial.seed !== undefined);
  const triggered = faults.filter(({ trial }) => trial.trigger !== undefined);
  const profiles = new Set(plain.map(({ trial }) => trial.profile));
  return [
    `checks                     ${checks.length}`,
    `violations                 ${violationIds.length}${profiles.size === 0 ? '' : `, each committed under ${[...profiles].join(', ')}`}`,
    `faults caught              ${held(plain)} by exactly the checks that claim them`,
    ...(seeded.length > 0
      ? [`faults under other seeds   ${held(seeded)} caught by exactly the checks that claim them`]
      : []),
    ...triggeredLines(triggered),
    `broken shapes caught       ${held(of('mutant'))} generated`,
    `false alarms               ${alarms} in ${judged} judgements of ${clean.length} permitted servers`,
    ...onlookerLines(of('foreign')),
    `dead endpoints             ${held(of('dead'))} fail one check, and nothing passes that rests on them`,
    `useless servers found out  ${held(of('degenerate'))}`,
  ];
}

/** Foreign traffic: the faults that were found, and false alarms. */
function onlookerLines(tried: readonly Tried[]): readonly string[] {
  if (tried.length === 0) return [];
  const faulty = tried.filter(({ trial }) => trial.kind === 'foreign' && trial.violation !== undefined);
  const found = faulty.filter(({ verdict }) => verdict.failed.length > 0);
  const lines = [`traffic of others          ${held(tried)} blamed for nothing that is not there`];
  if (faulty.length > 0) lines.push(`  faults found in it       ${found.length} of ${faulty.length}`);
  return lines;
}

/** Faults under triggers: how many were tried, with which results; no line if there were none. */
function triggeredLines(tried: readonly Tried[]): readonly string[] {
  if (tried.length === 0) return [];
  const seldom = tried.filter(({ trial }) => isSeldom(trial));
  const sure = tried.filter(({ trial }) => !isSeldom(trial));
  const beside = tried.filter(({ verdict: { failed, expected, allowed } }) =>
    failed.some((id) => !expected.includes(id) && !allowed.includes(id)),
  );
  const found = seldom.filter(({ verdict }) => verdict.failed.length > 0);
  const lines = [`faults under triggers      ${held(sure)} caught by exactly the checks that claim them`];
  for (const trigger of triggerIds) {
    const rows = sure.filter(({ trial }) => trial.kind === 'fault' && trial.trigger === trigger);
    if (rows.length > 0) lines.push(`  ${trigger.padEnd(27)}${held(rows)}`);
  }
  if (seldom.length > 0) lines.push(`faults now and then        ${found.length} of ${seldom.length} met in one run`);
  if (beside.length > 0) lines.push(`failed beside those        ${beside.length} times another check`);
  return lines;
}

const held = (rows: readonly Tried[]): string =>
  `${rows.filter(({ verdict }) => verdict.holds).length} of ${rows.length}`;

const isSeldom = (trial: Trial): boolean =>
  trial.kind === 'fault' && trial.trigger !== undefined && triggers[trial.trigger].isSeldom === true;
