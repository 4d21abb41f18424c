import { endpoints, type EndpointId } from '../../../spec/index.ts';
import type { Finding, Missing } from '../../check.ts';
import { wordOf } from '../../history/facts/failures.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { statusWords, type Answered, type Excerpt } from '../../http/exchange.ts';
import { GONE, NO_METHOD, PERMISSION } from '../../http/statuses.ts';
import { optional } from '../../show.ts';
import { optionOf, plainFlags, supplyFor } from '../../probes/prerequisites.ts';

/** Statuses that may mean that the thing does not exist. */
export const NOT_THERE: ReadonlySet<number> = new Set([403, ...GONE]);

/** A refusal, without its body. */
export interface Refusal extends Pick<Answered, 'n' | 'begun' | 'excerpt'> {
  readonly status: number;
}

export function refusalOf({ n, begun, answer, excerpt }: Answered): Refusal {
  return { n, begun, excerpt, status: answer.status };
}

/** Why the user's settings may have caused a refusal; `undefined` if nothing excuses it. */
export function excuseFor(
  { status, excerpt }: Refusal,
  { agents: { modes }, traffic }: Facts,
  endpoint: EndpointId,
  isKnown: boolean,
): Missing | undefined {
  const { title, method } = endpoints[endpoint];
  const option = optionOf(endpoint);
  const flag = option && plainFlags[option];
  const answered = `${title} answered ${statusWords(excerpt)}`;
  const supply = supplyFor(flag);
  if (NO_METHOD.has(status) || traffic.isNothingThere()) return undefined;
  if (PERMISSION.has(status)) return { reason: `${answered}: check the token${optional` and ${flag}`}.`, supply };
  if (method === 'POST' && modes.size > 0 && !modes.has('write'))
    return {
      reason: `${answered}, and currentUserMode says that the access of the token is ${[...modes].join(' and ')}.`,
      supply: 'a token that may create agents',
    };
  if (GONE.has(status) && !isKnown && flag !== undefined) return { reason: `${answered}: check ${flag}.`, supply };
  if (wordOf(status) === 'not-now') return { reason: `${answered} every time.` };
  if (traffic.accepted === 0)
    return { reason: `${answered}, and the target accepted nothing else: check base URL and token.` };
  return undefined;
}

/** A refusal of a request that the target had to accept. */
export function refused(
  request: string,
  { excerpt }: Pick<Refusal, 'excerpt'>,
  others: readonly Excerpt[] = [],
): Finding {
  const actual = `the answer was ${statusWords(excerpt)}`;
  return { expected: `${request} is accepted`, actual, exchanges: [...others, excerpt] };
}
