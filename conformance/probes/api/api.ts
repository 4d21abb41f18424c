import { setMaxListeners } from 'node:events';
import type { EndpointId } from '../../../spec/index.ts';
import type { Answer, Answered, Exchange, Excerpt } from '../../http/exchange.ts';
import type { History } from '../../history/history.ts';
import { withDeadline } from '../../http/deadline.ts';
import { MAX_VALUES, holdsTooMuch } from '../../http/read-body.ts';
import { TransportError } from '../../../http/explain-failure.ts';
import type { Transport, HttpRequest, HttpAnswer } from '../../../http/exchange.ts';
import { show } from '../../show.ts';
import { CannotProbe, UnansweredProbe } from '../cannot-probe.ts';
import { createAnswerReader } from './answer.ts';
import { createPatience, type ApiStatistics, type Patience } from './patience.ts';
import { createPauses, type Pauses } from './pauses.ts';
import { compose, type CallParameters, type Common, type ComposedRequest } from './request.ts';

/** Calls endpoints of the target, within the limits that user and target set. */
export interface TargetApi {
  /** Whether the target runs on this machine, so that a large request is no burden. */
  readonly isLoopback: boolean;
  /**
   * @throws UnansweredProbe if no complete answer arrives; CannotProbe if the target keeps answering 429 or 503, or if no
   * request can be made (no token, read-only, out of time).
   */
  call(endpoint: EndpointId, parameters?: CallParameters): Promise<Answered>;
  readonly statistics: Readonly<ApiStatistics>;
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
interface Sender extends ApiOptions {
  readonly patience: Patience;
  readonly pauses: Pauses;
  readonly readAnswer: (endpoint: EndpointId, came: HttpAnswer) => Answer;
  readonly timeLeft: () => number;
  readonly statistics: ApiStatistics;
}

export function createTargetApi(options: ApiOptions): TargetApi {
  const { signal, maxTimeMs = Infinity } = options;
  // Every request in flight listens to this signal, and their number is not limited.
  if (signal) setMaxListeners(Infinity, signal);
  const startedAt = performance.now();
  const timeLeft = (): number => maxTimeMs - (performance.now() - startedAt);
  const statistics: ApiStatistics = { requests: 0, answers: 0, limited: [] };
  const patience = createPatience(statistics);
  const pauses = createPauses({ ...options, timeLeft, limited: statistics.limited });
  const sender = { ...options, patience, pauses, readAnswer: createAnswerReader(), timeLeft, statistics };
  const { hostname } = new URL(options.baseUrl);
  return {
    isLoopback: /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname),
    async call(endpoint, parameters = {}) {
      const request = compose(endpoint, parameters, options);
      return pauses.patiently(() => exchange(sender, request));
    },
    statistics,
  };
}

/** Sends one request when it is its turn, and appends the exchange to the history. */
async function exchange(sender: Sender, { wire, about }: ComposedRequest): Promise<Answered> {
  const { patience, pauses, readAnswer, history, clock = Date.now } = sender;
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
  const { status, headers, text } = answer;
  const answered: Answered = { ...completed({ status, headers, body: text }), answer };
  history.append(answered, came.body);
  return answered;
}

/** @throws CannotProbe if the run is over, or has given up on the target. */
function mayGoOn({ signal, timeLeft, statistics }: Sender): void {
  if (signal?.aborted === true) throw new CannotProbe('The run was stopped.');
  if (timeLeft() < SHORTEST_MS) throw new CannotProbe('The time for the run was over.');
  if (statistics.givenUp !== undefined) throw new CannotProbe(statistics.givenUp);
}

async function received(sender: Sender, request: HttpRequest): Promise<HttpAnswer | TransportError> {
  const { transport, timeoutMs, signal, timeLeft, statistics } = sender;
  statistics.requests++;
  // The transport has its own time limit; this one is for transports without one.
  const ms = Math.min(timeoutMs * 1.5, timeLeft());
  const late = `No complete answer arrived within ${Math.round(ms)} ms.`;
  try {
    const answer = await withDeadline(ms, late, signal, (stop) => transport(request, stop));
    if (holdsTooMuch(answer.body))
      return new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`);
    return answer;
  } catch (error) {
    if (error instanceof TransportError) return error;
    return new TransportError('other', show(String(error)));
  }
}
