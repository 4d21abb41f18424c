import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { doubtAfter } from '../journal/journal.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import type { RequestPattern } from '../journal/request-pattern.ts';
import type { Session } from '../session/session.ts';
import { differences, isPart, partNames, asShortJson } from './differences.ts';

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
export type Receiver = Pick<Session, 'journal' | 'plans'>;

/** What Jest, Vitest and Playwright Test pass to a matcher. */
interface Context {
  /** Whether it was called with `.not`. */
  readonly isNot?: boolean;
}

const MOST_SHOWN = 10;

/**
 * Matchers for what a mock has received: `expect.extend(matchers)`. If the journal has dropped something that could
 * decide, they fail with and without `.not`, and say what was dropped.
 * @throws TypeError, from each, for something that is not a mock, an unknown endpoint, or a pattern with an unknown
 * part.
 */
export const matchers = {
  toHaveReceived(this: unknown, mock: Receiver, endpoint: EndpointId, pattern: ReceivedPattern = {}): MatcherResult {
    const { entries, matching, unknown } = find(mock, endpoint, pattern);
    const wanted = describe(endpoint, pattern);
    if (matching.length > 0)
      return {
        pass: true,
        message: () => `Expected the mock not to have received ${wanted}.\n\n${list('It received', matching)}`,
      };
    const without = isNot(this);
    return {
      pass: without && unknown !== undefined,
      message: () =>
        `Expected the mock ${without ? 'not ' : ''}to have received ${wanted}.\n\n` +
        `${received(entries, endpoint, pattern)}${doubt(unknown)}`,
    };
  },
  toHaveReceivedTimes(
    this: unknown,
    mock: Receiver,
    times: number,
    endpoint: EndpointId,
    pattern: ReceivedPattern = {},
  ): MatcherResult {
    const { entries, matching, unknown } = find(mock, endpoint, pattern);
    const wanted = describe(endpoint, pattern);
    const without = isNot(this);
    // Dropped requests can only add to the remaining ones.
    const isOpen = unknown !== undefined && matching.length <= times;
    return {
      pass: isOpen ? without : matching.length === times,
      message: () =>
        `Expected the mock ${without ? 'not ' : ''}to have received ${wanted} ${often(times)}` +
        `${without ? '' : `; it was received ${often(matching.length)}`}.\n\n` +
        (matching.length === 0 ? received(entries, endpoint, pattern) : list('These are', matching)) +
        doubt(isOpen ? unknown : undefined),
    };
  },
  toHaveFinishedPlans(mock: Receiver): MatcherResult {
    const plans = asReceiver(mock).plans.list();
    const open = plans.filter(({ isComplete }) => !isComplete);
    return {
      pass: open.length === 0,
      message: () =>
        open.length === 0
          ? `Expected plans of the mock to be unfinished; ${plans.length === 0 ? 'it has none' : 'all of them are finished'}.`
          : `Expected all plans of the mock to be finished.\n\n${open
              .map(
                ({ id, on, steps, met, remaining }) =>
                  `  ${id} on ${on}: ${remaining} to come, of ${steps
                    .map((step, i) => `${asShortJson(step)} (met ${often(met[i]?.length ?? 0)})`)
                    .join(', ')}`,
              )
              .join('\n')}`,
    };
  },
};

const isNot = (context: unknown): boolean =>
  typeof context === 'object' && context !== null && (context as Context).isNot === true;

const doubt = (unknown: string | undefined): string =>
  unknown === undefined ? '' : `\n\nThe journal does not hold everything that the mock received: ${unknown}`;

function asReceiver(value: unknown): Receiver {
  const isReceiver = typeof value === 'object' && value !== null && 'journal' in value && 'plans' in value;
  if (!isReceiver) throw new TypeError(`This matcher takes a mock or one of its sessions, not ${asShortJson(value)}.`);
  return value as Receiver;
}

function find(
  mock: unknown,
  endpoint: EndpointId,
  pattern: ReceivedPattern,
): {
  readonly entries: readonly JournalEntry[];
  readonly matching: readonly JournalEntry[];
  /** Says which dropped requests could match the pattern. */
  readonly unknown: string | undefined;
} {
  const { journal } = asReceiver(mock);
  if (!endpointIds.includes(endpoint))
    throw new TypeError(
      `There is no endpoint ${asShortJson(endpoint)}.${didYouMean(endpoint, endpointIds)} There are ${endpointIds.join(', ')}.`,
    );
  const unknown = Object.keys(pattern).find((name) => !isPart(name) || name === 'endpoint');
  if (unknown !== undefined)
    throw new TypeError(
      `A pattern has no part ${asShortJson(unknown)}.${didYouMean(unknown, partNames)} It has ${partNames.filter((name) => name !== 'endpoint').join(', ')}.`,
    );
  const entries = journal.entries();
  return {
    entries,
    matching: entries.filter((entry) => differences(entry, { ...pattern, endpoint }).length === 0),
    unknown: doubtAfter(journal.dropped(pattern.after)),
  };
}

const describe = (endpoint: EndpointId, pattern: ReceivedPattern): string =>
  Object.keys(pattern).length === 0 ? endpoint : `${endpoint} with ${asShortJson(pattern)}`;

const often = (times: number): string => (times === 1 ? 'once' : times === 0 ? 'never' : `${times} times`);

/** The requests that came instead, and how the nearest one differs. */
function received(entries: readonly JournalEntry[], endpoint: EndpointId, pattern: ReceivedPattern): string {
  const all = list('It received', entries);
  const nearest = entries
    .map((entry) => ({ entry, lines: differences(entry, { ...pattern, endpoint }) }))
    .reduce<{ readonly entry: JournalEntry; readonly lines: readonly string[] } | undefined>(
      (best, one) => (best === undefined || farness(one, endpoint) <= farness(best, endpoint) ? one : best),
      undefined,
    );
  if (!nearest) return all;
  const lines = nearest.lines.map((line) => `    ${line}`).join('\n');
  return `${all}\n\nThe nearest is number ${nearest.entry.id}, which differs in\n${lines}`;
}

/** A request to another endpoint is farther away than any to the same endpoint. */
const farness = (
  { entry, lines }: { readonly entry: JournalEntry; readonly lines: readonly string[] },
  endpoint: EndpointId,
): number => lines.length + (entry.endpoint === endpoint ? 0 : 1000);

function list(lead: string, entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return `${lead} no request.`;
  const shown = entries
    .slice(-MOST_SHOWN)
    .map(
      ({ id, method, url, response, endpoint }) =>
        `  ${id}. ${method} ${url} -> ${response.delivery?.connection ?? response.status} (${endpoint ?? 'no endpoint'})`,
    );
  const earlier = entries.length - shown.length;
  return [`${lead}:`, ...(earlier > 0 ? [`  ... ${earlier} earlier`] : []), ...shown].join('\n');
}
