import type { Mode } from './store/overlay.ts';
import type { EndpointId, Profile, TimeFilter } from '../spec/index.ts';
import type { IncomingRequest } from '../http/exchange.ts';
import type { Json, JsonObject } from '../text/json.ts';
import type { TimeWindow } from './store/time-window.ts';
import type { Listing } from './store/listing.ts';
import type { Store } from './store/store.ts';
import type refusals from './refusals.json';

export type { Mode };

/** The tokens that the mock knows, each with its mode. */
export type Tokens = ReadonlyMap<string, Mode>;

/** A request as any host (Express, fetch, a test) passes it to {@link answer}. */
export interface MockRequest extends IncomingRequest {
  readonly body?: Uint8Array;
  /** The host read more bytes than `bodyLimit` allows, and discarded them. */
  readonly oversize?: boolean;
  /** The path at which a host has mounted the mock, or `..` often enough if the host hides it. Default: none. */
  readonly base?: string;
  /** How many other requests the host is answering. */
  readonly underWay?: number;
  /** Whether the request is not the first on its connection. */
  readonly keptConnection?: boolean;
}

export interface RequestError {
  /** `header/authorization`, `path`, `query/limit`, or `body` with a JSON Pointer: `body/agent/name`. */
  readonly location: string;
  readonly message: string;
  /** What was probably meant, in the form for that place: a name, a value (JSON in a body), or a request line. */
  readonly meant?: string;
}

/** A request that belongs to an endpoint, on its way through the pipeline. */
export interface Call {
  readonly endpoint: EndpointId;
  /** Percent-decoded; empty if the path has no parameter. */
  readonly agentId: string;
  /** Decoded pairs in the order of the URL. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** The request as received, names of headers in lower case. */
  readonly visit: IncomingRequest;
  readonly tokens: Tokens;
  /** The parsed body; or what is wrong with it; `undefined` if there was none. A fault that changes it leaves out the text. */
  readonly body: { readonly value: Json; readonly text?: string } | { readonly refusal: Refusal } | undefined;
  /** Epoch milliseconds of the mock's clock. */
  readonly now: number;
  readonly profile: Profile;
  /** `unknown` until authentication. A fault sets `granted` to let a caller in, `refused-late` to obey and then refuse. */
  readonly mode: Mode | 'unknown' | 'granted' | 'refused-late';
  /** Whether the page of results is the last one, if the upstream said so. */
  readonly isLastPage?: boolean;
  /** Makes an accepted list come from something other than the request; faults set it. */
  readonly relist?: (list: ListRequest, store: Store) => ListRequest;
}

/** The parsed query of List results (section 4.5). */
export interface ResultsQuery {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filter: TimeFilter;
  readonly window: TimeWindow;
  /** Identifies everything that selects results; a cursor is bound to it. */
  readonly selection: string;
}

/** What a page of results depends on: a query, the agent's list, and the profile. */
export interface ListRequest {
  readonly query: ResultsQuery;
  readonly listing: Listing;
  readonly profile: Profile;
}

export interface AuthenticatedCall extends Call {
  readonly mode: Mode;
}

/** The reason for a refusal. The profile chooses status and body. */
export interface Refusal {
  readonly kind: keyof typeof refusals;
  readonly detail: string;
  readonly errors: readonly RequestError[];
  /** The section of the specification that has the rule. */
  readonly section?: string;
  /** The form, version 5 or 6, that the agent was validated against, and why. */
  readonly form?: string;
  /** What the mock would accept instead: a body, a request line, or a header. */
  readonly example?: JsonObject | string;
  /** The reply to the operation that was performed despite the refusal; a fault may show it. */
  readonly done?: JsonObject;
  /** Members of the refusal's body beyond those of the profile. */
  readonly holds?: JsonObject;
  /** Replaces the profile's status for this kind of refusal. */
  readonly status?: number;
  /** Extra headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The meaning of a success: `ok` read something, `created` created something. */
export interface Accepted {
  readonly kind: 'ok' | 'created';
  readonly body: JsonObject;
  /** The JSON of `body`, if it was written before. */
  readonly text?: string;
}

export type Reply = Accepted | Refusal;

/** What an operation does: a valid call, applied to the data. It knows no status codes. */
export type EndpointLogic = (call: AuthenticatedCall, store: Store) => Reply;

export const bodyOf = ({ body }: Pick<Call, 'body'>): Json | undefined => {
  if (body && 'value' in body) return body.value;
  return undefined;
};

export const isAccepted = (reply: Reply): reply is Accepted => reply.kind === 'ok' || reply.kind === 'created';

export function refuse(kind: Refusal['kind'], detail: string, ...errors: readonly RequestError[]): Refusal {
  return { kind, detail, errors };
}
