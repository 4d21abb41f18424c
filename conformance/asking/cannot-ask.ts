import type { Exchange } from '../http/exchange.ts';

/** Something is missing to ask with. It never counts against the target. */
export class CannotAsk extends Error {
  /** What the user can supply so that it can be asked. */
  readonly supply: string | undefined;

  constructor(reason: string, supply?: string) {
    super(reason);
    this.name = 'CannotAsk';
    this.supply = supply;
  }
}

/** A request of the run got no complete answer. The history has the exchange all the same. */
export class NoAnswer extends CannotAsk {
  readonly exchange: Exchange;

  constructor(reason: string, exchange: Exchange) {
    super(reason);
    this.name = 'NoAnswer';
    this.exchange = exchange;
  }
}
