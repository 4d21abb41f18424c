import { setMaxListeners } from 'node:events';
import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Answer, Answered, Caller, Exchange, Kept } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { count, show } from '../show.ts';
import { CannotAsk, NoAnswer } from './cannot-ask.ts';
import { MAX_VALUES, beginning, createReader, holdsTooMuch, type ReadBody } from '../http/read-body.ts';
import { unenvelop } from '../shape/envelope.ts';
import { TransportError, type Transport, type WireRequest, type WireResponse } from '../http/transport.ts';

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
  /** Beside those of every request; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It asks something that the specification leaves open: its answer is not judged for shape. */
  readonly open?: boolean;
  /** An exchange from which this one differs in `differs` alone. */
  readonly twin?: Exchange;
  /** In what it differs from its twin, in words: `without the Authorization header`. */
  readonly differs?: string;
  /** In place of the endpoint's own method. */
  readonly method?: string;
}

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
  /** Our clock, in epoch milliseconds. Default: the system's. */
  readonly clock?: () => number;
  /** Hears of every exchange. */
  readonly history: History;
  /** Whose token it is, where that is known. */
  readonly readToken?: string | undefined;
  readonly guestToken?: string | undefined;
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
  const { token, transport, signal, history } = options;
  // Every request under way listens to it, and there may be any number of them.
  if (signal) setMaxListeners(Infinity, signal);
  const base = options.baseUrl.replace(/\/+$/, '');
  const startedAt = performance.now();
  const readBody = createReader();
  const clock = options.clock ?? Date.now;
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
    if (slot - now > timeLeft()) throw new CannotAsk('The time for the run was over.');
    nextSlot = slot + 1000 / options.rps;
    if (slot > now) await unlessStopped(options.sleep(slot - now), signal);
  }

  async function send(request: WireRequest): Promise<WireResponse> {
    requests++;
    // The transport has a time limit of its own; this one is for transports that have none.
    return withDeadline(transport, request, Math.min(options.timeoutMs * 1.5, timeLeft()), signal);
  }

  const mayGoOn = (): void => {
    if (signal?.aborted === true) throw new CannotAsk('The run was stopped.');
    if (timeLeft() < SHORTEST_MS) throw new CannotAsk('The time for the run was over.');
    if (givenUp !== undefined) throw new CannotAsk(givenUp);
  };

  const noteTimeout = (endpoint: EndpointId): void => {
    overdue.push(endpoint);
    if (overdue.length < PATIENCE || new Set(overdue).size === 1) return;
    givenUp = `The target stopped answering: ${overdue.length} requests in a row ran out of time, so no further one is sent.`;
  };

  async function exchangeOnce(asked: Asked): Promise<Answered> {
    const { endpoint } = asked.about;
    mayGoOn();
    const failures = [...missing.values()].reduce((sum, n) => sum + n, 0);
    if ((missing.get(endpoint) ?? 0) >= PATIENCE || (answers === 0 && failures >= PATIENCE))
      throw new CannotAsk(`No further request was made after ${PATIENCE} without an answer: ${lastFailure ?? ''}`);
    await waitForSlot();
    mayGoOn();
    const [begun, sentAt, began] = [history.tick(), clock(), performance.now()];
    const completed = (kept: Omit<Kept, 'request' | 'durationMs'>): Exchange => ({
      ...asked.about,
      begun,
      sentAt,
      n: history.tick(),
      answeredAt: clock(),
      kept: { request: asked.wire, durationMs: performance.now() - began, ...kept },
    });
    const came = await received(asked.wire);
    if (came instanceof TransportError) {
      lastFailure = came.message;
      missing.set(endpoint, (missing.get(endpoint) ?? 0) + 1);
      if (came.failure === 'timeout') noteTimeout(endpoint);
      else overdue = [];
      const exchange = completed({ failure: came.message });
      history.append(exchange);
      throw new NoAnswer(came.message, exchange);
    }
    missing.delete(endpoint);
    overdue = [];
    answers++;
    const { status, headers, body } = came;
    const text = beginning(body);
    const answer = answerOf(endpoint, { status, headers, text, read: readBody(body) });
    if (answer.accepted) accepted++;
    const exchange: Answered = { ...completed({ status, headers, body: text }), answer };
    history.append(exchange, body);
    return exchange;
  }

  async function received(request: WireRequest): Promise<WireResponse | TransportError> {
    try {
      const wire = await send(request);
      return holdsTooMuch(wire.body)
        ? new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`)
        : wire;
    } catch (error) {
      return error instanceof TransportError ? error : new TransportError('other', show(String(error)));
    }
  }

  async function exchangePatiently(asked: Asked): Promise<Answered> {
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const done = await exchangeOnce(asked);
      const { status, headers } = done.answer;
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
        throw new CannotAsk(`The target answers ${status}${wait}, after ${count(attempt, 'request')}.`);
      }
      waited += pause;
      if (pause <= 0) continue;
      const own = unlessStopped(options.sleep(pause), signal);
      rest = own;
      await own;
      if (rest === own) rest = undefined;
    }
  }

  function compose(endpoint: EndpointId, parameters: CallParameters): Asked {
    const { method: ownMethod, path } = endpoints[endpoint];
    const method = parameters.method ?? ownMethod;
    if (options.readOnly && method !== 'GET')
      throw new CannotAsk('It takes a request that creates something.', 'a run without --read-only');
    if (token === undefined && parameters.authorization === undefined)
      throw new CannotAsk('It takes a token.', '--token');
    const { agentId, body, contentType = 'application/json', headers, twin, differs } = parameters;
    const authorization = parameters.authorization === undefined ? `Bearer ${token ?? ''}` : parameters.authorization;
    const query = pairsOf(parameters.query);
    return {
      wire: {
        method,
        url: base + path.replace('{agentId}', () => encode(agentId ?? '')) + written(query),
        headers: {
          accept: 'application/json',
          ...options.headers,
          ...(authorization === null ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': contentType }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
      about: {
        caller: callerOf(authorization, options),
        method,
        endpoint,
        agentId,
        query,
        sent: typeof body === 'string' ? parsed(body) : body,
        open: parameters.open === true,
        ...(twin === undefined ? {} : { twin: twin.n }),
        ...(differs === undefined ? {} : { differs }),
      },
    };
  }

  return {
    isLoopback: isLoopback(base),
    async call(endpoint, parameters = {}) {
      return exchangePatiently(compose(endpoint, parameters));
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

/** A request, and what of its exchange is known before it is sent. */
interface Asked {
  readonly wire: WireRequest;
  readonly about: Omit<Exchange, 'n' | 'begun' | 'sentAt' | 'answeredAt' | 'answer' | 'kept'>;
}

interface Received {
  readonly status: number;
  readonly headers: WireResponse['headers'];
  readonly text: string;
  readonly read: ReadBody;
}

/** The body is read again whenever it is asked for, where it is large: see read-body.ts. */
export function answerOf(endpoint: EndpointId, { status, headers, text, read }: Received): Answer {
  const accepted = status >= 200 && status < 300;
  const { problem, flaw, repeats } = read;
  const slip = accepted && problem === undefined ? unenvelop(endpoint, read.json).slip : undefined;
  return {
    status,
    headers,
    accepted,
    get json() {
      return slip ? unenvelop(endpoint, read.json).json : read.json;
    },
    problem,
    flaw,
    repeats,
    slip,
    text,
  };
}

function callerOf(authorization: string | null, { token, readToken, guestToken }: ApiOptions): Caller {
  if (authorization === null) return 'none';
  for (const [caller, secret] of [
    ['valid', token],
    ['read', readToken],
    ['guest', guestToken],
  ] as const)
    if (
      secret !== undefined &&
      authorization.toLowerCase() === `bearer ${secret}`.toLowerCase() &&
      authorization.endsWith(secret)
    )
      return caller;
  return 'wrong';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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

function pairsOf(query: Query = []): readonly (readonly [string, string])[] {
  if (isPairs(query)) return query;
  return Object.entries(query).flatMap(([name, value]): (readonly [string, string])[] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

function written(query: readonly (readonly [string, string])[]): string {
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const isPairs = (query: Query): query is readonly (readonly [string, string])[] => Array.isArray(query);
