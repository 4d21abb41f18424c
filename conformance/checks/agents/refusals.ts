import { endpoints, type EndpointId } from '../../../spec/index.ts';
import type { Finding, Missing } from '../../check.ts';
import { GONE, PERMISSION } from '../../http/statuses.ts';
import type { Answered, Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { optionNames, type TargetOptions } from '../../target-options.ts';

/** Statuses that mean "not now": the server limits parallel requests, or their rate. */
const NOT_NOW: ReadonlySet<number> = new Set([409, 423, 425, 429, 503]);
/** Statuses that may mean that the thing does not exist. */
export const NOT_THERE: ReadonlySet<number> = new Set([403, ...GONE]);

/** Refusals that blame the caller's rights or plan, which is nobody's fault. */
export const isPermission = (status: number): boolean => PERMISSION.has(status);
export const isNotNow = (status: number): boolean => NOT_NOW.has(status);
/** An accident inside the server, if the same request is answered otherwise. */
export const isAccident = (status: number): boolean => status >= 500 && status !== 501;

/** Statuses that say that the method is not allowed, or not implemented. */
export const isNoMethod = (status: number): boolean => status === 405 || status === 501;

/** A refusal, as it is kept. */
export interface KeptRefusal {
  /** When it was sent, in epoch milliseconds. */
  readonly sentAt: number;
  readonly n: number;
  readonly begun: number;
  readonly status: number;
  readonly kept: Kept;
}

export const refusalOf = ({ n, begun, sentAt, answer, kept }: Answered): KeptRefusal => ({
  n,
  begun,
  sentAt,
  kept,
  status: answer.status,
});

/** Why the user's settings may have caused a refusal; `undefined` if nothing excuses it. */
export function excuseFor(
  { status }: KeptRefusal,
  facts: Facts,
  asked: {
    readonly endpoint: EndpointId;
    readonly option: keyof TargetOptions | undefined;
    /** Whether the target showed that the named thing exists. */
    readonly isKnown: boolean;
  },
): Missing | undefined {
  const { title, method } = endpoints[asked.endpoint];
  const option = asked.option === undefined ? undefined : optionNames[asked.option].replace(/ of .*/, '');
  const said = `${title} answered ${status}`;
  if (PERMISSION.has(status))
    return {
      reason: `${said}: check the token${option === undefined ? '' : ` and ${option}`}.`,
      supply: supplyOf(option),
    };
  if (NOT_NOW.has(status)) return { reason: `${said} every time.` };
  const { modes } = facts.agents;
  if (method === 'POST' && modes.size > 0 && !modes.has('write'))
    return {
      reason: `${said}, and currentUserMode says that the access of the token is ${[...modes].join(' and ')}.`,
      supply: 'a token that may create agents',
    };
  if (GONE.has(status) && !asked.isKnown && option !== undefined)
    return { reason: `${said}: check ${option}.`, supply: supplyOf(option) };
  if (status >= 300 && status < 500 && facts.traffic.accepted === 0)
    return { reason: `${said}, and the target accepted nothing else: check base URL and token.` };
  return undefined;
}

const supplyOf = (option: string | undefined): string =>
  option === undefined ? 'a token that may do this' : `another ${option}, or a token that may do this`;

/** A refusal of a request that the target had to accept. */
export const refused = (request: string, { status, kept }: KeptRefusal, others: readonly Kept[] = []): Finding => ({
  expected: `${request} is accepted`,
  actual: `the answer was ${status}`,
  exchanges: [...others, kept],
});

/** An endpoint that gives no complete answer while others do. */
export const unanswered = (request: string, kept: Kept): Finding => ({
  expected: `${request} is answered`,
  actual: `no complete answer came: ${kept.failure ?? 'the connection ended'}`,
  exchanges: [kept],
});
