import type { RunOptions, Transport } from '../../conformance/index.ts';
import type { MockOptions } from '../../mock/index.ts';

export type PermittedRequest = Parameters<Transport>[0];
export type PermittedAnswer = Awaited<ReturnType<Transport>>;
export type Fields = Record<string, unknown>;
export type Wrap = (transport: Transport) => Transport;

/** A server that a reasonable reader calls compliant: the mock behind a changing layer. */
export interface Permitted {
  readonly wrap: Wrap;
  /** Options of the mock behind it. */
  readonly options?: MockOptions;
  /** Changes what the judge is told. */
  readonly run?: Partial<RunOptions>;
  /** Whether a check may be unable to judge it. None may fail. Default: none may. */
  readonly notJudged?: (checkId: string) => boolean;
}

/** Such servers by what they do, which completes "a server that". Those that are only a layer have nothing else. */
export type PermittedServers = Readonly<Record<string, Permitted | Wrap>>;

const encoder = new TextEncoder();

export const textOf = ({ body }: PermittedAnswer): string => new TextDecoder().decode(body);
export const bodyOf = (answer: PermittedAnswer): Fields => JSON.parse(textOf(answer)) as Fields;
export const withText = (answer: PermittedAnswer, text: string): PermittedAnswer => ({
  ...answer,
  body: encoder.encode(text),
});
export const withBody = (answer: PermittedAnswer, body: unknown): PermittedAnswer =>
  withText(answer, JSON.stringify(body));
export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): PermittedAnswer =>
  withBody({ status, headers: { 'content-type': 'application/json', ...headers }, body: encoder.encode('') }, body);
export const refusal = (status: number): PermittedAnswer => jsonAnswer(status, { message: 'no' });

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSuccess = ({ status }: PermittedAnswer): boolean => status < 300;

export const pathIn = ({ url }: PermittedRequest): string => new URL(url).pathname;
export const queryIn = ({ url }: PermittedRequest): URLSearchParams => new URL(url).searchParams;
export const withQuery = (request: PermittedRequest, query: URLSearchParams): PermittedRequest => {
  const url = new URL(request.url);
  url.search = query.toString();
  return { ...request, url: url.href };
};
export const sentBy = ({ body }: PermittedRequest): Fields => JSON.parse(body ?? '{}') as Fields;

export const isList = (request: PermittedRequest): boolean =>
  request.method === 'GET' && pathIn(request).endsWith('/results');
export const makesAgent = (request: PermittedRequest): boolean =>
  request.method === 'POST' && /\/agents(?:\/import)?$/.test(pathIn(request));
export const makesWorkspace = (request: PermittedRequest): boolean =>
  request.method === 'POST' && pathIn(request).endsWith('/workspaces');
export const readsAgent = (request: PermittedRequest): boolean =>
  request.method === 'GET' && /\/agents\/[^/]+$/.test(pathIn(request));

type Change = (answer: PermittedAnswer, request: PermittedRequest) => PermittedAnswer;

/** Changes every answer. */
export const answering =
  (change: Change): Wrap =>
  (transport) =>
  async (request, signal) =>
    change(await transport(request, signal), request);

/** Changes accepted answers. */
export const accepting = (change: Change): Wrap =>
  answering((answer, request) => (isSuccess(answer) ? change(answer, request) : answer));

/** `value` with every scalar in it changed. */
export function mapped(value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, name));
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change, key)]));
}

/** Refuses some requests before they reach the server. `count` counts its arguments, from 1. */
export const refusing =
  (answer: number, isRefused: (request: PermittedRequest, count: (of: string) => number) => boolean): Wrap =>
  (transport) => {
    const counts = new Map<string, number>();
    const count = (of: string): number => {
      const next = (counts.get(of) ?? 0) + 1;
      counts.set(of, next);
      return next;
    };
    return async (request, signal) => {
      if (!isRefused(request, count)) return transport(request, signal);
      // Only known callers learn what they may not do.
      const { status } = await transport({ ...request, method: 'GET' }, signal);
      if (status === 401) return transport(request, signal);
      return refusal(answer);
    };
  };
