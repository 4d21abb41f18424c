import { isObject } from '../../text/json.ts';
import type { HttpAnswer, HttpRequest, RunOptions, Transport } from '../../conformance/index.ts';
import type { MockOptions } from '../../mock/index.ts';

export type Fields = Record<string, unknown>;
export type Wrap = (transport: Transport) => Transport;

/** A server that a reasonable reader calls compliant: the mock behind a changing layer. */
export interface Permitted {
  readonly wrap?: Wrap;
  /** Options of the mock behind it. */
  readonly options?: MockOptions;
  /** Changes what the judge is told. */
  readonly run?: Partial<RunOptions>;
  /** The checks that may be unable to judge it. None may fail. Default: none. */
  readonly notJudged?: RegExp;
  /** The checks that fail with `strict`. Default: nobody looks. */
  readonly strictly?: readonly string[];
}

/** Such servers by what they do, which completes "a server that". Those that are only a layer have nothing else. */
export type PermittedServers = Readonly<Record<string, Permitted | Wrap>>;

export const jsonOf = ({ body }: HttpAnswer): Fields => JSON.parse(new TextDecoder().decode(body)) as Fields;

export function withText<T extends object>(answer: T, text: string): T & Pick<HttpAnswer, 'body'> {
  return { ...answer, body: new TextEncoder().encode(text) };
}

export function withBody<T extends object>(answer: T, body: unknown): T & Pick<HttpAnswer, 'body'> {
  return withText(answer, JSON.stringify(body));
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer {
  return withBody({ status, headers: { 'content-type': 'application/json', ...headers } }, body);
}

export const refusal = (status: number): HttpAnswer => jsonAnswer(status, { message: 'no' });

export function withQuery(request: HttpRequest, query: URLSearchParams): HttpRequest {
  const url = new URL(request.url);
  url.search = query.toString();
  return { ...request, url: url.href };
}

export function sentBy({ body }: HttpRequest): Fields {
  return JSON.parse(body ?? '{}') as Fields;
}

/** Whether a request has a method and a path that ends in a certain way. */
const asksFor =
  (method: string, path: RegExp) =>
  (request: HttpRequest): boolean =>
    request.method === method && path.test(new URL(request.url).pathname);

export const isList = asksFor('GET', /\/results$/);
export const makesAgent = asksFor('POST', /\/agents(?:\/import)?$/);
export const makesWorkspace = asksFor('POST', /\/workspaces$/);
export const readsAgent = asksFor('GET', /\/agents\/[^/]+$/);

type Change = (answer: HttpAnswer, request: HttpRequest) => HttpAnswer;

export const answering =
  (change: Change): Wrap =>
  (transport) =>
  async (request, signal) =>
    change(await transport(request, signal), request);

/** Adds headers to every answer, or replaces them. */
export const adding = (headers: Readonly<Record<string, string>>): Wrap =>
  answering((answer) => ({ ...answer, headers: { ...answer.headers, ...headers } }));

/** Changes accepted answers, but not what another layer turned into a page of HTML. */
export const accepting = (change: Change): Wrap =>
  answering((answer, request) => (answer.status < 300 && !isHtml(answer) ? change(answer, request) : answer));

export const isHtml = ({ body }: HttpAnswer): boolean => body[0] === '<'.charCodeAt(0);

/** A copy of JSON in which `change` maps each string that is a member of such a name, which it is given. */
export const mapStrings = (json: unknown, change: (text: string, name: string) => unknown, of = /^/): unknown =>
  JSON.parse(JSON.stringify(json), (name, value: unknown) => {
    if (typeof value !== 'string' || !of.test(name)) return value;
    return change(value, name);
  });

/** Refuses some requests before they reach the server. `count` counts its arguments, from 1. */
export const refusing =
  (answer: number, isRefused: (request: HttpRequest, count: (of: string) => number) => boolean): Wrap =>
  (transport) => {
    const counts: Record<string, number> = {};
    const count = (of: string): number => (counts[of] = (counts[of] ?? 0) + 1);
    return async (request, signal) => {
      if (!isRefused(request, count)) return transport(request, signal);
      // Only known callers learn what they may not do.
      const { status } = await transport({ ...request, method: 'GET' }, signal);
      if (status === 401) return transport(request, signal);
      return refusal(answer);
    };
  };

/**
 * Answers otherwise, by default with 404, to early reads of what a creation led to, at a path below the agent: those that
 * `isEarly` takes for early by their number, from 1, and by the age of the agent on the clock.
 */
export const late =
  (
    isEarly: (reads: number, age: number) => boolean,
    {
      below = '',
      clock = (): number => 0,
      among = accepting,
      instead = (found: HttpAnswer): HttpAnswer => withBody({ ...found, status: 404 }, {}),
    } = {},
  ): Wrap =>
  (transport) => {
    const made = new Map<string, { readonly at: number; reads: number }>();
    return among((answer, request) => {
      const { pathname } = new URL(request.url);
      const { agent } = makesAgent(request) && answer.status < 300 ? jsonOf(answer) : {};
      if (isObject(agent))
        made.set(`${pathname.replace(/\/import$/, '')}/${agent['id'] as string}${below}`, { at: clock(), reads: 0 });
      const read = answer.status === 429 ? undefined : made.get(pathname);
      return read && isEarly(++read.reads, clock() - read.at) ? instead(answer) : answer;
    })(transport);
  };

/** Serves so many requests of a kind at a time, and does something else with the others. */
export const atATime =
  (most: number, instead: () => HttpAnswer, isCounted: (request: HttpRequest) => boolean = () => true): Wrap =>
  (transport) => {
    let inFlight = 0;
    return async (request, signal) => {
      if (!isCounted(request)) return transport(request, signal);
      if (inFlight >= most) return instead();
      inFlight++;
      return transport(request, signal).finally(() => inFlight--);
    };
  };

/** Closes the connection. */
export function closed(): never {
  throw new Error('socket hang up');
}
