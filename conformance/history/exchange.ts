import type { EndpointId } from '../../spec/index.ts';
import type { Slip } from '../shape/envelope.ts';
import type { WireRequest } from '../http/transport.ts';

/** Characters of a body that are kept to be shown. */
export const MAX_KEPT = 2000;

/** What of an exchange is kept to be shown, as it went over the wire: it may hold the token. */
export interface Kept {
  readonly request: WireRequest;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The first {@link MAX_KEPT} characters of the answer's body. */
  readonly body?: string;
  readonly durationMs: number;
  /** Why no complete answer arrived. */
  readonly failure?: string;
}

/**
 * Whose request it is: that of the token that is judged with, of the read or guest token, without credentials, with
 * credentials that are not to be accepted, or with a token of which nothing is known.
 */
export type Caller = 'valid' | 'read' | 'guest' | 'none' | 'wrong' | 'unknown';

/** Whether a caller is one whose valid requests are to be served, as far as is known. */
export const isEntitled = (caller: Caller): boolean => caller === 'valid' || caller === 'unknown';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Success is any 2xx: which one is not shown (section 4.7). */
  readonly accepted: boolean;
  /**
   * The parsed body, shared by answers of the same body; `undefined` where `problem` says what the body is instead.
   * Large ones are parsed again whenever they are asked for: a judge keeps what it needs of them and not the whole.
   */
  readonly json: unknown;
  readonly problem: string | undefined;
  /** What is wrong with the bytes, although they can be read. */
  readonly flaw?: string | undefined;
  /** A name that one object of the body holds twice; looked for in small bodies only. */
  readonly repeats?: string | undefined;
  /** What is wrong with the outermost layer of an accepted answer; `json` is what it should be then. */
  readonly slip?: Slip | undefined;
  /** The first {@link MAX_KEPT} characters of the body. */
  readonly text: string;
}

/** One request with what came of it. */
export interface Exchange {
  /** Its place in the order in which exchanges were begun and completed: one counter counts both. */
  readonly n: number;
  /** The same counter as it was when the request was sent: what was complete before has a smaller `n`. */
  readonly begun: number;
  /** Epoch milliseconds by our clock. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly caller: Caller;
  readonly method: string;
  readonly endpoint: EndpointId;
  /** The agent in the path, where there is one. */
  readonly agentId: string | undefined;
  /** Decoded pairs in their order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The body that was sent, parsed; `undefined` where there was none, or no JSON. */
  readonly sent: unknown;
  /** It asks something that the specification leaves open: its answer is not judged for shape. */
  readonly open: boolean;
  /** The `n` of an exchange from which it differs in `differs` alone. */
  readonly twin?: number;
  /** In what it differs from its twin, in words: `without the Authorization header`. */
  readonly differs?: string;
  /** Missing where no complete answer arrived: `kept.failure` says why. */
  readonly answer?: Answer;
  readonly kept: Kept;
}

/** An exchange with a complete answer. */
export type Answered = Exchange & { readonly answer: Answer };

export const isAnswered = (exchange: Exchange): exchange is Answered => exchange.answer !== undefined;

/** Names the agent and the credential of an exchange. */
export const ownerOf = ({ agentId = '', caller, kept }: Pick<Exchange, 'agentId' | 'caller' | 'kept'>): string =>
  JSON.stringify([agentId, caller, kept.request.headers['authorization'] ?? '']);

/** Whether the first was complete before the second was begun. */
export const isBefore = (first: Pick<Exchange, 'n'>, second: Pick<Exchange, 'begun'>): boolean =>
  first.n < second.begun;

/** The only value of a query parameter, or `undefined` where there is none. */
export const parameter = ({ query }: Exchange, name: string): string | undefined =>
  query.find(([key]) => key === name)?.[1];
