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

const unlessMissing =
  <T>(value: (missing: CannotProbe) => T) =>
  (error: unknown): T => {
    if (error instanceof CannotProbe) return value(error);
    throw error;
  };

/** What a probe resolves with, or why it cannot be sent. */
export const outcomeOf = <T>(sent: Promise<T>): Promise<T | CannotProbe> => sent.catch(unlessMissing((why) => why));

/** What a probe resolves with; `undefined` if it cannot be sent. */
export const ifPossible = <T>(sent: Promise<T>): Promise<T | undefined> => sent.catch(unlessMissing(() => undefined));
