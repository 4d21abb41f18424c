import type { Form } from './form.ts';

/** A request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if there is none, or if it is not known. */
  readonly body?: string | undefined;
  /** How it goes out. Default: as most clients send it. */
  readonly form?: Form | undefined;
}

/** A complete answer as it came over the wire. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; repeated fields joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content encoding. */
  readonly body: Uint8Array;
}

/** A request as a server receives it: what a gate knows of it. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query as received: `/api/v1/agents?x=1`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of HTTP, where it is known: `1.0`. */
  readonly httpVersion?: string | undefined;
}

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON with the member `error`. */
  readonly body: string;
}

/** One request and its answer, whoever saw them: the mock, a run, the proxy or a recording. */
export interface HttpExchange {
  readonly request: HttpRequest;
  /** Missing if no complete answer came. The body is missing if it was not kept. */
  readonly answer?: (Omit<HttpAnswer, 'body'> & { readonly body?: Uint8Array | undefined }) | undefined;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Sends one request, and resolves with the whole answer. Follows no redirect. @throws TransportError if none arrived. */
export type Transport = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpAnswer>;
