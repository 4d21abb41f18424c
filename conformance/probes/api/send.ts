import type { EndpointId } from '../../../spec/index.ts';
import { TransportError } from '../../../http/explain-failure.ts';
import type { HttpAnswer, HttpRequest } from '../../../http/exchange.ts';
import { withDeadline } from '../../http/deadline.ts';
import { isEntitled, type Answered, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { holdsTooMuch, MAX_VALUES } from '../../http/read-body.ts';
import type { RunOptions } from '../../run-options.ts';
import { show } from '../../show.ts';
import { CannotProbe, UnansweredProbe } from '../cannot-probe.ts';
import { createAnswerReader } from './answer.ts';
import type { Forms } from './forms.ts';
import { createPauses, type ApiStatistics } from './pauses.ts';
import type { Common, ComposedRequest } from './request.ts';

type Needed = Required<Pick<RunOptions, 'transport' | 'timeoutMs' | 'sleep'>>;

export interface ApiOptions extends Common, Needed, Pick<RunOptions, 'rps' | 'concurrency' | 'maxTimeMs' | 'signal'> {
  /** Our clock, in epoch milliseconds. Default: the system clock. */
  readonly clock?: () => number;
  /** Hears every exchange in the order of completion, with the whole body of its answer. */
  readonly onExchange: (exchange: Exchange, body?: Uint8Array) => void;
  /** How requests go out. Default: as most clients send them. */
  readonly forms?: Forms;
  /** Closes the connections that are open, and from now on keeps none, or keeps them again. */
  readonly keep?: (isKept: boolean) => Promise<void>;
}

/** After this many missing answers in a row from one endpoint, it is asked no more; nor is any, if none ever answered. */
const PATIENCE = 3;
/** The share of the time for a request after silence, and for each one to an endpoint that was silent twice. */
const SHORTER = 0.3;
const [LEAST_AGAIN_MS, AGAIN_FACTOR, TWICE] = [500, 5, 2];
/** Where so many others were answered, each in this share of the time that silence took, silence ends sooner. */
const [MANY_ANSWERS, FAR_QUICKER, SOONER] = [20, 0.1, 0.65];
/** With less time left than this, no request is sent. */
const SHORTEST_MS = 5;

/** A server may refuse a body whose length it does not know (RFC 9110, 15.5.12). Then it is sent with its length. */
export const isLengthRequired = ({ wire: { form } }: ComposedRequest, status: number): boolean =>
  status === 411 && form?.body === 'chunked';

/** What sends requests, and what it remembers of them. */
export type Sender = ReturnType<typeof senderOf>;

export function senderOf(options: ApiOptions) {
  const { maxTimeMs = Infinity } = options;
  const startedAt = performance.now();
  const timeLeft = (): number => maxTimeMs - (performance.now() - startedAt);
  const statistics: ApiStatistics = { requests: 0, answers: 0, begun: 0, limited: [] };
  return {
    ...options,
    pauses: createPauses(options, timeLeft, statistics),
    readAnswer: createAnswerReader(),
    timeLeft,
    statistics,
    /** The last number that was given to a request that was sent, or to an exchange that was complete. */
    ticks: 0,
    settled: [] as ComposedRequest[],
    /** Of each endpoint, the last request that was served, and that changes nothing. */
    served: new Map<EndpointId, ComposedRequest>(),
    /** When the last of those that were served was sent. */
    servedAt: -1,
    /** Until the target is known to be there; how long that was waited for, and how often it was suspected in vain. */
    outage: undefined as Promise<unknown> | undefined,
    waitedMs: 0,
    suspected: 0,
    /** When the last outage was over, or fewer were sent at once; how often a lost request was answered once it was alone. */
    calmAt: 0,
    strikes: 0,
    /** How many requests were sent again, were refused again, and were sent in the usual form too. */
    again: 0,
    refused: 0,
    inUsualForm: 0,
    /** The most requests of all rounds until now, and what is kept of them: for the phase, and for later ones. */
    most: Infinity,
    kept: { until: 0, later: 0 },
    /** The milliseconds that the slowest answer took. */
    slowest: 0,
    /** How many requests of each endpoint in a row were never answered; one that was silent each time counts as often. */
    missing: new Map<EndpointId, number>(),
    /** How often each endpoint was silent, since it last answered a caller who has access. */
    silent: new Map<EndpointId, number>(),
  };
}

/** Whether one may be sent that was not planned. Those that failed each time are to be sent once more, late. */
export const hasSpare = ({ most, kept: { until, later }, settled, statistics: { requests } }: Sender): boolean =>
  Math.max(requests, until) + later + settled.length < most;

/** Sends a request once. @throws UnansweredProbe if no complete answer comes */
export async function send(sender: Sender, request: ComposedRequest, attempt: number): Promise<Answered> {
  const { wire, about } = request;
  const { missing, readAnswer, onExchange, clock = Date.now, silent, statistics } = sender;
  const { endpoint } = about;
  mayGoOn(sender);
  const all = statistics.answers === 0 ? [...missing.values()] : [missing.get(endpoint) ?? 0];
  const why = `No further request was made after ${PATIENCE} without an answer: ${statistics.lastFailure ?? ''}`;
  if (all.reduce((sum, n) => sum + n, 0) >= PATIENCE) throw new CannotProbe(why);
  const [begun, sentAt, began] = [++sender.ticks, clock(), performance.now()];
  const completed = (excerpt: Omit<Excerpt, 'request' | 'durationMs'>): Exchange => ({
    ...about,
    begun,
    sentAt,
    n: ++sender.ticks,
    answeredAt: clock(),
    excerpt: { request: wire, durationMs: performance.now() - began, ...excerpt },
  });
  const came = await received(sender, wire, timeFor(sender, endpoint, attempt));
  if (came instanceof TransportError) {
    if (came.failure === 'timeout') silent.set(endpoint, (silent.get(endpoint) ?? 0) + 1);
    statistics.lastFailure = came.message;
    if (came.begun) statistics.begun++;
    const failed = completed({
      failure: came.message,
      ...came.begun,
      isTooLarge: came.failure === 'too-large' || undefined,
    });
    onExchange(failed);
    throw new UnansweredProbe(came.message, failed);
  }
  missing.delete(endpoint);
  statistics.answers++;
  if (isEntitled(about.caller)) silent.delete(endpoint);
  sender.slowest = Math.max(sender.slowest, performance.now() - began);
  const answer = readAnswer(endpoint, came);
  const { status, headers, text } = answer;
  const open = about.open || isLengthRequired(request, status);
  if (answer.accepted) sender.servedAt = Math.max(sender.servedAt, begun);
  const answered: Answered = { ...completed({ status, headers, body: text }), open, answer };
  if (answer.accepted && !open && about.caller === 'valid' && wire.method === 'GET')
    sender.served.set(endpoint, request);
  onExchange(answered, came.body);
  return answered;
}

/** @throws CannotProbe if the run is over, or has given up on the target. */
function mayGoOn({ signal, timeLeft, statistics, most }: Sender): void {
  if (signal?.aborted === true) throw new CannotProbe('The run was stopped.');
  if (timeLeft() < SHORTEST_MS) throw new CannotProbe('The time for the run was over.');
  if (statistics.givenUp !== undefined) throw new CannotProbe(statistics.givenUp);
  if (statistics.requests < most) return;
  statistics.spent = `The run sent the ${most} requests that it sends at most.`;
  throw new CannotProbe(statistics.spent, '--only for fewer checks, which need fewer requests');
}

function timeFor({ timeoutMs, timeLeft, slowest, silent }: Sender, endpoint: EndpointId, attempt: number): number {
  const isShorter = attempt > 0 || (silent.get(endpoint) ?? 0) >= TWICE;
  if (isShorter) return Math.min(timeoutMs * SHORTER, Math.max(LEAST_AGAIN_MS, AGAIN_FACTOR * slowest), timeLeft());
  // The transport has its own time limit; this one is for transports without one.
  return Math.min(timeoutMs * 1.5, timeLeft());
}

async function received(sender: Sender, request: HttpRequest, ms: number): Promise<HttpAnswer | TransportError> {
  const { transport, signal, statistics } = sender;
  statistics.requests++;
  const late = (after: number): string => `No complete answer arrived within ${Math.round(after)} ms.`;
  const soon = Math.min(ms, sender.timeoutMs * SOONER);
  const sooner = {
    ms: soon,
    late: late(soon),
    isInVain() {
      return statistics.answers >= MANY_ANSWERS && sender.slowest < soon * FAR_QUICKER;
    },
  };
  try {
    const answer = await withDeadline(ms, late(ms), signal, (stop) => transport(request, stop), sooner);
    if (holdsTooMuch(answer.body))
      return new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`);
    return answer;
  } catch (error) {
    if (error instanceof TransportError) return error;
    return new TransportError('other', show(String(error)));
  }
}
