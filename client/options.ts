import type { SentRequest, ServiceError } from './errors.ts';

/** How a client waits and tells the time. Tests give their own and need not wait. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds. May stop early, in any way, once `signal` is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A GET that is sent again, and why. */
export interface Retry {
  readonly request: SentRequest;
  /** The answer that asked for it. */
  readonly error: ServiceError;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds until it is sent. */
  readonly wait: number;
}

/** What came with an answer, beside its body. */
export interface AnswerInfo {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
}

/** What a client uses of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Where the service is, without the `/api/v1` of its paths: `https://agents.example.com`. */
  readonly baseUrl: string;
  /**
   * The caller's auth token (section 5), sent with every request and part of no error message. A function is asked before
   * each request, so that a token that was refreshed counts at once.
   */
  readonly token: string | (() => string | Promise<string>);
  /** The global `fetch` unless given. */
  readonly fetch?: Fetch;
  /** Sent with every request. `authorization` and the `content-type` of a body are set over these. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds in which each request must be answered in full. 30 000 unless given; `Infinity` waits for ever. */
  readonly timeout?: number;
  /** Ends every request of this client, and those to come. */
  readonly signal?: AbortSignal;
  /**
   * How often a GET is sent again that was answered 429 or 503 with a Retry-After header, after the time named there. 0
   * unless given.
   */
  readonly retries?: number;
  /** Milliseconds; a longer time in Retry-After is not waited for. 60 000 unless given. */
  readonly longestWait?: number;
  /** Told before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** The real time unless given. Serves the waits before retries; `timeout` always means real time. */
  readonly clock?: Clock;
}

export interface CallOptions {
  /** Ends this call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Sent with this call, over the headers of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Told of an answer before its body is given: of its status and headers. A refusal is told by `ServiceError`. */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

/** {@link ClientOptions} that were found right, with every default filled in. */
export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string | (() => string | Promise<string>);
  readonly fetch: Fetch;
  readonly headers: Headers;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
  readonly longestWait: number;
  readonly onRetry: (retry: Retry) => void;
  readonly clock: Clock;
}

/** The longest that `setTimeout` can wait; with more it does not wait at all. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }),
};

/** @throws TypeError for an option that cannot be used; it never shows the token. */
export function readOptions(options: ClientOptions): Settings {
  const { baseUrl, token, timeout = 30_000, retries = 0, longestWait = 60_000, onRetry = () => {} } = options;
  const wrongUrl = whatIsWrongWith(baseUrl);
  if (wrongUrl !== undefined) throw new TypeError(`baseUrl ${wrongUrl}`);
  const checkedToken = typeof token === 'function' ? token : checkToken(token);
  if (!(timeout > 0) || (timeout > LONGEST_TIMEOUT && timeout !== Infinity))
    throw new TypeError(`timeout is ${timeout}; it must be more than 0 and at most ${LONGEST_TIMEOUT} ms, or Infinity`);
  if (!Number.isInteger(retries) || retries < 0)
    throw new TypeError(`retries is ${retries}; it must be 0 or a positive whole number`);

  if (!(longestWait >= 0 && longestWait <= LONGEST_TIMEOUT))
    throw new TypeError(`longestWait is ${longestWait}; it must be from 0 to ${LONGEST_TIMEOUT} ms`);

  const headers = new Headers(options.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token: checkedToken,
    // Looked up with each call, so that a fetch that is replaced later counts.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    headers,
    timeout,
    signal: options.signal,
    retries,
    longestWait,
    onRetry,
    clock: options.clock ?? realClock,
  };
}

/** @throws TypeError for a token that no header can hold; it never shows it. */
export function checkToken(token: unknown): string {
  if (typeof token === 'string' && /^[!-~]+$/.test(token)) return token;
  throw new TypeError('token must be one or more printable ASCII characters without spaces; give it without "Bearer"');
}

function whatIsWrongWith(baseUrl: string): string | undefined {
  if (typeof baseUrl !== 'string') return `is ${String(baseUrl)}; it must be a string`;
  if (/^[a-z][a-z\d+.-]*:\/*[^/?#]*@/i.test(baseUrl))
    return 'holds a user name or a password; send them with the option headers';
  const [extra] = /[?#]/.exec(baseUrl) ?? [];
  if (extra !== undefined)
    return `is ${JSON.stringify(baseUrl)}; a path is put after it, so it must hold no "${extra}"`;
  return undefined;
}
