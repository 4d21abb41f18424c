import type { EndpointId } from '../../../spec/index.ts';
import type { TransportError } from '../../../http/explain-failure.ts';

/**
 * After this many exhausted retries in a row, the run waits no more. After this many missing answers in a row from one
 * endpoint, it sends no more requests to that endpoint. After this many time-outs in a row, on more than one endpoint,
 * it sends no more requests at all.
 */
export const PATIENCE = 3;

export interface ApiStatistics {
  /** Requests sent, retries included. */
  requests: number;
  answers: number;
  /** Answers that broke off, or could not be unpacked. */
  begun: number;
  /** The statuses of answers with 429 or 503. */
  readonly limited: number[];
  lastFailure?: string;
  givenUp?: string;
  /** That the run sent as many as it may, once it would have sent more. */
  spent?: string;
}

/** How long the run goes on asking a target, or one endpoint, that does not answer. */
export function createPatience(statistics: ApiStatistics) {
  const missing = new Map<EndpointId, number>();
  /** The endpoints whose requests timed out since the last answer. */
  let overdue: EndpointId[] = [];
  return {
    /** Why the run asks this endpoint no more; `undefined` if it still does. */
    refusalFor(endpoint: EndpointId): string | undefined {
      const failures = [...missing.values()].reduce((sum, n) => sum + n, 0);
      if ((missing.get(endpoint) ?? 0) >= PATIENCE || (statistics.answers === 0 && failures >= PATIENCE))
        return `No further request was made after ${PATIENCE} without an answer: ${statistics.lastFailure ?? ''}`;
      return undefined;
    },
    answered(endpoint: EndpointId): void {
      missing.delete(endpoint);
      overdue = [];
      statistics.answers++;
    },
    /** @param isAgain whether the same request was missed just before; only silence counts again. */
    missed(endpoint: EndpointId, { message, failure, begun }: TransportError, isAgain = false): void {
      statistics.lastFailure = message;
      if (begun) statistics.begun++;
      if (isAgain && failure !== 'timeout') return;
      missing.set(endpoint, (missing.get(endpoint) ?? 0) + 1);
      overdue = failure === 'timeout' ? [...overdue, endpoint] : [];
      if (overdue.length < PATIENCE || new Set(overdue).size === 1) return;
      statistics.givenUp = `The target stopped answering: ${overdue.length} requests in a row ran out of time, so no further one is sent.`;
    },
  };
}
