import type { EndpointId } from '../../spec/index.ts';
import type { HttpAnswer, HttpExchange } from '../../http/exchange.ts';
import { show } from '../show.ts';
import type { ReadBody } from './read-body.ts';

/** The part of an exchange that is kept for the report, as it went over the wire: it may hold the token. */
export interface Excerpt extends Pick<HttpExchange, 'request'>, Partial<Omit<HttpAnswer, 'body'>> {
  /** The first 2000 characters of the answer's body. */
  readonly body?: string;
  readonly durationMs: number;
  /** Why no complete answer arrived. With a status, it had begun. */
  readonly failure?: string;
  /** The answer was larger than what we read, so that nothing is known of it. */
  readonly isTooLarge?: true;
}

/**
 * The credentials of a request: the main token, the read or guest token, none, credentials that the target must refuse,
 * or a token about which nothing is known.
 */
export type Caller = 'valid' | 'read' | 'guest' | 'none' | 'wrong' | 'unknown';

/** Whether the valid requests of a caller must be served, as far as is known. */
export const isEntitled = (caller: Caller): boolean => caller === 'valid' || caller === 'unknown';

export const isWithoutAccess = (caller: Caller): boolean => caller === 'none' || caller === 'wrong';

/** What is wrong with the outermost layer of an answer. */
export interface Slip {
  readonly expected: string;
  readonly actual: string;
  /** JSON Pointer to the place where the documented part is instead. */
  readonly at?: string;
  /** Nothing documented is there, so there is nothing more to judge. */
  readonly isAll?: boolean;
}

/** The status of an answer, and where a redirect leads: no run follows one, since a contract names its paths (section 4). */
export function statusWords({ status = 0, headers }: Pick<Excerpt, 'status' | 'headers'>): string {
  const location = headers?.['location'];
  if (status < 300 || status > 399 || location === undefined) return String(status);
  const [, path = location] = /^https?:\/\/[^/]*(\/[^?]*)/.exec(location) ?? [];
  return `${status}, a redirect to ${show(path)}, which no run follows, since section 4 names the paths`;
}

/** A complete answer. A large body is parsed again at each access: a judge keeps only what it needs. */
export interface Answer extends Omit<HttpAnswer, 'body'>, ReadBody {
  /** Success is any 2xx, since the specification shows no status (section 4.7). */
  readonly accepted: boolean;
  /** What is wrong with the outermost layer of an accepted answer. `json` is then the corrected content. */
  readonly slip?: Slip | undefined;
  /** The first 2000 characters of the body, and the length of the whole. */
  readonly text: string;
  readonly bytes?: number;
}

/** One request and its result: what the judge knows of an {@link HttpExchange}. */
export interface Exchange extends Pick<HttpExchange, 'sentAt' | 'answeredAt'> {
  /** Its place in the order in which exchanges began and completed: one counter counts both. */
  readonly n: number;
  /** The same counter when the request was sent: exchanges that were complete before have a smaller `n`. */
  readonly begun: number;
  readonly caller: Caller;
  readonly method: string;
  readonly endpoint: EndpointId;
  /** The agent in the path, if there is one. */
  readonly agentId: string | undefined;
  /** Decoded pairs, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The parsed body of the request; `undefined` if there was none, or if it was not JSON. */
  readonly sent: unknown;
  /** The request asks something that the specification leaves open, so the shape of its answer is not judged. */
  readonly open: boolean;
  /** The `n` of an exchange from which it differs only in `differs`. */
  readonly twin?: number;
  /** How it differs from that exchange, in words: `without the Authorization header`. */
  readonly differs?: string;
  /** Its form is so unusual that it may also stay unanswered. */
  readonly isOdd?: boolean | undefined;
  /** Missing if no complete answer arrived: `excerpt.failure` says why. */
  readonly answer?: Answer;
  readonly excerpt: Excerpt;
}

/** An exchange with a complete answer. */
export type Answered = Exchange & { readonly answer: Answer };

export const isAnswered = (exchange: Exchange): exchange is Answered => exchange.answer !== undefined;

export const isAccepted = (exchange: Exchange): exchange is Answered => exchange.answer?.accepted === true;

/** Names the agent and the credential of an exchange. */
export const ownerOf = ({ agentId = '', caller, excerpt }: Pick<Exchange, 'agentId' | 'caller' | 'excerpt'>): string =>
  `${caller} ${excerpt.request.headers['authorization'] ?? ''}\n${agentId}`;

/** The only value of a query parameter, or `undefined` if there is none. */
export const queryValue = ({ query }: Exchange, name: string): string | undefined =>
  query.find(([key]) => key === name)?.[1];
