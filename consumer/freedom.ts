import { gapIds, gaps, type GapId } from '../spec/index.ts';
import { valueFor } from '../conformance/collections.ts';
import type { MetExchange, Steering } from '../mock/index.ts';
import { REVERSED } from '../mock/steering/altered.ts';
import { culprits } from './bisect.ts';
import type { TestOf } from './attribution.ts';
import type { ClientFinding } from './report.ts';
import { isRedUnder, type Trials } from './trials.ts';
import type { Twins } from './twins.ts';
import type { Unit, UnitOf } from './units.ts';

/** One permitted behaviour other than that of the first run. */
export interface Freedom {
  /** `page-filling=short` */
  readonly id: string;
  /** What it varies; two of one kind exclude each other. */
  readonly varies: string;
  readonly steering: Steering;
  readonly question: string;
  readonly choice: string;
  readonly section: string;
  /** The units whose answers it changes. */
  readonly units: ReadonlySet<Unit>;
}

/** Milliseconds of latency. */
const SLOW = 150;

/** What any server may do besides the choices of the gaps. */
const others: readonly Omit<Freedom, 'units'>[] = [
  {
    id: REVERSED,
    varies: 'keys',
    steering: { alterations: [REVERSED] },
    question: 'In which order are the names of an object?',
    choice: 'in reverse',
    section: '4',
  },
  {
    id: `latency=${SLOW}`,
    varies: 'latency',
    steering: { latency: SLOW },
    question: 'How long does an answer take?',
    choice: `${SLOW} ms`,
    section: '8',
  },
];

/** The permitted behaviours that change an answer which the tests met. */
export function freedomsMet({ sessions, differences }: Twins, unitOf: UnitOf): readonly Freedom[] {
  const unitsOf = (some: readonly MetExchange[]): ReadonlySet<Unit> => new Set(some.map(unitOf));
  const ofGaps = gapIds.flatMap((gap) => {
    const { question, section, choices } = gaps[gap];
    if (sessions.every(({ began }) => began.held.includes(gap))) return [];
    return Object.entries(choices).map(([id, choice]): Freedom => {
      const steering = { choices: { [gap]: id } };
      const units = unitsOf(differences(steering, 'every').map(({ exchange }) => exchange));
      return { id: `${gap}=${id}`, varies: gap, steering, question, choice, section, units };
    });
  });
  const all = unitsOf(sessions.flatMap(({ alike }) => alike.flat()));
  return [...ofGaps.filter(({ units }) => units.size > 0), ...others.map((one) => ({ ...one, units: all }))];
}

/** The choices that tests make themselves, so that nobody varies them there: each gap with these tests. */
export function heldByTests({ sessions }: Twins, testOf: TestOf): Readonly<Partial<Record<GapId, readonly string[]>>> {
  const held = new Map<GapId, Set<string>>();
  for (const { began, alike } of sessions)
    for (const gap of began.held)
      for (const [met] of alike) valueFor(held, gap, () => new Set()).add((met && testOf(met)) ?? 'no single test');
  return Object.fromEntries(Array.from(held, ([gap, tests]) => [gap, [...tests]]));
}

/** One steering that does all of several. */
export function together(some: readonly { readonly steering: Steering }[]): Steering {
  const all = some.map(({ steering }) => steering);
  const latency = all.find((one) => one.latency !== undefined)?.latency;
  return {
    choices: Object.assign({}, ...all.map(({ choices }) => choices)) as Steering['choices'],
    faults: all.flatMap(({ faults = [] }) => faults),
    alterations: all.flatMap(({ alterations = [] }) => alterations),
    latency,
  };
}

/**
 * Rounds in which every two behaviours that do not exclude each other occur together at least once: first each next choice
 * of all at once, then what pairs are left. Latency has a round of its own, since it makes every other one slow.
 */
function rounds(all: readonly Freedom[]) {
  const slow = all.filter(({ varies }) => varies === 'latency');
  const freedoms = all.filter(({ varies }) => varies !== 'latency');
  const kinds = [...new Set(freedoms.map(({ varies }) => varies))];
  const ofKind = kinds.map((kind) => freedoms.filter(({ varies }) => varies === kind));
  const most = Math.max(0, ...ofKind.map(({ length }) => length));
  const made = Array.from({ length: most }, (_, n) => ofKind.flatMap((some) => some[n] ?? []));
  const pairs: (readonly Freedom[])[] = [];
  const met = new Set<string>();
  const mark = (a: Freedom, b: Freedom): string => [a.id, b.id].toSorted().join(' ');
  const note = (round: readonly Freedom[]): void => {
    for (const a of round) for (const b of round) met.add(mark(a, b));
  };
  made.forEach(note);
  for (const a of freedoms)
    for (const b of freedoms) {
      if (a.varies === b.varies || met.has(mark(a, b))) continue;
      const round = [a, b];
      for (const some of ofKind) {
        if (some.some(({ varies }) => varies === a.varies || varies === b.varies)) continue;
        const gain = (one: Freedom): number => round.filter((other) => !met.has(mark(one, other))).length;
        const best = some.toSorted((x, y) => gain(y) - gain(x))[0];
        if (best && gain(best) > 0) round.push(best);
      }
      note(round);
      pairs.push(round);
    }
  return { each: [...made, ...slow.map((one) => [one])], pairs };
}

/** What turns tests red: one behaviour, or a pair. */
interface Red {
  readonly id: string;
  readonly some: readonly Freedom[];
  readonly failed: Set<string>;
  hangs: boolean;
}

/** Behaviours that show in no round, since others hide them: whoever answers an empty list never says 403. */
function hidden(made: readonly (readonly Freedom[])[], unit: Unit, { sessions, answers }: Twins, unitOf: UnitOf) {
  const isOwn = (met: MetExchange | undefined): boolean => met !== undefined && unitOf(met) === unit;
  const own = sessions.filter(({ alike }) => alike.flat().some(isOwn));
  const seen = (some: readonly Freedom[]): string =>
    JSON.stringify(
      own.map((session) =>
        answers(session, together(some)).filter((_, index) => session.alike.some((copy) => isOwn(copy[index]))),
      ),
    );
  const shows = (one: Freedom): boolean =>
    made.some((round) => round.includes(one) && seen(round) !== seen(round.filter((other) => other !== one)));
  return [...new Set(made.flat())].filter((one) => !shows(one));
}

/** The permitted behaviours that turn a test red, each by itself, or in a pair. */
export async function judgeFreedom(
  freedoms: readonly Freedom[],
  { run, parts, recorded, first }: Trials,
  testOf: TestOf,
  twins: Twins,
  unitOf: UnitOf,
) {
  const all = new Map<string, Red>();
  const open = new Set<string>();
  const judge = async (unit: Unit): Promise<void> => {
    const red = new Set<string>();
    const isRed = (some: readonly Freedom[]) => isRedUnder(together(some), { run }, unit);
    const { each, pairs } = rounds(freedoms.filter(({ units }) => units.has(unit)));
    const judgeRound = async (round: readonly Freedom[]): Promise<void> => {
      // What is known to be red alone would hide the rest.
      const left = round.filter(({ id }) => !red.has(id));
      for (const some of await culprits(left, isRed, (late) => late.forEach(({ id }) => open.add(id)), parts)) {
        const id = some.map((one) => one.id).join(' and ');
        const trial = await run(together(some), unit);
        const known = all.get(id) ?? { id, some, failed: new Set(), hangs: false };
        for (const name of trial?.failed ?? []) known.failed.add(name);
        known.hangs ||= trial?.hangs === true;
        all.set(id, known);
        red.add(id);
      }
    };
    await Promise.all(each.map(judgeRound));
    const alone = hidden([...each, ...pairs], unit, twins, unitOf).map((one) => [one]);
    await Promise.all([...pairs, ...alone].map(judgeRound));
  };
  await Promise.all(Array.from(new Set(freedoms.flatMap(({ units }) => [...units])), judge));
  // Trials end in any order: single behaviours come first, then pairs, each in the order of the questions.
  const placeOf = ({ some }: Red): number =>
    some.reduce((place, { id }) => place * freedoms.length + freedoms.findIndex((one) => one.id === id) + 1, 0);
  const reds = [...all.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
  const isAboutNames = ({ varies }: Freedom): boolean => varies === 'identifier-format';
  const about = reds.find(({ some }) => some.some(isAboutNames));
  const renamed = about && (await recorded(together(about.some)));
  const naming = namingTests(first.exchanges, renamed ?? [], testOf);
  return {
    findings: reds.map((one) => {
      const isNaming = one.some.every(isAboutNames) && [...one.failed].every((name) => naming.has(name));
      return findingOf(one, isNaming);
    }),
    /** The choices with which a test fails. */
    red: reds.filter(({ some }) => some.length === 1).flatMap(({ some }) => some),
    open: [...open].map((id) => `${id} was not decided, for want of time.`),
  };
}

function findingOf({ id, some, failed: tests, hangs }: Red, isNaming: boolean): ClientFinding {
  const failed = [...tests];
  const questions = some.map(({ question, choice }) => `${question} Here: ${choice}.`);
  let remedy = 'Let the client accept every choice, or agree on one with those who run the server.';
  if (isNaming)
    remedy =
      'These tests name identifiers of the mock themselves. Take them from mock.target or AGENT_CONTRACT_AGENT_ID.';
  let says = `${failed.length} tests fail`;
  if (failed.length === 1) says = `"${failed[0]}" fails`;
  says += ` if the server answers with ${id}`;
  if (hangs) says += ', and the tests do not come to an end';
  says += '.';
  if (some.length > 1) says += ' Each alone does no harm.';
  return {
    id: `freedom:${id}`,
    aspect: 'freedom',
    says,
    why: `The specification leaves it open: ${questions.join(' ')}`,
    section: some.map(({ section }) => section).join(', '),
    remedy,
    tests: failed,
    again: againWith(some),
    isNote: isNaming,
  };
}

/** How to see it again: `run` with the same choices. */
function againWith(some: readonly Freedom[]): string | undefined {
  const flags = some.flatMap(({ steering: { choices = {}, latency } }) => {
    const named = Object.entries(choices).map(([gap, choice]) => `--choice ${gap}=${choice}`);
    if (latency !== undefined) named.push(`--latency ${latency}`);
    return named;
  });
  if (flags.length < some.length) return undefined;
  return `agent-contract run ${flags.join(' ')} -- <test command>`;
}

/** The tests that ask for the same agents in both runs, although the identifiers differ: by names in their own text. */
function namingTests(
  before: readonly MetExchange[],
  after: readonly MetExchange[],
  testOf: TestOf,
): ReadonlySet<string | undefined> {
  const idOf = ({ request: { target } }: MetExchange): string | undefined => /\/agents\/([^/?]+)/.exec(target)?.[1];
  const known = new Set(before.map(idOf));
  return new Set(after.filter((one) => idOf(one) !== undefined && known.has(idOf(one))).map(testOf));
}
