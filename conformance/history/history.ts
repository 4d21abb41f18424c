import type { Exchange } from '../http/exchange.ts';

/** Everything that was sent and received, in the order of completion. It notifies its listeners and keeps nothing. */
export type History = ReturnType<typeof createHistory>;

/** @param listeners see every exchange in order: facts before judges. */
export function createHistory(listeners: readonly ((exchange: Exchange, body?: Uint8Array) => void)[]) {
  let ticks = 0;
  return {
    /** The next number, for a request that is being sent or an exchange that is complete. */
    tick: () => ++ticks,
    /** `body` is the whole body of the answer. */
    append(exchange: Exchange, body?: Uint8Array): void {
      for (const listener of listeners) listener(exchange, body);
    },
  };
}
