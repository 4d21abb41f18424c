import type { EndpointId, Profile, TimeFilter } from '../spec/index.ts';
import type { Mode, Tokens } from './caller.ts';
import type { ConnectionFault } from './hosts/broken-connections.ts';
import type { Json, JsonObject } from './json.ts';
import type { TimeWindow } from './service/time-window.ts';
import type { Listing } from './store/listing.ts';
import type { Store } from './store/store.ts';

/** A request as any host (Express, fetch, a test) hands it to {@link answer}. */
export interface MockRequest {
  readonly method: string;
  /** Path and query as received: `/api/v1/agents?x=1`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array;
  /** The host read more bytes than `bodyLimit` allows and threw them away. */
  readonly oversize?: boolean;
  /** How many other requests the host is answering. */
  readonly underWay?: number;
  /** Whether the request is not the first on its connection. */
  readonly keptConnection?: boolean;
}

/** One thing that is wrong with a request. */
export interface RequestError {
  /** `header/authorization`, `path`, `query/limit`, or `body` with a JSON Pointer: `body/agent/name`. */
  readonly location: string;
  readonly message: string;
  /** What was probably meant, as it should be written there: a name, a value (JSON in a body), or a request line. */
  readonly meant?: string;
}

/** A request that belongs to an endpoint, on its way through the pipeline. */
export interface Call {
  readonly endpoint: EndpointId;
  /** Percent-decoded; empty where the path has no parameter. */
  readonly agentId: string;
  /** Decoded pairs in the order of the URL. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The Authorization header as received. */
  readonly authorization: string | undefined;
  /** The Cookie header as received. */
  readonly cookie: string | undefined;
  /** The tokens that the mock knows. */
  readonly tokens: Tokens;
  /** The parsed body, or what is wrong with it; `undefined` where there was none. */
  readonly body: { readonly value: Json } | { readonly refusal: Refusal } | undefined;
  /** Epoch milliseconds of the mock's clock. */
  readonly now: number;
  readonly profile: Profile;
  /**
   * `unknown` until authentication has set it. A fault that lets unknown callers in sets `granted`; one that does what
   * they ask and refuses it all the same sets `refused-late`.
   */
  readonly mode: Mode | 'unknown' | 'granted' | 'refused-late';
  /** Has an accepted list of results answered from something else than what was asked; faults set it. */
  readonly relist?: (asked: Asked, store: Store) => Asked;
}

/** The query of List results (section 4.5), understood. */
export interface ResultsQuery {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filter: TimeFilter;
  readonly window: TimeWindow;
  /** Names everything that selects results; a cursor is bound to it. */
  readonly selection: string;
}

/** What a page of results is made from: a query, the list of an agent, and the profile that the pages go by. */
export interface Asked {
  readonly query: ResultsQuery;
  readonly listing: Listing;
  readonly profile: Profile;
}

/** A call whose caller is known. */
export interface AuthenticatedCall extends Call {
  readonly mode: Mode;
}

/** Why a request is refused, in terms of meaning; the profile decides on status and body. */
export interface Refusal {
  readonly kind:
    | 'unauthorized'
    | 'forbidden'
    | 'not-found'
    | 'invalid'
    | 'too-large'
    | 'content-type'
    | 'unknown-route'
    | 'wrong-method'
    | 'rate-limited'
    | 'failed';
  readonly detail: string;
  readonly errors: readonly RequestError[];
  /** The section of the specification that says how it is done. */
  readonly section?: string;
  /** Which form the agent was judged by, and why. */
  readonly form?: string;
  /** What would have been taken: a body, a request line, or a header. */
  readonly example?: JsonObject | string;
  /** What was done in spite of the refusal; a fault may show it. */
  readonly done?: JsonObject;
  /** What the body of the refusal holds beside what the profile gives it. */
  readonly holds?: JsonObject;
  /** In place of the one that the profile gives to refusals of this kind. */
  readonly status?: number;
  /** Extra headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The meaning of an answer; `ok` read something, `created` made something. */
export type Reply = { readonly kind: 'ok' | 'created'; readonly body: JsonObject } | Refusal;

/** How a host hands over an answer; at once and whole where nothing is said. */
export interface Delivery {
  /** Milliseconds to wait first. */
  readonly delay?: number;
  /** Bytes of the body a second. */
  readonly rate?: number;
  readonly connection?: ConnectionFault;
}

/** An answer as bytes-to-be, and how a host hands it over. */
export interface Wire {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How the body becomes bytes. Default: UTF-8. */
  readonly encoding?: 'latin1';
  /** What `body` was written from; missing where it is not JSON, or was changed after it was written. */
  readonly shown?: JsonObject;
  readonly delivery?: Delivery;
}

export const isAccepted = (reply: Reply): reply is Extract<Reply, { kind: 'ok' | 'created' }> =>
  reply.kind === 'ok' || reply.kind === 'created';

export const refuse = (kind: Refusal['kind'], detail: string, errors: readonly RequestError[] = []): Refusal => ({
  kind,
  detail,
  errors,
});
