import { endpointIds, type EndpointId } from '../../../spec/index.ts';
import { isAnswered, isEntitled, type Exchange, type Excerpt } from '../../http/exchange.ts';

/** The answers to requests to one endpoint. */
export interface EndpointTraffic {
  readonly requests: number;
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests without a complete answer. */
  readonly unanswered: number;
  /** The first and the last accepted answer to a caller with valid credentials. */
  readonly firstAccepted: Exchange | undefined;
  readonly lastAccepted: Exchange | undefined;
}

/** A status above 499, with its request. */
export interface ServerError {
  readonly endpoint: EndpointId;
  readonly status: number;
  readonly excerpt: Excerpt;
}

/** Requests by endpoint, and their answers. */
export interface TrafficFacts {
  see(exchange: Exchange): void;
  of(endpoint: EndpointId): EndpointTraffic;
  readonly requests: number;
  readonly accepted: number;
  /** The first few answers with a status above 499. */
  readonly serverErrors: readonly ServerError[];
  /** How many there were. */
  readonly serverErrorCount: number;
}

const MAX_SERVER_ERRORS = 20;

type Account = { -readonly [K in keyof EndpointTraffic]: EndpointTraffic[K] } & { statuses: Map<number, number> };

export function createTrafficFacts(): TrafficFacts {
  const accounts = new Map<EndpointId, Account>(
    endpointIds.map((id) => [
      id,
      { requests: 0, statuses: new Map(), unanswered: 0, firstAccepted: undefined, lastAccepted: undefined },
    ]),
  );
  const serverErrors: ServerError[] = [];
  let requests = 0;
  let accepted = 0;
  let serverErrorCount = 0;

  const of = (endpoint: EndpointId): Account => {
    const account = accounts.get(endpoint);
    if (!account) throw new Error(`there is no endpoint ${endpoint}`);
    return account;
  };

  return {
    see(exchange) {
      const account = of(exchange.endpoint);
      requests++;
      account.requests++;
      if (!isAnswered(exchange)) {
        account.unanswered++;
        return;
      }
      const { status } = exchange.answer;
      account.statuses.set(status, (account.statuses.get(status) ?? 0) + 1);
      if (status >= 500) {
        serverErrorCount++;
        if (serverErrors.length < MAX_SERVER_ERRORS)
          serverErrors.push({ endpoint: exchange.endpoint, status, excerpt: exchange.excerpt });
      }
      if (!exchange.answer.accepted) return;
      accepted++;
      if (!isEntitled(exchange.caller)) return;
      // Without its parsed body, which must not be kept.
      const { answer: _, ...bare } = exchange;
      account.firstAccepted ??= bare;
      account.lastAccepted = bare;
    },
    of,
    get requests() {
      return requests;
    },
    get accepted() {
      return accepted;
    },
    serverErrors,
    get serverErrorCount() {
      return serverErrorCount;
    },
  };
}
