import { setMaxListeners } from 'node:events';
import type { EndpointId } from '../../../spec/index.ts';
import type { Answer, Answered, Exchange, Excerpt } from '../../http/exchange.ts';
import type { History } from '../../history/history.ts';
import { MAX_VALUES, holdsTooMuch } from '../../http/read-body.ts';
import { TransportError } from '../../../http/explain-failure.ts';
import type { Transport, HttpRequest, HttpAnswer } from '../../../http/exchange.ts';
import { show } from '../../show.ts';
import { CannotProbe, UnansweredProbe } from '../cannot-probe.ts';
import { createAnswerReader } from './answer.ts';
import { withDeadline } from './deadline.ts';
import { createPatience, type Patience } from './patience.ts';
import { createPauses, type Pauses } from './pauses.ts';
import { compose, type CallParameters, type Common, type ComposedRequest } from './request.ts';

/** Calls endpoints of the target, within the limits that user and target set. */
export interface TargetApi {
  /** Whether the target runs on this machine, so that a large request is no burden. */
  readonly isLoopback: boolean;
  /**
   * @throws NoAnswer if no complete answer arrives; CannotProbe if the target keeps answering 429 or 503, or if no
   * request can be made (no token, read-only, out of time).
   */
  call(endpoint: EndpointId, parameters?: CallParameters): Promise<Answered>;
  readonly statistics: ApiStatistics;
}

export interface ApiStatistics {
  /** Requests sent, retries included. */
  readonly requests: number;
  readonly answers: number;
  readonly accepted: number;
  /** The statuses of answers with 429 or 503. */
  readonly limited: readonly number[];
  /** Why the last request got no answer. */
  readonly lastFailure: string | undefined;
  /** Why the run sends no more requests, once it gave up on the target. */
  readonly givenUp: string | undefined;
}

export interface ApiOptions extends Common {
  readonly transport: Transport;
  /** Requests per second. Default: no limit. */
  readonly rps?: number | undefined;
  readonly timeoutMs: number;
  /** Milliseconds that the run may take. */
  readonly maxTimeMs: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  /** Our clock, in epoch milliseconds. Default: the system clock. */
  readonly clock?: () => number;
  /** Called with every exchange. */
  readonly history: History;
}

/** With less time left than this, no request is sent. */
const SHORTEST_MS = 5;

/** What one run sends with. */
interface Sender {
  readonly options: ApiOptions;
  readonly patience: Patience;
  readonly pauses: Pauses;
  readonly readAnswer: (endpoint: EndpointId, came: HttpAnswer) => Answer;
  readonly clock: () => number;
  readonly timeLeft: () => number;
  requests: number;
  accepted: number;
}

export function createTargetApi(options: ApiOptions): TargetApi {
  const { rps, sleep, signal, maxTimeMs = Infinity, clock = Date.now } = options;
  // Every request in flight listens to this signal, and their number is not limited.
  if (signal) setMaxListeners(Infinity, signal);
  const startedAt = performance.now();
  const timeLeft = (): number => maxTimeMs - (performance.now() - startedAt);
  const patience = createPatience();
  const pauses = createPauses({ rps, sleep, signal, timeLeft });
  const sender: Sender = {
    options,
    patience,
    pauses,
    readAnswer: createAnswerReader(),
    clock,
    timeLeft,
    requests: 0,
    accepted: 0,
  };
  return {
    isLoopback: isLoopback(options.baseUrl),
    async call(endpoint, parameters = {}) {
      const request = compose(endpoint, parameters, options);
      return pauses.patiently(() => exchange(sender, request));
    },
    statistics: {
      get requests() {
        return sender.requests;
      },
      get accepted() {
        return sender.accepted;
      },
      get answers() {
        return patience.answers;
      },
      get lastFailure() {
        return patience.lastFailure;
      },
      get givenUp() {
        return patience.givenUp;
      },
      limited: pauses.limited,
    },
  };
}

/** Sends one request when it is its turn, and appends the exchange to the history. */
async function exchange(sender: Sender, { wire, about }: ComposedRequest): Promise<Answered> {
  const { options, patience, pauses, readAnswer, clock } = sender;
  const { history } = options;
  const { endpoint } = about;
  mayGoOn(sender);
  const refusal = patience.refusalFor(endpoint);
  if (refusal !== undefined) throw new CannotProbe(refusal);
  await pauses.turn();
  mayGoOn(sender);
  const [begun, sentAt, began] = [history.tick(), clock(), performance.now()];
  const completed = (excerpt: Omit<Excerpt, 'request' | 'durationMs'>): Exchange => ({
    ...about,
    begun,
    sentAt,
    n: history.tick(),
    answeredAt: clock(),
    excerpt: { request: wire, durationMs: performance.now() - began, ...excerpt },
  });
  const came = await received(sender, wire);
  if (came instanceof TransportError) {
    patience.missed(endpoint, came);
    const failed = completed({ failure: came.message });
    history.append(failed);
    throw new UnansweredProbe(came.message, failed);
  }
  patience.answered(endpoint);
  const answer = readAnswer(endpoint, came);
  const { status, headers, accepted, text } = answer;
  if (accepted) sender.accepted++;
  const answered: Answered = { ...completed({ status, headers, body: text }), answer };
  history.append(answered, came.body);
  return answered;
}

/** @throws CannotProbe if the run is over, or has given up on the target. */
function mayGoOn({ options: { signal }, timeLeft, patience }: Sender): void {
  if (signal?.aborted === true) throw new CannotProbe('The run was stopped.');
  if (timeLeft() < SHORTEST_MS) throw new CannotProbe('The time for the run was over.');
  if (patience.givenUp !== undefined) throw new CannotProbe(patience.givenUp);
}

function received(sender: Sender, request: HttpRequest): Promise<HttpAnswer | TransportError> {
  const { transport, timeoutMs, signal } = sender.options;
  sender.requests++;
  // The transport has its own time limit; this one is for transports without one.
  return receive(withDeadline(transport, request, Math.min(timeoutMs * 1.5, sender.timeLeft()), signal));
}

async function receive(sent: Promise<HttpAnswer>): Promise<HttpAnswer | TransportError> {
  try {
    const wire = await sent;
    if (holdsTooMuch(wire.body))
      return new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`);
    return wire;
  } catch (error) {
    if (error instanceof TransportError) return error;
    return new TransportError('other', show(String(error)));
  }
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
