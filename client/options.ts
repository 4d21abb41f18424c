import type { SentRequest, ServiceError } from './errors.ts';

/** How a client waits and tells the time. Tests can pass their own, and need not wait. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after this many milliseconds. May stop early, in any way, once `signal` is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A GET request that the client repeats, and why. */
export interface Retry {
  readonly request: SentRequest;
  /** The answer that asked for the retry. */
  readonly error: ServiceError;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds until the retry. */
  readonly wait: number;
}

/** What came with an answer, besides its body. */
export interface AnswerInfo {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
}

/** The part of `fetch` that a client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Where the service is, without the `/api/v1` of its paths: `https://agents.example.com`. */
  readonly baseUrl: string;
  /**
   * The caller's auth token (section 5), sent with every request and never in an error message. The client calls a
   * function before each request, so that a refreshed token counts at once.
   */
  readonly token: string | (() => string | Promise<string>);
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Sent with every request. `authorization` and the `content-type` of a body override these. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Milliseconds within which the complete answer to a request must arrive. Default: 30 000; `Infinity` waits for ever.
   */
  readonly timeout?: number;
  /** Ends every present and future request of this client. */
  readonly signal?: AbortSignal;
  /**
   * How often the client repeats a GET request that gets 429 or 503 with a Retry-After header, after the time named
   * there. Default: 0.
   */
  readonly retries?: number;
  /** Milliseconds. The client does not wait for a longer Retry-After. Default: 60 000. */
  readonly longestWait?: number;
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Default: real time. It is for the waits before retries; `timeout` is always in real time. */
  readonly clock?: Clock;
}

export interface CallOptions {
  /** Ends this call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Sent with this call. They override the headers of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Called with the status and headers of an answer, before the call returns its body. A refusal is a `ServiceError`
   * instead.
   */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

/** The longest delay of `setTimeout`; a longer one fires at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }),
};

/** {@link ClientOptions} after validation, with every default filled in. */
export type ClientSettings = ReturnType<typeof readOptions>;

/** @throws TypeError for an unusable option; it never shows the token. */
export function readOptions(options: ClientOptions) {
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

  const headers: Headers = new Headers(options.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token: checkedToken,
    // Looked up at each call, so that a later replacement of the global fetch counts.
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

/** @throws TypeError for a token that a header cannot hold; it never shows the token. */
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
