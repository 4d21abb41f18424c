import { setMaxListeners } from 'node:events';
import { endpoints, type EndpointId } from '../spec/index.ts';
import type { Answer, Exchange } from './answer.ts';
import { createTargetClock } from './clock.ts';
import { CannotJudge, NoAnswer, count, show } from './expect.ts';
import { MAX_VALUES, beginning, createReader, holdsTooMuch } from './read-body.ts';
import { TransportError, type Transport, type WireRequest, type WireResponse } from './transport.ts';

export type Query =
  Readonly<Record<string, string | number | undefined>> | readonly (readonly [name: string, value: string])[];

export interface CallParameters {
  readonly agentId?: string;
  readonly query?: Query;
  /** Sent as JSON, or as it stands where it is a string. */
  readonly body?: unknown;
  /** The whole header; `null` sends none. Default: Bearer and the token. */
  readonly authorization?: string | null;
  readonly contentType?: string;
  /** A probe looks at what the specification leaves open: its answer is not judged for shape. */
  readonly probe?: boolean;
  /** In place of the endpoint's own method. */
  readonly method?: string;
}

/** Calls endpoints of the target, politely and safely. */
export interface Api {
  /** Whether the target runs on this machine, so that a large request is no burden to anybody. */
  readonly isLoopback: boolean;
  /**
   * @throws NoAnswer where no complete answer arrived, CannotJudge where the target kept answering 429 or 503, or where
   * no request can be made (no token, read-only, out of time).
   */
  call(endpoint: EndpointId, parameters?: CallParameters): Promise<Answer>;
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

export interface ApiOptions {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly transport: Transport;
  readonly headers: Readonly<Record<string, string>>;
  readonly readOnly: boolean;
  /** Requests per second; unlimited unless given. */
  readonly rps: number | undefined;
  readonly timeoutMs: number;
  /** Milliseconds that the run may take. */
  readonly maxTimeMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  /** Fixed clock of the target, for tests. */
  readonly now: number | undefined;
  /** Sees every accepted answer once, before anybody else. */
  readonly accepted: (answer: Answer, parameters: CallParameters) => void;
}

/** In less time than this no request is begun. */
const SHORTEST_MS = 5;
const MAX_TRIES = 6;
/** The longest that one call waits in all because the target asks it to. */
const MAX_WAIT_MS = 30_000;
/**
 * So many exhausted retries in a row end all waiting; so many missing answers in a row end the requests to an endpoint; so
 * many time-outs in a row, on more than one endpoint, end the requests to the target.
 */
const PATIENCE = 3;

export function createApi(options: ApiOptions): Api {
  const { token, transport, signal } = options;
  // Every request under way listens to it, and there may be any number of them.
  if (signal) setMaxListeners(Infinity, signal);
  const base = options.baseUrl.replace(/\/+$/, '');
  const startedAt = performance.now();
  const readBody = createReader();
  const clock = createTargetClock(options.now);
  const limited: number[] = [];
  let requests = 0;
  let answers = 0;
  let accepted = 0;
  let lastFailure: string | undefined;
  /** Missing answers in a row, per endpoint. */
  const missing = new Map<EndpointId, number>();
  /** The endpoints of the requests that ran out of time since the last answer. */
  let overdue: EndpointId[] = [];
  let givenUp: string | undefined;
  let exhausted = 0;
  let nextSlot = 0;
  /** While the target asks one request to wait, no other is begun. */
  let rest: Promise<void> | undefined;

  const timeLeft = (): number => (options.maxTimeMs ?? Infinity) - (performance.now() - startedAt);

  async function waitForSlot(): Promise<void> {
    for (let pause = rest; pause; pause = rest) await pause;
    if (options.rps === undefined) return;
    const now = performance.now();
    const slot = Math.max(now, nextSlot);
    if (slot - now > timeLeft()) throw new CannotJudge('The time for the run was over.');
    nextSlot = slot + 1000 / options.rps;
    if (slot > now) await unlessStopped(options.sleep(slot - now), signal);
  }

  async function send(request: WireRequest): Promise<WireResponse> {
    requests++;
    // The transport has a time limit of its own; this one is for transports that have none.
    return withDeadline(transport, request, Math.min(options.timeoutMs * 1.5, timeLeft()), signal);
  }

  const mayGoOn = (): void => {
    if (signal?.aborted === true) throw new CannotJudge('The run was stopped.');
    if (timeLeft() < SHORTEST_MS) throw new CannotJudge('The time for the run was over.');
    if (givenUp !== undefined) throw new CannotJudge(givenUp);
  };

  const noteTimeout = (endpoint: EndpointId): void => {
    overdue.push(endpoint);
    if (overdue.length < PATIENCE || new Set(overdue).size === 1) return;
    givenUp = `The target stopped answering: ${overdue.length} requests in a row ran out of time, so no further one is sent.`;
  };

  async function exchangeOnce(endpoint: EndpointId, request: WireRequest): Promise<Exchanged> {
    mayGoOn();
    const failures = [...missing.values()].reduce((sum, n) => sum + n, 0);
    if ((missing.get(endpoint) ?? 0) >= PATIENCE || (answers === 0 && failures >= PATIENCE))
      throw new CannotJudge(`No further request was made after ${PATIENCE} without an answer: ${lastFailure ?? ''}`);
    await waitForSlot();
    mayGoOn();
    const began = performance.now();
    try {
      const wire = await send(request);
      if (holdsTooMuch(wire.body))
        throw new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`);
      missing.delete(endpoint);
      overdue = [];
      answers++;
      const body = beginning(wire.body);
      return {
        wire,
        exchange: { request, status: wire.status, headers: wire.headers, body, durationMs: performance.now() - began },
      };
    } catch (error) {
      const failure = error instanceof TransportError ? error : new TransportError('other', show(String(error)));
      lastFailure = failure.message;
      missing.set(endpoint, (missing.get(endpoint) ?? 0) + 1);
      if (failure.failure === 'timeout') noteTimeout(endpoint);
      else overdue = [];
      throw new NoAnswer(failure.message, { request, failure: failure.message, durationMs: performance.now() - began });
    }
  }

  async function exchangePatiently(endpoint: EndpointId, request: WireRequest): Promise<Exchanged> {
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const done = await exchangeOnce(endpoint, request);
      const { status, headers } = done.wire;
      if (status !== 429 && status !== 503) {
        exhausted = 0;
        return done;
      }
      limited.push(status);
      const pause = retryAfter(headers['retry-after'], Date.now()) ?? 250 * 2 ** attempt;
      const tries = exhausted >= PATIENCE ? 1 : status === 503 && headers['retry-after'] === undefined ? 3 : MAX_TRIES;
      if (attempt >= tries || waited + pause > Math.min(MAX_WAIT_MS, timeLeft())) {
        exhausted++;
        const wait = pause > MAX_WAIT_MS ? ` and asks to wait ${Math.round(pause / 1000)} seconds` : '';
        throw new CannotJudge(`The target answers ${status}${wait}, after ${count(attempt, 'request')}.`);
      }
      waited += pause;
      if (pause <= 0) continue;
      const own = unlessStopped(options.sleep(pause), signal);
      rest = own;
      await own;
      if (rest === own) rest = undefined;
    }
  }

  return {
    isLoopback: isLoopback(base),
    async call(endpoint, parameters = {}) {
      const { method: ownMethod, path } = endpoints[endpoint];
      const method = parameters.method ?? ownMethod;
      if (options.readOnly && method !== 'GET')
        throw new CannotJudge('It takes a request that creates something.', 'a run without --read-only');
      if (token === undefined && parameters.authorization === undefined)
        throw new CannotJudge('It takes a token.', '--token');
      const { agentId } = parameters;
      const { body, contentType = 'application/json' } = parameters;
      const authorization = parameters.authorization === undefined ? `Bearer ${token ?? ''}` : parameters.authorization;
      const url = base + path.replace('{agentId}', () => encode(agentId ?? '')) + queryString(parameters.query);
      const { wire, exchange } = await exchangePatiently(endpoint, {
        method,
        url,
        headers: {
          accept: 'application/json',
          ...options.headers,
          ...(authorization === null ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const isAccepted = wire.status >= 200 && wire.status < 300;
      if (isAccepted) accepted++;
      const read = readBody(wire.body);
      const answer: Answer = {
        endpoint,
        agentId,
        status: wire.status,
        headers: wire.headers,
        accepted: isAccepted,
        get json() {
          return read.json;
        },
        problem: read.problem,
        text: exchange.body ?? '',
        exchange,
        instants: clock.instants(wire.headers['date']),
      };
      if (isAccepted && method === 'POST') clock.learn(endpoint, wire.headers['date'], read.json);
      if (isAccepted) options.accepted(answer, parameters);
      return answer;
    },
    statistics: {
      get requests() {
        return requests;
      },
      get answers() {
        return answers;
      },
      get accepted() {
        return accepted;
      },
      limited,
      get lastFailure() {
        return lastFailure;
      },
      get givenUp() {
        return givenUp;
      },
    },
  };
}

interface Exchanged {
  readonly wire: WireResponse;
  readonly exchange: Exchange;
}

/** Waits, but no longer than the run goes on. */
async function unlessStopped(pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return pause;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([pause, stopped]);
  signal.removeEventListener('abort', stop);
}

async function withDeadline(
  transport: Transport,
  request: WireRequest,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<WireResponse> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new TransportError('timeout', `No complete answer arrived within ${Math.round(ms)} ms.`));
    }, ms);
    controller.signal.addEventListener('abort', () => reject(new TransportError('other', 'The run was stopped.')), {
      once: true,
    });
  });
  try {
    return await Promise.race([transport(request, controller.signal), overdue]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Milliseconds to wait, from seconds or an HTTP date. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Percent-encodes a value of any characters, unpaired surrogates included. */
function encode(text: string): string {
  return encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );
}

function queryString(query: Query = []): string {
  const pairs: readonly (readonly [string, string | number | undefined])[] = isPairs(query)
    ? query
    : Object.entries(query);
  const written = pairs.flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(String(value))}`],
  );
  return written.length === 0 ? '' : `?${written.join('&')}`;
}

const isPairs = (query: Query): query is readonly (readonly [string, string])[] => Array.isArray(query);
