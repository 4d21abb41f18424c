import { endpointIds, type EndpointId } from '../../spec/index.ts';
import type { ExcuseId } from '../history/facts/excuses.ts';
import type { Facts } from '../history/facts/facts.ts';
import type { Evidence } from './report.ts';

/** How often each of several things was met. */
export type Tally<Name = string> = readonly (readonly [name: Name, count: number])[];

/** What one world, or several together, showed besides the verdicts of checks. */
export type Shown = ReturnType<typeof shownBy>;

export const shownBy = ({ shapes, traffic, failures, excuses: used, agents, workspaces, publicForms }: Facts) => ({
  evidence: shapes.evidence(),
  serverErrors: traffic.serverErrors as Readonly<typeof traffic.serverErrors>,
  serverErrorCount: traffic.serverErrorCount,
  unaccepted: traffic.unaccepted,
  unsteady: failures.sometimes(),
  excused: [...used.counts] as Tally<ExcuseId>,
  /** How often each endpoint answered with each status, or not at all: `get-agent 404`, `get-agent none`. */
  answers: endpointIds.flatMap((endpoint): Tally => {
    const { statuses, unanswered } = traffic.of(endpoint);
    const all = [...statuses, ['none', unanswered] as const].filter(([, times]) => times > 0);
    return all.map(([status, times]) => [`${endpoint} ${status}`, times]);
  }) as Tally,
  uncompared: [...agents.uncompared] as Tally,
  late: agents.longestLag,
  showsVersion5: endpointIds.some((endpoint) => traffic.of(endpoint).otherVersions > 0),
  /** What was sent often for new agents, and shown by no answer. It breaks the contract only where it is structure. */
  neverShown: [agents.neverShown('created'), agents.neverShown('imported'), workspaces.neverShown()].flat(),
  /** What was imported as published often, and is shown by no public form. */
  neverPublished: publicForms.neverShown(),
});

/** It does not matter in which order worlds are put together, or how many at a time. */
export function shownTogether(worlds: readonly Shown[]): Shown {
  return {
    evidence: evidenceOf(worlds.flatMap(({ evidence }) => evidence)),
    serverErrors: worlds.flatMap(({ serverErrors }) => serverErrors).slice(0, 20),
    serverErrorCount: worlds.reduce((sum, { serverErrorCount }) => sum + serverErrorCount, 0),
    unaccepted: worlds.reduce((sum, { unaccepted }) => sum + unaccepted, 0),
    unsteady: worlds.flatMap(({ unsteady }) => unsteady).slice(0, 20),
    excused: summed(worlds.flatMap(({ excused }) => excused)),
    answers: summed(worlds.flatMap(({ answers }) => answers)),
    uncompared: summed(worlds.flatMap(({ uncompared }) => uncompared)),
    late: worlds.flatMap(({ late }) => late ?? []).toSorted((a, b) => b.deniedMs - a.deniedMs)[0],
    showsVersion5: worlds.some(({ showsVersion5 }) => showsVersion5),
    neverShown: worlds.flatMap((world) => world.neverShown),
    neverPublished: worlds.flatMap((world) => world.neverPublished),
  };
}

/** Tallies as one. */
export function summed<T extends string>(pairs: Tally<T>): Tally<T> {
  const sums = new Map<T, number>();
  for (const [name, times] of pairs) sums.set(name, (sums.get(name) ?? 0) + times);
  return [...sums];
}

function evidenceOf(inWorlds: readonly Evidence[]): readonly Evidence[] {
  const all = new Map<string, Evidence>();
  for (const one of inWorlds) {
    const known = all.get(one.schema) ?? one;
    const [fewer, more] = one.seenValid > known.seenValid ? [one, known] : [known, one];
    const never = new Set(more.neverSeen);
    const neverSeen = fewer.neverSeen.filter((pointer) => never.has(pointer));
    const found = fewer.neverSeen.length - neverSeen.length;
    all.set(one.schema, { ...fewer, seenValid: fewer.seenValid + found, neverSeen });
  }
  return [...all.values()];
}

/** How often an endpoint answered with each status, or not at all (`none`). */
export const answersOf = ({ answers }: Shown, id: EndpointId) =>
  answers
    .filter(([name]) => name.startsWith(`${id} `))
    .map(([name, times]) => ({ status: name.slice(id.length + 1), times }));
