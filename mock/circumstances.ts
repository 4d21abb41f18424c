import type { Call, Mode, MockRequest } from './call.ts';
import { pairKey } from './store/overlay.ts';

/** What a session remembers of earlier requests, for faults that depend on them. */
export interface Memory {
  requests: number;
  /** Epoch milliseconds of the mock's clock at the first request. */
  firstAt: number | undefined;
  /** Endpoints and the agents that they have answered about, as {@link pairKey}. */
  readonly read: Set<string>;
  /** How many requests each now-and-then fault applied to. */
  readonly turns: Map<string, number>;
}

export type Circumstances = ReturnType<typeof circumstancesOf>;

export const createMemory = (): Memory => ({ requests: 0, firstAt: undefined, read: new Set(), turns: new Map() });

export function circumstancesOf(
  call: Call,
  { underWay = 0, keptConnection = false }: MockRequest,
  memory: Memory,
  mode: Mode | undefined,
) {
  return {
    requestsBefore: memory.requests,
    /** Milliseconds, by the mock's clock. */
    sinceFirst: call.now - (memory.firstAt ?? call.now),
    underWay,
    keptConnection,
    wasRead: memory.read.has(pairKey(call.endpoint, call.agentId)),
    mode,
    turn(of: string): number {
      const turn = memory.turns.get(of) ?? 0;
      memory.turns.set(of, turn + 1);
      return turn;
    },
  };
}
