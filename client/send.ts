import { NoAnswerError, type SentRequest, ServiceError } from './errors.ts';
import { type CallOptions, checkToken, type ClientSettings } from './options.ts';

export interface Outgoing extends SentRequest {
  /** Sent as JSON; `undefined` if there is none. */
  readonly body: unknown;
  readonly options: CallOptions;
}

const EXCERPT_LENGTH = 300;

/**
 * Sends one request, repeats it for each retry that is due, and returns the JSON object in the answer.
 * @throws ServiceError, NoAnswerError, TypeError for a token that a header cannot hold, what `token` throws, or the
 * reason of an aborted signal
 */
export async function send(request: Outgoing, settings: ClientSettings): Promise<unknown> {
  const signals = [settings.signal, request.options.signal];
  const retries = request.method === 'GET' ? settings.retries : 0;
  for (let attempt = 1; ; attempt++) {
    const token = typeof settings.token === 'string' ? settings.token : await askedToken(settings.token, signals);
    try {
      return await sendOnce(request, token, settings, signals);
    } catch (error) {
      if (attempt > retries || !(error instanceof ServiceError && (error.status === 429 || error.status === 503)))
        throw error;
      const wait = waitBefore(error, settings);
      if (wait === undefined) throw error;
      settings.onRetry({ request: error.request, error, attempt, wait });
      await interruptible(signals, (signal) => settings.clock.sleep(wait, signal));
    }
  }
}

/** A function that returns the token may take as long as a login. */
async function askedToken(
  ask: () => string | Promise<string>,
  signals: readonly (AbortSignal | undefined)[],
): Promise<string> {
  return checkToken(await interruptible(signals, async () => ask()));
}

/** Milliseconds that the service asks to wait before the next attempt; `undefined` if it asks for none. */
function waitBefore({ headers }: ServiceError, { clock, longestWait }: ClientSettings): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - clock.now());
  if (wait <= longestWait) return wait;
  return undefined;
}

async function sendOnce(
  request: Outgoing,
  token: string,
  settings: ClientSettings,
  signals: readonly (AbortSignal | undefined)[],
): Promise<object> {
  const { method, url, body, options } = request;
  const headers = new Headers(settings.headers);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  headers.set('authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const { timeout } = settings;
  const late = new AbortController();
  const timer =
    timeout === Infinity
      ? undefined
      : setTimeout(() => late.abort(new DOMException(`No answer within ${timeout} ms`, 'TimeoutError')), timeout);
  try {
    const { response, text } = await interruptible([...signals, late.signal], async (signal) => {
      const answer = await settings.fetch(url, { ...init, signal });
      return { response: answer, text: await answer.text() };
    });
    const answer = readAnswer({ method, url }, response, text, token);
    options.onAnswer?.({ request: { method, url }, status: response.status, headers: response.headers });
    return answer;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    for (const signal of signals) signal?.throwIfAborted();
    if (late.signal.aborted)
      throw new NoAnswerError({ method, url }, `was not answered in full within ${timeout} ms`, late.signal.reason);
    throw new NoAnswerError({ method, url }, `was not answered: ${reasonOf(error)}`, error);
  } finally {
    clearTimeout(timer);
  }
}

function readAnswer(request: SentRequest, response: Response, text: string, token: string): object {
  const { status, headers } = response;
  const json = parse(text);
  const fail = (complaint: string): ServiceError => {
    const shown = text === '' ? 'an empty body' : excerpt(text.replaceAll(token, () => '$TOKEN'));
    const message = `${request.method} ${request.url} was answered ${status} with ${complaint}${shown}`;
    return new ServiceError(message, { request, status, headers, body: json === undefined ? text : json.value });
  };
  if (!response.ok) throw fail('');
  if (json === undefined) throw fail('what is not JSON: ');
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    throw fail('what is not an object: ');
  return json.value;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function excerpt(text: string): string {
  const line = text.slice(0, 2 * EXCERPT_LENGTH).replaceAll(/[\p{C}\s]+/gu, ' ');
  if (line.length > EXCERPT_LENGTH || text.length > 2 * EXCERPT_LENGTH) return `${line.slice(0, EXCERPT_LENGTH)}…`;
  return line;
}

/** The message of an error, with those of its causes, since `fetch` itself says little. */
function reasonOf(error: unknown): string {
  const said: string[] = [];
  for (let cause = error; cause instanceof Error && said.length < 4; cause = cause.cause)
    said.push(cause.message || ('code' in cause ? String(cause.code) : cause.name));
  if (said.length > 0) return said.join(': ');
  return String(error);
}

/**
 * Runs `work` until it is done or the first of `signals` is aborted. Its own signal tells `work` when to stop.
 * @throws what `work` throws, or the reason of the aborted signal
 */
export async function interruptible<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const given = signals.filter((signal) => signal !== undefined);
  for (const signal of given) signal.throwIfAborted();
  const stop = new AbortController();
  const onAbort = (event: Event): void => stop.abort((event.target as AbortSignal).reason);
  for (const signal of given) signal.addEventListener('abort', onAbort);
  try {
    // A race, because a given fetch or clock may ignore its signal.
    const aborted = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
    });
    return await Promise.race([aborted, work(stop.signal)]);
  } finally {
    for (const signal of given) signal.removeEventListener('abort', onAbort);
  }
}
