import type { Call, Mode, MockRequest } from '../../call.ts';

/** What a session remembers of earlier requests, for faults that depend on them. */
export interface Memory {
  requests: number;
  /** Epoch milliseconds of the mock's clock at the first request. */
  firstAt: number | undefined;
  /** Agents that an endpoint has answered about, as {@link readKey}. */
  readonly read: Set<string>;
  /** How many requests each now-and-then fault applied to. */
  readonly turns: Map<string, number>;
}

export type Circumstances = ReturnType<typeof circumstancesOf>;

export const createMemory = (): Memory => ({ requests: 0, firstAt: undefined, read: new Set(), turns: new Map() });

/** Names an agent that an endpoint answers about; no identifier and no endpoint id contains a line feed. */
export const readKey = ({ endpoint, agentId }: Pick<Call, 'endpoint' | 'agentId'>): string => `${endpoint}\n${agentId}`;

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
    wasRead: memory.read.has(readKey(call)),
    mode,
    turn(of: string): number {
      const turn = memory.turns.get(of) ?? 0;
      memory.turns.set(of, turn + 1);
      return turn;
    },
  };
}
