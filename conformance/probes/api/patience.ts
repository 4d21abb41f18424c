import type { EndpointId } from '../../../spec/index.ts';
import type { TransportError } from '../../../http/explain-failure.ts';

/**
 * After this many exhausted retries in a row, the run waits no more. After this many missing answers in a row from one
 * endpoint, it sends no more requests to that endpoint. After this many time-outs in a row, on more than one endpoint,
 * it sends no more requests at all.
 */
export const PATIENCE = 3;

/** How long the run goes on asking a target, or one endpoint, that does not answer. */
export interface Patience {
  /** Why the run asks this endpoint no more; `undefined` if it still does. */
  refusalFor(endpoint: EndpointId): string | undefined;
  answered(endpoint: EndpointId): void;
  missed(endpoint: EndpointId, error: TransportError): void;
  readonly answers: number;
  /** Why the last request got no answer. */
  readonly lastFailure: string | undefined;
  /** Why the run sends no more requests, once it gave up on the target. */
  readonly givenUp: string | undefined;
}

export function createPatience(): Patience {
  /** Missing answers in a row, per endpoint. */
  const missing = new Map<EndpointId, number>();
  /** The endpoints whose requests timed out since the last answer. */
  let overdue: EndpointId[] = [];
  let answers = 0;
  let lastFailure: string | undefined;
  let givenUp: string | undefined;

  const ranOutOfTime = (endpoint: EndpointId): void => {
    overdue.push(endpoint);
    if (overdue.length < PATIENCE || new Set(overdue).size === 1) return;
    givenUp = `The target stopped answering: ${overdue.length} requests in a row ran out of time, so no further one is sent.`;
  };

  return {
    refusalFor(endpoint) {
      const failures = [...missing.values()].reduce((sum, n) => sum + n, 0);
      if ((missing.get(endpoint) ?? 0) >= PATIENCE || (answers === 0 && failures >= PATIENCE))
        return `No further request was made after ${PATIENCE} without an answer: ${lastFailure ?? ''}`;
      return undefined;
    },
    answered(endpoint) {
      missing.delete(endpoint);
      overdue = [];
      answers++;
    },
    missed(endpoint, error) {
      lastFailure = error.message;
      missing.set(endpoint, (missing.get(endpoint) ?? 0) + 1);
      if (error.failure === 'timeout') ranOutOfTime(endpoint);
      else overdue = [];
    },
    get answers() {
      return answers;
    },
    get lastFailure() {
      return lastFailure;
    },
    get givenUp() {
      return givenUp;
    },
  };
}
