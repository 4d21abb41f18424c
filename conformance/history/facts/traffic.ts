import { endpointIds, endpoints, type EndpointId } from '../../../spec/index.ts';
import { acceptsCodings, codingsOf } from '../../../http/form.ts';
import {
  isAnswered,
  isEntitled,
  isWithoutAccess,
  type Answered,
  type Exchange,
  type Excerpt,
} from '../../http/exchange.ts';
import { valueFor } from '../../collections.ts';
import { NOT_SERVED } from '../../http/statuses.ts';
import type { Policy } from '../policy.ts';
import { stringAt } from '../../json.ts';

const emptyAccount = () => ({
  requests: 0,
  statuses: new Map<number, number>(),
  unanswered: 0,
  firstAccepted: undefined as Exchange | undefined,
  lastAccepted: undefined as Exchange | undefined,
  /** With which statuses it has refused the user's caller since then. */
  refusedSince: new Set<number>(),
  /** How long the first thousand answers took, in milliseconds. */
  took: [] as number[],
  /** Accepted answers with an agent that names another version than 6. */
  otherVersions: 0,
});

function isInAcceptedCoding({ answer, excerpt: { request, headers } }: Answered): boolean {
  const accepted = request.headers['accept-encoding'] ?? (request.form && codingsOf(request.form));
  return acceptsCodings(accepted, answer.headers['content-encoding'] ?? headers?.['content-encoding'] ?? '');
}

const NAMES_NOTHING: EndpointId = 'create-workspace';

export function createTrafficFacts({ asksAgain }: Pick<Policy, 'asksAgain'> = { asksAgain: false }) {
  const accounts = new Map<EndpointId, ReturnType<typeof emptyAccount>>();
  const serverErrors: { readonly endpoint: EndpointId; readonly status: number; readonly excerpt: Excerpt }[] = [];
  const of = (endpoint: EndpointId) => valueFor(accounts, endpoint, emptyAccount);
  const accepted = new Set<number>();
  const traffic = {
    requests: 0,
    accepted: 0,
    /** The `n` of the first thousands of accepted exchanges. */
    acceptedOnes: accepted as ReadonlySet<number>,
    serverErrors,
    serverErrorCount: 0,
    /** Answers in a content coding that their requests did not accept. */
    unaccepted: 0,
    /** Retry-After of the last answer that asks to wait. */
    retryAfter: undefined as string | undefined,
    of,
    /** Whether each answer denies its route, also to requests that name nothing, so that no wrong identifier explains it. */
    isNothingThere: (): boolean =>
      endpointIds.every((id) => [...of(id).statuses.keys()].every((status) => NOT_SERVED.has(status))) &&
      of(NAMES_NOTHING).statuses.size > 0,
    see(exchange: Exchange): void {
      const { endpoint, excerpt } = exchange;
      const account = of(endpoint);
      traffic.requests++;
      account.requests++;
      if (!isAnswered(exchange)) {
        account.unanswered++;
        return;
      }
      // Without the parsed body, which must not be kept.
      const { answer, ...bare } = exchange;
      const { status } = answer;
      const { sentAt, answeredAt } = exchange;
      if (answeredAt !== undefined && account.took.length < 1000) account.took.push(answeredAt - sentAt);
      if (status === 429 || status === 503) traffic.retryAfter = answer.headers['retry-after'];
      account.statuses.set(status, (account.statuses.get(status) ?? 0) + 1);
      if (!isInAcceptedCoding(exchange)) traffic.unaccepted++;
      if (status >= 500 && (!asksAgain || exchange.open || isWithoutAccess(exchange.caller))) {
        traffic.serverErrorCount++;
        if (serverErrors.length < 20) serverErrors.push({ endpoint, status, excerpt });
      }
      if (!answer.accepted) {
        if (isEntitled(exchange.caller) && !exchange.open) account.refusedSince.add(status);
        return;
      }
      traffic.accepted++;
      if (accepted.size < 5_000) accepted.add(exchange.n);
      const { holds, mayBeVersion5 } = endpoints[endpoint];
      const version = stringAt(answer.json, holds, 'version');
      if (mayBeVersion5 === true && version !== undefined && version !== '6') account.otherVersions++;
      if (!isEntitled(exchange.caller)) return;
      account.firstAccepted ??= bare;
      account.lastAccepted = bare;
      account.refusedSince.clear();
    },
  };
  return traffic;
}
