import type { Exchange } from './exchange.ts';

/** Everything that was sent and received, in the order of completion. It passes on what it hears and keeps nothing. */
export interface History {
  /** The place of a request that is being sent, or of an exchange that is complete. */
  tick(): number;
  /** `body` is that of the answer, whole. */
  append(exchange: Exchange, body?: Uint8Array): void;
}

/** @param listeners see every exchange in their order: facts before judges. */
export function createHistory(listeners: readonly ((exchange: Exchange, body?: Uint8Array) => void)[]): History {
  let ticks = 0;
  return {
    tick: () => ++ticks,
    append(exchange, body) {
      for (const listener of listeners) listener(exchange, body);
    },
  };
}
