import type { EndpointId } from '../../../spec/index.ts';
import type { MockRequest, Mode } from '../../call.ts';

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

/** The circumstances of a request, besides the data. */
export interface Circumstances {
  /** Requests to the service before this one. */
  readonly requestsBefore: number;
  /** Milliseconds since the first request, by the mock's clock. */
  readonly sinceFirst: number;
  /** Other requests in flight. */
  readonly underWay: number;
  readonly keptConnection: boolean;
  /** Whether the endpoint has answered about the agent before. */
  readonly wasRead: boolean;
  /** The mode of the caller; `undefined` for an unknown caller. */
  readonly mode: Mode | undefined;
  /** Counts the requests with a key, from 0. */
  readonly turn: (of: string) => number;
}

export const createMemory = (): Memory => ({ requests: 0, firstAt: undefined, read: new Set(), turns: new Map() });

/** No identifier and no endpoint id contains a line feed. */
const readKey = (endpoint: EndpointId, agentId: string): string => `${endpoint}\n${agentId}`;

/** Records that an endpoint has answered about an agent. */
export const noteRead = (memory: Memory, endpoint: EndpointId, agentId: string): void => {
  if (agentId !== '') memory.read.add(readKey(endpoint, agentId));
};

/** The circumstances of a request. `now` is in epoch milliseconds of the mock's clock. */
export function circumstancesOf(
  memory: Memory,
  { underWay = 0, keptConnection = false }: MockRequest,
  about: {
    readonly endpoint: EndpointId;
    readonly agentId: string;
    readonly now: number;
    readonly mode: Mode | undefined;
  },
): Circumstances {
  const { endpoint, agentId, now, mode } = about;
  return {
    requestsBefore: memory.requests,
    sinceFirst: now - (memory.firstAt ?? now),
    underWay,
    keptConnection,
    wasRead: memory.read.has(readKey(endpoint, agentId)),
    mode,
    turn(of) {
      const turn = memory.turns.get(of) ?? 0;
      memory.turns.set(of, turn + 1);
      return turn;
    },
  };
}
