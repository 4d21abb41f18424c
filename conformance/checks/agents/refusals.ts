import { endpoints, type EndpointId } from '../../../spec/index.ts';
import type { Finding, Missing } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { Answered, Excerpt } from '../../http/exchange.ts';
import { GONE, PERMISSION } from '../../http/statuses.ts';
import { optionNames, type TargetOptions } from '../../target-options.ts';

/** Statuses that mean "not now": the server limits parallel requests, or their rate. */
const NOT_NOW: ReadonlySet<number> = new Set([409, 423, 425, 429, 503]);
/** Statuses that blame the caller's rights or plan, or the moment. */
export const NOT_ALLOWED_NOW: ReadonlySet<number> = new Set([...PERMISSION, ...NOT_NOW]);
/** Statuses that may mean that the thing does not exist. */
export const NOT_THERE: ReadonlySet<number> = new Set([403, ...GONE]);
/** Statuses that say that the method is not allowed, or not implemented. */
export const NO_METHOD: ReadonlySet<number> = new Set([405, 501]);

/** An accident inside the server, if the same request is answered otherwise. */
export const isAccident = (status: number): boolean => status >= 500 && status !== 501;
/** Statuses that show nothing about the request. */
export const isExcused = (status: number): boolean => NOT_ALLOWED_NOW.has(status) || isAccident(status);

/** A refusal, without its body. */
export interface Refusal extends Pick<Answered, 'n' | 'begun' | 'excerpt'> {
  readonly status: number;
}

export function refusalOf({ n, begun, answer, excerpt }: Answered): Refusal {
  return { n, begun, excerpt, status: answer.status };
}

/** What a refused request was about. */
export interface RefusedRequest {
  readonly endpoint: EndpointId;
  /** The option that names the thing. */
  readonly option: keyof TargetOptions | undefined;
  /** Whether the target showed that the named thing exists. */
  readonly isKnown: boolean;
}

/** Why the user's settings may have caused a refusal; `undefined` if nothing excuses it. */
export function excuseFor(
  { status }: Refusal,
  { agents: { modes }, traffic }: Facts,
  { endpoint, option: name, isKnown }: RefusedRequest,
): Missing | undefined {
  const { title, method } = endpoints[endpoint];
  const option = name && optionNames[name].replace(/ of .*/, '');
  const answered = `${title} answered ${status}`;
  const supply = `${option === undefined ? '' : `another ${option}, or `}a token that may do this`;
  if (PERMISSION.has(status)) {
    const settings = option === undefined ? 'the token' : `the token and ${option}`;
    return { reason: `${answered}: check ${settings}.`, supply };
  }
  if (NOT_NOW.has(status)) return { reason: `${answered} every time.` };
  if (method === 'POST' && modes.size > 0 && !modes.has('write'))
    return {
      reason: `${answered}, and currentUserMode says that the access of the token is ${[...modes].join(' and ')}.`,
      supply: 'a token that may create agents',
    };
  if (GONE.has(status) && !isKnown && option !== undefined) return { reason: `${answered}: check ${option}.`, supply };
  if (status >= 300 && status < 500 && traffic.accepted === 0)
    return { reason: `${answered}, and the target accepted nothing else: check base URL and token.` };
  return undefined;
}

/** A refusal of a request that the target had to accept. */
export function refused(
  request: string,
  { status, excerpt }: Pick<Refusal, 'status' | 'excerpt'>,
  others: readonly Excerpt[] = [],
): Finding {
  return { expected: `${request} is accepted`, actual: `the answer was ${status}`, exchanges: [...others, excerpt] };
}

/** An endpoint that gives no complete answer while others do. */
export function unanswered(request: string, excerpt: Excerpt): Finding {
  const actual = `no complete answer came: ${excerpt.failure ?? 'the connection ended'}`;
  return { expected: `${request} is answered`, actual, exchanges: [excerpt] };
}
