import { requirements, triggers, triggersOf, violationIds, violations } from '../spec/index.ts';
import type { TriggerId, ViolationId } from '../spec/index.ts';
import { templateOf, valueAt } from '../spec/json-pointer.ts';
import { readJson } from '../conformance/http/read-body.ts';
import { bodyBytes } from '../mock/wire/wire.ts';
import { abridged } from '../mock/wording/slips.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../text/json.ts';
import { visible } from '../text/visible.ts';
import { culprits } from './bisect.ts';
import { isWithin } from './needs.ts';
import type { FirstRun, Unit } from './first-run.ts';
import harms from './harm.json';
import { HINT, type ClientFinding, type FaultScore } from './report.ts';
import type { Trials } from './trials.ts';
import { oneByOne, type AnswerDifference } from './twins.ts';

/** A violation that changes answers which the tests met: always, or under a trigger. */
type ReachedFault = ReturnType<typeof reached>;

function reached({ differencesOfUnits, unitOf }: FirstRun, violation: ViolationId, trigger?: TriggerId) {
  /** `results-ascending`, `results-ascending@later-pages` */
  const id = [violation, trigger].filter(Boolean).join('@');
  /** The answers that differ. */
  const shows = differencesOfUnits({ faults: [id] }, violations[violation].at).filter(differs);
  return { id, violation, trigger, shows, units: new Set(shows.map(({ exchange }) => unitOf(exchange))) };
}

/** Whether two answers say something different: the order of names in an object is open. */
function differs({ was, is }: AnswerDifference): boolean {
  if (was.status !== is.status || was.type !== is.type) return true;
  const [before, after] = [readJson(bodyBytes(was)), readJson(bodyBytes(is))];
  if (before.problem !== after.problem || before.flaw !== after.flaw) return true;
  return changes(before.json as Json, after.json as Json, '').next().done !== true;
}

/** Of each violation the trigger under which the fewest answers differ, and fewer than always. */
async function mostSeldom(always: readonly ReachedFault[], first: FirstRun): Promise<readonly ReachedFault[]> {
  const seldom = await oneByOne(always, ({ violation, shows }) => {
    const some = triggersOf(violation)
      .filter((trigger) => triggers[trigger].isByChance !== true)
      .map((trigger) => reached(first, violation, trigger))
      .filter((one) => one.shows.length > 0 && one.shows.length < shows.length);
    return some.toSorted((a, b) => a.shows.length - b.shows.length).slice(0, 1);
  });
  return seldom.flat();
}

/**
 * Runs the tests under each violation that they reach, and under what they notice once more, so that it seldom shows. A sample
 * takes some from each degree of harm, and always.
 */
export async function judgeFaults(first: FirstRun, trials: Trials, sample: number | undefined) {
  // A test that fails as it is notices nothing.
  const canTell = ({ tests }: Unit): boolean => tests.some((name) => trials.steady.includes(name));
  const every = await oneByOne(violationIds, (violation) => reached(first, violation));
  const all = every
    .filter(({ units }) => [...units].some(canTell))
    .toSorted((a, b) => harmOf(b.violation).harm - harmOf(a.violation).harm);
  const step = Math.max(1, all.length / (sample ?? all.length));
  const chosen = all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const always = await tryEach(chosen, trials);
  const tried = new Set([...always.noticed, ...always.unnoticed]);
  const seldom = await tryEach(sample ? [] : await mostSeldom(always.noticed, first), trials);
  const score: FaultScore = {
    noticed: always.noticed.map(({ violation }) => violation),
    unnoticed: always.unnoticed.map(({ violation }) => violation),
    unreached: violationIds.filter((id) => !all.some(({ violation }) => violation === id)),
    untried: all.filter((one) => !tried.has(one)).map(({ violation }) => violation),
    seldom: { noticed: seldom.noticed.map(({ id }) => id), unnoticed: seldom.unnoticed.map(({ id }) => id) },
  };
  /** `unread` has the fields without which no test fails: `get-agent:/agent/icon`. */
  const findings = (unread: ReadonlySet<string>) =>
    [always.unnoticed, seldom.unnoticed].flatMap((some) =>
      // What no test needs comes last.
      some.map((one) => findingOf(one, first, unread)).toSorted((a, b) => Number(a.isUnread) - Number(b.isUnread)),
    );
  return { findings, score };
}

/** Trials after which it shows whether the tests of a unit mostly notice nothing. */
const SINGLE = 6;
/** Faults that are committed together where most go unnoticed. */
const GROUP = 4;

/** Tries each fault with one unit after the other until one notices it. */
async function tryEach(faults: readonly ReachedFault[], { run, width }: Trials) {
  const noticed = new Set<ReachedFault>();
  /** What some unit tries just now: it may notice it, and spare the others. */
  const underWay = new Set<ReachedFault>();
  const blind = new Map(faults.map((one) => [one, new Set<Unit>()]));
  const judge = (unit: Unit): Promise<unknown> => {
    const waiting = faults.filter((one) => one.units.has(unit));
    let [red, all] = [0, 0];
    const isRed = async (some: readonly ReachedFault[]): Promise<boolean | undefined> => {
      const trial = await run({ faults: some.map(({ id }) => id) }, unit);
      if (trial === undefined) return undefined;
      const isNoticed = trial.failed.length > 0;
      for (const one of some)
        if (!isNoticed) blind.get(one)?.add(unit);
        else if (some.length === 1) noticed.add(one);
      return isNoticed;
    };
    const hunt = async (): Promise<void> => {
      const late: unknown[] = [];
      while (late.length === 0) {
        const open = waiting.filter((one) => !noticed.has(one));
        const free = open.filter((one) => !underWay.has(one));
        const isMostlyBlind = all >= SINGLE && red * 4 < all;
        const group = takeApart(free.length > 0 ? free : open, isMostlyBlind ? GROUP : 1);
        if (group.length === 0) break;
        for (const one of group) {
          waiting.splice(waiting.indexOf(one), 1);
          underWay.add(one);
        }
        await culprits(group, isRed, (rest) => late.push(...rest));
        for (const one of group) underWay.delete(one);
        all += group.length;
        red += group.filter((one) => noticed.has(one)).length;
      }
    };
    return Promise.all(Array.from({ length: width }, hunt));
  };
  await Promise.all(Array.from(new Set(faults.flatMap((one) => [...one.units])), judge));
  return {
    noticed: faults.filter((one) => noticed.has(one)),
    unnoticed: faults.filter((one) => !noticed.has(one) && blind.get(one)?.size === one.units.size),
  };
}

/** Faults that share no endpoint, so that one does not hide another. */
function takeApart(waiting: readonly ReachedFault[], most: number): readonly ReachedFault[] {
  const taken: ReachedFault[] = [];
  for (const one of waiting) {
    const at = violations[one.violation].at;
    const isApart = taken.every(({ violation }) => !violations[violation].at.some((endpoint) => at.includes(endpoint)));
    if (isApart && taken.length < most) taken.push(one);
  }
  return taken;
}

function findingOf(
  { id, violation, trigger, shows }: ReachedFault,
  { testsOf }: FirstRun,
  unread: ReadonlySet<string>,
) {
  const { does, breaks } = violations[violation];
  const { harm, says } = harmOf(violation);
  const isUnread = shows.every((one) => differsIn(one, unread));
  const [shown] = shows;
  const tests = testsOf(shows.map(({ exchange }) => exchange));
  const [begin = 'a test that asks for this'] = tests.map((name) => `"${name}"`);
  const where = trigger && `Here only where ${triggers[trigger].when}. The tests notice it if it always happens.`;
  return {
    id: `faults:${id}`,
    aspect: 'faults',
    says: `No test notices${trigger ? ' if it is rare' : ''}: ${does}`,
    why: [where, says, shown && seenIn(shown), isUnread && UNREAD].filter(Boolean).join(' '),
    section: requirements[breaks].section,
    remedy: `Begin with ${begin}: let it expect what is right there.`,
    tests,
    again: `--fault ${id} -- <test command>`,
    harm,
    isUnread,
    accepted: trigger && HINT,
  } satisfies ClientFinding;
}

/** How much harm a violation does to a user who nobody warns, from 5 to 1: by the first pattern that fits it. */
function harmOf(violation: ViolationId): { readonly harm: number; readonly says: string } {
  return harms.find(({ like }) => new RegExp(like).test(violation)) ?? { harm: 2, says: '' };
}

const UNREAD = 'No test needs a field that differs here: a client that does not read it takes no harm.';

/** Whether a reading differs in such fields alone. What is stored wrongly does harm to everybody. */
function differsIn({ exchange: { endpoint, request }, was, is }: AnswerDifference, some: ReadonlySet<string>) {
  const places = [...changesIn({ was, is })];
  if (request.method !== 'GET' || was.status !== is.status || places.length === 0) return false;
  return places.every((at) => isWithin(some, `${endpoint}:${templateOf(at)}`));
}

/** Where the answer differs from the right one, as a sentence. */
function seenIn({ exchange: { request }, was, is }: AnswerDifference): string {
  const target = request.target.replace(/(\?.{60}).*/s, '$1');
  const says = (what: string): string => visible(`${request.method} ${target}: ${what}.`);
  if (was.status !== is.status) return says(`status ${is.status} instead of ${was.status}`);
  const { problem, flaw = problem } = readJson(bodyBytes(is));
  if (flaw !== undefined) return says(flaw);
  const [at] = changesIn({ was, is });
  if (at === undefined) return says('other bytes');
  const [here, there] = [was, is].map(({ body }) => {
    const value = valueAt(parseJson(body) ?? null, at);
    return value === undefined ? 'nothing' : abridged(value, 60);
  });
  return says(`${at || 'the body'} is ${there} instead of ${here}`);
}

/** The places at which two answers say something different: an empty value may as well be left out. */
const changesIn = ({ was, is }: Pick<AnswerDifference, 'was' | 'is'>): Generator<string> =>
  changes(parseJson(was.body), parseJson(is.body), '');

function* changes(before: Json | undefined, after: Json | undefined, at: string): Generator<string> {
  const isPair = (isObject(before) && isObject(after)) || (Array.isArray(before) && Array.isArray(after));
  if (!isPair && before !== after && (before !== undefined || !/^(?:\[\]|\{\}|"")$/.test(JSON.stringify(after))))
    yield at;
  if (!isPair) return;
  const [one, other] = [before, after] as readonly JsonObject[];
  for (const key of Object.keys({ ...one, ...other })) yield* changes(one?.[key], other?.[key], `${at}/${key}`);
}
