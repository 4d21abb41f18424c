/** How a client waits and tells the time. Tests give their own and need not wait. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds. May stop early, in any way, once `signal` is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** What a client uses of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Where the service is, without the `/api/v1` of its paths: `https://agents.example.com`. */
  readonly baseUrl: string;
  /** The caller's auth token (section 5), sent with every request and part of no error message. */
  readonly token: string;
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
   * unless given. A time of more than a minute is not waited for.
   */
  readonly retries?: number;
  /** The real time unless given. Serves the waits before retries; `timeout` always means real time. */
  readonly clock?: Clock;
}

export interface CallOptions {
  /** Ends this call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** {@link ClientOptions} that were found right, with every default filled in. */
export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: Fetch;
  readonly headers: Headers;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
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
  const { baseUrl, token, timeout = 30_000, retries = 0 } = options;
  const wrongUrl = whatIsWrongWith(baseUrl);
  if (wrongUrl !== undefined) throw new TypeError(`baseUrl ${wrongUrl}`);
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError(
      'token must be one or more printable ASCII characters without spaces; give it without "Bearer"',
    );
  if (!(timeout > 0) || (timeout > LONGEST_TIMEOUT && timeout !== Infinity))
    throw new TypeError(`timeout is ${timeout}; it must be more than 0 and at most ${LONGEST_TIMEOUT} ms, or Infinity`);
  if (!Number.isInteger(retries) || retries < 0)
    throw new TypeError(`retries is ${retries}; it must be 0 or a positive whole number`);

  const headers = new Headers(options.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  headers.set('authorization', `Bearer ${token}`);
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token,
    // Looked up with each call, so that a fetch that is replaced later counts.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    headers,
    timeout,
    signal: options.signal,
    retries,
    clock: options.clock ?? realClock,
  };
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
