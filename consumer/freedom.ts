import { gapIds, gaps, type GapId } from '../spec/index.ts';
import { grouping } from '../conformance/collections.ts';
import type { MetExchange, Steering } from '../mock/index.ts';
import { createCovering } from '../conformance/probes/covering.ts';
import { optional } from '../conformance/show.ts';
import { redParts, together } from './bisect.ts';
import { agentIdIn, type FirstRun, type Unit } from './first-run.ts';
import others from './other-freedoms.json';
import { HINT, type ClientFinding } from './report.ts';
import type { Trials } from './trials.ts';

/** One permitted behaviour other than that of the first run; two that vary the same exclude each other. */
type Freedom = ReturnType<typeof freedomsMet>[number];

/** The permitted behaviours that change an answer which the tests met. */
function freedomsMet({ sessions, units: all, unitsUnder }: FirstRun) {
  const ofGaps = gapIds.flatMap((gap) => {
    const { question, section, choices } = gaps[gap];
    if (sessions.every(({ began }) => began.held.includes(gap))) return [];
    return Object.entries(choices).map(([id, choice]) => {
      const steering: Steering = { choices: { [gap]: id } };
      const is = { id: `${gap}=${id}`, flag: `--choice ${gap}=${id}`, varies: gap, question, choice, section };
      return { ...is, steering, units: unitsUnder(steering) };
    });
  });
  // What any server may do besides the choices of the gaps.
  const besides = others.map((one) => ({ ...one, steering: one.steering as Steering, units: all }));
  return [...ofGaps.filter(({ units }) => units.size > 0), ...besides];
}

/** The choices that tests make themselves, so that nobody varies them there: each gap with these tests. */
function heldByTests({ sessions, testOf, inOrder }: FirstRun): Readonly<Partial<Record<GapId, readonly string[]>>> {
  const held = sessions.flatMap(({ began, alike }) =>
    began.held.flatMap((gap) => alike.map(([met]) => ({ gap, test: (met && testOf(met)) ?? 'no single test' }))),
  );
  const groups = grouping(held, ({ gap }) => gap);
  return Object.fromEntries(Array.from(groups, ([gap, own]) => [gap, inOrder(own.map(({ test }) => test))]));
}

/**
 * Rounds in which every two behaviours that do not exclude each other occur together at least once: first each next choice
 * of all at once, then what pairs are left. Latency has a round of its own, since it makes every other one slow.
 */
function rounds(all: readonly Freedom[]) {
  const slow = all.filter(({ varies }) => varies === 'latency');
  const freedoms = all.filter(({ varies }) => varies !== 'latency');
  const ofKind = [...grouping(freedoms, ({ varies }) => varies).values()];
  const most = Math.max(0, ...ofKind.map(({ length }) => length));
  const each = Array.from({ length: most }, (_, n) => ofKind.map((some) => some.slice(n, n + 1)));
  const covering = createCovering([2]);
  const roundOf = (kinds: readonly (readonly Freedom[])[]): readonly Freedom[] => {
    const ids = kinds.map((some) => [some[0]?.varies ?? '', some.map(({ id }) => id)] as const);
    const row = covering.rowFor({}, Object.fromEntries(ids));
    return freedoms.filter(({ varies, id }) => row[varies] === id);
  };
  const made = each.map((kinds) => roundOf(kinds.filter(({ length }) => length > 0)));
  const pairs: (readonly Freedom[])[] = [];
  do pairs.push(roundOf(ofKind));
  while (covering.covered().some(({ met, of }) => met < of));
  return { each: [...made, ...slow.map((one) => [one])], pairs };
}

/** What turns tests red twice: one behaviour, or a pair. */
type Red = Awaited<ReturnType<typeof redParts<Freedom>>>[number];

/** Behaviours that show in no round, since others hide them: whoever answers an empty list never says 403. */
function hidden(made: readonly (readonly Freedom[])[], unit: Unit, { answersOf }: FirstRun) {
  const seen = (some: readonly Freedom[]): string => JSON.stringify(answersOf(unit, together(some)));
  const shown = new Set<Freedom>();
  for (const round of made) {
    const left = round.filter((one) => !shown.has(one));
    const whole = left.length > 0 && seen(round);
    for (const one of left) if (seen(round.filter((other) => other !== one)) !== whole) shown.add(one);
  }
  return [...new Set(made.flat())].filter((one) => !shown.has(one));
}

/** The permitted behaviours that turn a test red twice, each by itself, or in a pair. */
export async function judgeFreedom(first: FirstRun, trials: Trials) {
  // At once, so that no fault is tried before the first of them.
  const freedoms = freedomsMet(first);
  const found: Red[] = [];
  const open = new Set<string>();
  /** Those that were not tried together with all others. */
  const unpaired = new Set<string>();
  const judge = async (unit: Unit): Promise<void> => {
    const red = new Set<string>();
    const { each, pairs } = rounds(freedoms.filter(({ units }) => units.has(unit)));
    const judgeRound = async (round: readonly Freedom[], late: Set<string>): Promise<void> => {
      // What is known to be red alone would hide the rest.
      const left = round.filter(({ id }) => !red.has(id));
      const parts = await redParts(left, trials, unit, late);
      for (const { id } of parts) red.add(id);
      found.push(...parts);
    };
    const judgeEach = (some: readonly (readonly Freedom[])[]) =>
      Promise.all(some.map((round) => judgeRound(round, open)));
    // Where a red test waits in vain, one who bears little is not asked about many at once.
    const ahead = trials.parts > 2 ? 1 : each.length;
    await judgeEach(each.slice(0, ahead));
    const later = each.slice(ahead);
    await judgeEach(red.size > 0 ? later.flatMap((round) => round.map((one) => [one])) : later);
    const alone = hidden([...each, ...pairs], unit, first);
    await Promise.all([judgeEach(alone.map((one) => [one])), ...pairs.map((round) => judgeRound(round, unpaired))]);
  };
  await Promise.all(Array.from(new Set(freedoms.flatMap(({ units }) => [...units])), judge));
  // Trials end in any order: single behaviours come first, then pairs, each in the order of the questions.
  const placeOf = ({ part }: Red): number =>
    part.reduce((place, { id }) => place * freedoms.length + freedoms.findIndex((one) => one.id === id) + 1, 0);
  const reds = found.toSorted((one, other) => placeOf(one) - placeOf(other));
  // Who refuses an undocumented name does so too when it comes twice.
  const strict = reds.filter(({ id }) => id === 'extra-fields=some').flatMap(({ failed }) => failed);
  const news = reds.filter(
    ({ id, failed }) => id !== 'repeated-names=undocumented' || !failed.every((name) => strict.includes(name)),
  );
  const about = reds.find(({ part }) => part.some(({ varies }) => varies === NAMES));
  const naming = about && namingTests(first, await trials.recorded(together(about.part)));
  return {
    freedoms: freedoms.map(({ id }) => id),
    held: heldByTests(first),
    findings: Array.from(grouping(news, ({ id }) => id).values(), (own) => findingOf(own, first, naming)),
    /** The choices with which a test fails. */
    red: [...new Set(reds.filter(({ part }) => part.length === 1).flatMap(({ part }) => part))],
    // What some tests show is a finding, whatever others would show.
    open: [...open].filter((id) => reds.every((red) => red.id !== id)),
    unpaired: [...unpaired].filter((id) => !open.has(id) && reds.every((red) => red.id !== id)),
  };
}

const NAMES = 'identifier-format';

/** What several units show of one behaviour, or of one pair. */
function findingOf(own: readonly Red[], { inOrder }: FirstRun, naming?: ReturnType<typeof namingTests>): ClientFinding {
  const [{ id, part: some }] = own as readonly [Red];
  const failed = inOrder(own.flatMap((one) => one.failed));
  const isNaming = some.every(({ varies }) => varies === NAMES) && failed.every((name) => naming?.has(name));
  const questions = some.map(({ question, choice }) => `${question} Here: ${choice}.`);
  const who = failed.length === 1 ? `"${failed[0]}" fails` : `${failed.length} tests fail`;
  const hangs = optional`${own.some((one) => one.hangs) && ', and the tests do not come to an end'}`;
  const alone = optional`${some.length > 1 && ' Each alone does no harm.'}`;
  return {
    id: `freedom:${id}`,
    aspect: 'freedom',
    says: `${who} if the server answers with ${id}${hangs}.${alone}`,
    why: `The specification leaves it open: ${questions.join(' ')}`,
    section: [...new Set(some.map(({ section }) => section))].join(', '),
    remedy: isNaming
      ? 'These tests name identifiers of the mock themselves. Take them from mock.target or AGENT_CONTRACT_AGENT_ID.'
      : 'Let the client accept every choice, or agree on one with those who run the server.',
    tests: failed,
    again: `${some.map(({ flag }) => flag).join(' ')} -- <test command>`,
    accepted: (isNaming && HINT) || undefined,
  };
}

/** The tests that ask for agents of the first run although the identifiers differ: by names in their own text. */
function namingTests({ exchanges, testOf }: FirstRun, after: readonly MetExchange[]): ReadonlySet<string | undefined> {
  // Who asks for an agent that is not there names none.
  const known = new Set(exchanges.filter(({ status }) => (status ?? 500) < 300).map(agentIdIn));
  return new Set(after.filter((one) => agentIdIn(one) !== '' && known.has(agentIdIn(one))).map(testOf));
}
