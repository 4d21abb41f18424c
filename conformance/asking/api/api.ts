import { setMaxListeners } from 'node:events';
import type { EndpointId } from '../../../spec/index.ts';
import type { Answered, Exchange, Kept } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { MAX_VALUES, beginning, createReader, holdsTooMuch } from '../../http/read-body.ts';
import { TransportError, type Transport, type WireRequest, type WireResponse } from '../../http/transport.ts';
import { show } from '../../show.ts';
import { CannotAsk, NoAnswer } from '../cannot-ask.ts';
import { answerOf } from './answer.ts';
import { withDeadline } from './deadline.ts';
import { createPatience } from './patience.ts';
import { createPauses } from './pauses.ts';
import { compose, type Asked, type CallParameters, type Common } from './request.ts';

/** Calls endpoints of the target, within the limits that user and target set. */
export interface Api {
  /** Whether the target runs on this machine, so that a large request is no burden. */
  readonly isLoopback: boolean;
  /**
   * @throws NoAnswer if no complete answer arrives; CannotAsk if the target keeps answering 429 or 503, or if no
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
  /** How many answers had the status 429 or 503. */
  readonly limited: readonly number[];
  /** Why the last request got no answer. */
  readonly lastFailure: string | undefined;
  /** Why the run sends no more requests, once it gave up on the target. */
  readonly givenUp: string | undefined;
}

export interface ApiOptions extends Common {
  readonly transport: Transport;
  /** Requests per second. Default: no limit. */
  readonly rps: number | undefined;
  readonly timeoutMs: number;
  /** Milliseconds that the run may take. */
  readonly maxTimeMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  /** Our clock, in epoch milliseconds. Default: the system clock. */
  readonly clock?: () => number;
  /** Called with every exchange. */
  readonly history: History;
}

/** With less time left than this, no request is sent. */
const SHORTEST_MS = 5;

export function createApi(options: ApiOptions): Api {
  const { signal, history } = options;
  // Every request in flight listens to this signal, and their number is not limited.
  if (signal) setMaxListeners(Infinity, signal);
  const startedAt = performance.now();
  const timeLeft = (): number => (options.maxTimeMs ?? Infinity) - (performance.now() - startedAt);
  const patience = createPatience();
  const pauses = createPauses({ rps: options.rps, sleep: options.sleep, signal, timeLeft });
  const readBody = createReader();
  const clock = options.clock ?? Date.now;
  let requests = 0;
  let accepted = 0;

  const mayGoOn = (): void => {
    if (signal?.aborted === true) throw new CannotAsk('The run was stopped.');
    if (timeLeft() < SHORTEST_MS) throw new CannotAsk('The time for the run was over.');
    if (patience.givenUp !== undefined) throw new CannotAsk(patience.givenUp);
  };

  const received = (request: WireRequest): Promise<WireResponse | TransportError> => {
    requests++;
    // The transport has its own time limit; this one is for transports without one.
    return receive(withDeadline(options.transport, request, Math.min(options.timeoutMs * 1.5, timeLeft()), signal));
  };

  async function exchange({ wire, about }: Asked): Promise<Answered> {
    const { endpoint } = about;
    mayGoOn();
    const refusal = patience.refusalFor(endpoint);
    if (refusal !== undefined) throw new CannotAsk(refusal);
    await pauses.turn();
    mayGoOn();
    const [begun, sentAt, began] = [history.tick(), clock(), performance.now()];
    const completed = (kept: Omit<Kept, 'request' | 'durationMs'>): Exchange => ({
      ...about,
      begun,
      sentAt,
      n: history.tick(),
      answeredAt: clock(),
      kept: { request: wire, durationMs: performance.now() - began, ...kept },
    });
    const came = await received(wire);
    if (came instanceof TransportError) {
      patience.missed(endpoint, came);
      const failed = completed({ failure: came.message });
      history.append(failed);
      throw new NoAnswer(came.message, failed);
    }
    patience.answered(endpoint);
    const { status, headers, body } = came;
    const text = beginning(body);
    const answer = answerOf(endpoint, { status, headers, text, read: readBody(body) });
    if (answer.accepted) accepted++;
    const answered: Answered = { ...completed({ status, headers, body: text }), answer };
    history.append(answered, body);
    return answered;
  }

  return {
    isLoopback: isLoopback(options.baseUrl),
    async call(endpoint, parameters = {}) {
      const asked = compose(endpoint, parameters, options);
      return pauses.patiently(() => exchange(asked));
    },
    statistics: {
      get requests() {
        return requests;
      },
      get accepted() {
        return accepted;
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

async function receive(sent: Promise<WireResponse>): Promise<WireResponse | TransportError> {
  try {
    const wire = await sent;
    return holdsTooMuch(wire.body)
      ? new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`)
      : wire;
  } catch (error) {
    return error instanceof TransportError ? error : new TransportError('other', show(String(error)));
  }
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
