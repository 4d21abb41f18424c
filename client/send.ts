import { NoAnswerError, ServiceError, type SentRequest } from './errors.ts';
import { interruptible } from './interruptible.ts';
import type { Settings } from './options.ts';

export interface Outgoing extends SentRequest {
  /** Sent as JSON; `undefined` where there is none. */
  readonly body: unknown;
  /** The signal of this one call. */
  readonly signal: AbortSignal | undefined;
}

/** Retry-After may name any time; a longer one than this, in milliseconds, is not waited for. */
const LONGEST_WAIT = 60_000;
const EXCERPT_LENGTH = 300;

/**
 * Sends one request, and once more for each retry that is due, and gives the JSON object that answered it.
 * @throws ServiceError, NoAnswerError, or the reason of a signal that was aborted
 */
export async function send(request: Outgoing, settings: Settings): Promise<unknown> {
  const signals = [settings.signal, request.signal];
  for (let retriesLeft = request.method === 'GET' ? settings.retries : 0; ; retriesLeft--) {
    try {
      return await sendOnce(request, settings, signals);
    } catch (error) {
      const wait = retriesLeft > 0 ? waitBefore(error, settings.clock.now()) : undefined;
      if (wait === undefined) throw error;
      await interruptible(signals, (signal) => settings.clock.sleep(wait, signal));
    }
  }
}

/** Milliseconds that the service asks to wait before the next attempt; nothing where it asks for no attempt. */
function waitBefore(error: unknown, now: number): number | undefined {
  if (!(error instanceof ServiceError) || (error.status !== 429 && error.status !== 503)) return undefined;
  const value = error.headers.get('retry-after')?.trim() ?? '';
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - now);
  return wait <= LONGEST_WAIT ? wait : undefined;
}

async function sendOnce(request: Outgoing, settings: Settings, signals: readonly (AbortSignal | undefined)[]) {
  const { method, url, body } = request;
  const headers = new Headers(settings.headers);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const init: RequestInit = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
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
    return readAnswer({ method, url }, response, text, settings.token);
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
  return line.length > EXCERPT_LENGTH || text.length > 2 * EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

/** What an error says and, since `fetch` itself says little, what its causes say. */
function reasonOf(error: unknown): string {
  const said: string[] = [];
  for (let cause = error; cause instanceof Error && said.length < 4; cause = cause.cause)
    said.push(cause.message || ('code' in cause ? String(cause.code) : cause.name));
  return said.length > 0 ? said.join(': ') : String(error);
}
