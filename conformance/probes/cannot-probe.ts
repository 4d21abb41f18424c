import type { Exchange } from '../http/exchange.ts';

/** Something is missing to send a request with. It never counts against the target. */
export class CannotProbe extends Error {
  /** What the user can supply so that it can be sent. */
  readonly supply: string | undefined;

  constructor(reason: string, supply?: string) {
    super(reason);
    this.name = 'CannotProbe';
    this.supply = supply;
  }
}

/** A request of the run got no complete answer. The history has the exchange all the same. */
export class UnansweredProbe extends CannotProbe {
  readonly exchange: Exchange;

  constructor(reason: string, exchange: Exchange) {
    super(reason);
    this.name = 'NoAnswer';
    this.exchange = exchange;
  }
}

/** What a probe resolves with; `undefined` if it cannot be sent. */
export function ifPossible<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch((error: unknown) => {
    if (error instanceof CannotProbe) return undefined;
    throw error;
  });
}
