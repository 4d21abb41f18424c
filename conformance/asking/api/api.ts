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

/** Calls endpoints of the target, politely and safely. */
export interface Api {
  /** Whether the target runs on this machine, so that a large request is no burden to anybody. */
  readonly isLoopback: boolean;
  /**
   * @throws NoAnswer where no complete answer arrived, CannotAsk where the target kept answering 429 or 503, or where
   * no request can be made (no token, read-only, out of time).
   */
  call(endpoint: EndpointId, parameters?: CallParameters): Promise<Answered>;
  readonly statistics: ApiStatistics;
}

export interface ApiStatistics {
  /** Requests sent, repetitions included. */
  readonly requests: number;
  readonly answers: number;
  readonly accepted: number;
  /** Statuses of 429 and 503 that were met. */
  readonly limited: readonly number[];
  /** Why the last request got no answer. */
  readonly lastFailure: string | undefined;
  /** Why no further request is sent, once the target was given up. */
  readonly givenUp: string | undefined;
}

export interface ApiOptions extends Common {
  readonly transport: Transport;
  /** Requests per second; unlimited unless given. */
  readonly rps: number | undefined;
  readonly timeoutMs: number;
  /** Milliseconds that the run may take. */
  readonly maxTimeMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  /** Our clock, in epoch milliseconds. Default: the system's. */
  readonly clock?: () => number;
  /** Hears of every exchange. */
  readonly history: History;
}

/** In less time than this no request is begun. */
const SHORTEST_MS = 5;

export function createApi(options: ApiOptions): Api {
  const { signal, history } = options;
  // Every request under way listens to it, and there may be any number of them.
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
    // The transport has a time limit of its own; this one is for transports that have none.
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
