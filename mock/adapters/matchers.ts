import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { isObject } from '../../text/json.ts';
import { doubtAfter } from '../journal/journal.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import type { RequestPattern } from '../generated/patterns.ts';
import { mismatches, partNames, partsOf } from '../journal/request-pattern.ts';
import type { Session } from '../session/session.ts';

/** What a request must match besides its endpoint. */
export interface ReceivedPattern extends Omit<RequestPattern, 'endpoint' | 'body'> {
  /** JSON that the body must contain, optionally with asymmetric matchers; arrays must be as long. */
  readonly body?: unknown;
}

/** The matchers that `expect` of Jest and Vitest has after it is extended. */
export interface ReceivedMatchers<R> {
  /** The mock, or the session, has received such a request. */
  toHaveReceived(endpoint: EndpointId, pattern?: ReceivedPattern): R;
  /** It has received exactly this many such requests. */
  toHaveReceivedTimes(times: number, endpoint: EndpointId, pattern?: ReceivedPattern): R;
  /** Every step of every plan has answered its requests. */
  toHaveFinishedPlans(): R;
}

declare global {
  // Extends the types of Jest if @types/jest is installed; those of Vitest extend them too.
  namespace jest {
    // oxlint-disable-next-line typescript/no-unused-vars -- the parameters must be those of Jest
    interface Matchers<R, T = {}> extends ReceivedMatchers<R> {}
  }
}

// The types of Jest without globals. The package may be missing.
/** @ts-ignore */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ReceivedMatchers<R> {}
}

/** The result of a matcher, as Jest, Vitest and Playwright Test expect it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Something with a journal and plans: a mock, or one of its sessions. */
export type Recorder = Pick<Session, 'journal' | 'plans'>;

/** What Jest, Vitest and Playwright Test pass to a matcher. */
interface MatcherContext {
  readonly isNot: boolean;
  readonly equals: (received: unknown, expected: unknown, testers: readonly unknown[]) => boolean;
  readonly utils: {
    /** Lets an object hold more than what is expected. */
    readonly subsetEquality: unknown;
    readonly diff: (expected: unknown, received: unknown) => string | null | undefined;
    readonly stringify: (value: unknown) => string;
  };
}

const MOST_SHOWN = 10;

/**
 * Matchers for what a mock has received: `expect.extend(matchers)`. If the journal has dropped something that could
 * decide, they fail with and without `.not`, and say what was dropped.
 * @throws TypeError, from each, for something that is not a mock, an unknown endpoint, or a pattern with an unknown
 * part.
 */
export const matchers = {
  toHaveReceived(this: unknown, mock: Recorder, endpoint: EndpointId, pattern: ReceivedPattern = {}): MatcherResult {
    const { isNot, wanted, matching, received, unknown } = search(this, mock, endpoint, pattern);
    const expected = `Expected the mock ${isNot ? 'not ' : ''}to have received ${wanted}.\n\n`;
    if (matching.length > 0) return outcome(true, expected + list('It received', matching));
    return outcome(isNot && unknown !== undefined, expected + received() + doubt(unknown));
  },
  toHaveReceivedTimes(
    this: unknown,
    mock: Recorder,
    times: number,
    endpoint: EndpointId,
    pattern: ReceivedPattern = {},
  ): MatcherResult {
    const { isNot, wanted, matching, received, unknown } = search(this, mock, endpoint, pattern);
    // Dropped requests can only add to the remaining ones.
    const isOpen = unknown !== undefined && matching.length <= times;
    const was = isNot ? '' : `; it was received ${often(matching.length)}`;
    const expected = `Expected the mock ${isNot ? 'not ' : ''}to have received ${wanted} ${often(times)}${was}.`;
    const requests = matching.length > 0 ? list('These are', matching) : received();
    if (isOpen) return outcome(isNot, `${expected}\n\n${requests}${doubt(unknown)}`);
    return outcome(matching.length === times, `${expected}\n\n${requests}`);
  },
  toHaveFinishedPlans(mock: Recorder): MatcherResult {
    const plans = asReceiver(mock).plans.list();
    const open = plans.filter(({ isComplete }) => !isComplete);
    const lines = open.map(({ id, on, steps, met, remaining }) => {
      const taken = steps.map((step, i) => `${JSON.stringify(step)} (met ${often(met[i]?.length ?? 0)})`);
      return `  ${id} on ${on}: ${remaining} to come, of ${taken.join(', ')}`;
    });
    const finished = plans.length === 0 ? 'it has none' : 'all of them are finished';
    if (open.length === 0) return outcome(true, `Expected plans of the mock to be unfinished; ${finished}.`);
    return outcome(false, `Expected all plans of the mock to be finished.\n\n${lines.join('\n')}`);
  },
};

function outcome(pass: boolean, text: string): MatcherResult {
  return { pass, message: () => text };
}

function doubt(unknown: string | undefined): string {
  if (unknown === undefined) return '';
  return `\n\nThe journal does not hold everything that the mock received: ${unknown}`;
}

function asReceiver(value: unknown): Recorder {
  const isReceiver = typeof value === 'object' && value !== null && 'journal' in value && 'plans' in value;
  if (isReceiver) return value as Recorder;
  throw new TypeError(`This matcher takes a mock or one of its sessions, not ${JSON.stringify(value)}.`);
}

type WholePattern = ReceivedPattern & { readonly endpoint: EndpointId };

/** Looks in the journal. `received` also shows the request that nearly matches; `unknown` says what was dropped. */
function search(context: unknown, mock: unknown, endpoint: EndpointId, pattern: ReceivedPattern) {
  const { journal } = asReceiver(mock);
  const others = `${didYouMean(endpoint, endpointIds)} There are ${endpointIds.join(', ')}.`;
  if (!endpointIds.includes(endpoint))
    throw new TypeError(`There is no endpoint ${JSON.stringify(endpoint)}.${others}`);
  const known: readonly string[] = partNames.filter((name) => name !== 'endpoint');
  const wrong = Object.keys(pattern).find((name) => !known.includes(name));
  const parts = `${didYouMean(wrong, known)} It has ${known.join(', ')}.`;
  if (wrong !== undefined) throw new TypeError(`A pattern has no part ${JSON.stringify(wrong)}.${parts}`);
  const { isNot, utils } = context as MatcherContext;
  const whole = { ...pattern, endpoint };
  const entries = journal.entries();
  return {
    isNot,
    wanted: Object.keys(pattern).length === 0 ? endpoint : `${endpoint} with ${utils.stringify(pattern)}`,
    received: () => list('It received', entries) + nearest(context, entries, whole),
    matching: entries.filter((entry) => differingParts(context, entry, whole).length === 0),
    unknown: doubtAfter(journal.dropped(pattern.after)),
  };
}

function differingParts(context: unknown, entry: JournalEntry, { body, ...rest }: WholePattern): readonly string[] {
  const { equals, utils } = context as MatcherContext;
  const others: readonly string[] = mismatches(entry, rest);
  if (body === undefined || equals(entry.body, body, [utils.subsetEquality])) return others;
  return [...others, 'body'];
}

/** The request that differs least, and how; one to another endpoint is farther away than any to the same endpoint. */
function nearest(context: unknown, entries: readonly JournalEntry[], pattern: WholePattern): string {
  const [best] = entries
    .map((entry) => ({ entry, parts: differingParts(context, entry, pattern) }))
    .map((one) => ({ ...one, distance: one.parts.length + 1000 * Number(one.parts.includes('endpoint')) }))
    .toSorted((one, other) => one.distance - other.distance || other.entry.id - one.entry.id);
  if (!best) return '';
  const { entry, parts } = best;
  const { headers = {}, ...rest } = pattern;
  // The journal holds the names of headers in lower case.
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const wanted = Object.entries({ ...rest, headers: named }).filter(([part]) => parts.includes(part));
  const expected = Object.fromEntries(wanted);
  const difference = (context as MatcherContext).utils.diff(expected, asFarAs(expected, partsOf(entry)));
  return `\n\nThe nearest is number ${entry.id}, which differs:\n${difference ?? ''}`;
}

function asFarAs(expected: unknown, value: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(value)) return value.map((item, i) => asFarAs(expected[i], item));
  if (!isObject(expected) || !isObject(value) || 'asymmetricMatch' in expected) return value;
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(expected, name));
  return Object.fromEntries(members.map(([name, member]) => [name, asFarAs(expected[name], member)]));
}

function often(times: number): string {
  return ['never', 'once'][times] ?? `${times} times`;
}

function list(lead: string, entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return `${lead} no request.`;
  const shown = entries.slice(-MOST_SHOWN).map(({ id, method, url, response, endpoint }) => {
    const answer = response.delivery?.connection ?? response.status;
    return `  ${id}. ${method} ${url} -> ${answer} (${endpoint ?? 'no endpoint'})`;
  });
  if (entries.length > MOST_SHOWN) shown.unshift(`  ... ${entries.length - MOST_SHOWN} earlier`);
  return `${lead}:\n${shown.join('\n')}`;
}
