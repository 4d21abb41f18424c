import type { EndpointId } from '../../spec/index.ts';
import type { MockRequest } from '../call.ts';
import type { Mode } from '../caller.ts';

/** What a session remembers of its requests to the service, for faults that depend on what was before. */
export interface Memory {
  requests: number;
  /** Epoch milliseconds of the mock's clock at the first request. */
  firstAt: number | undefined;
  /** Agents that an endpoint has answered about, as {@link readKey}. */
  readonly read: Set<string>;
  /** How many requests each fault was about that is committed now and then. */
  readonly turns: Map<string, number>;
}

/** What a request meets, beside the data. */
export interface Circumstances {
  /** Requests to the service before this one. */
  readonly requestsBefore: number;
  /** Milliseconds since the first request, by the mock's clock. */
  readonly sinceFirst: number;
  /** Other requests that are being answered. */
  readonly underWay: number;
  readonly keptConnection: boolean;
  /** Whether the endpoint has answered about the agent before. */
  readonly wasRead: boolean;
  /** The mode of the caller; `undefined` for one who is not known. */
  readonly mode: Mode | undefined;
  /** Counts the requests that something is about, from 0. */
  readonly turn: (of: string) => number;
}

export const createMemory = (): Memory => ({ requests: 0, firstAt: undefined, read: new Set(), turns: new Map() });

/** No identifier and no id of an endpoint holds a line feed. */
const readKey = (endpoint: EndpointId, agentId: string): string => `${endpoint}\n${agentId}`;

/** Notes that an endpoint has answered about an agent. */
export const noteRead = (memory: Memory, endpoint: EndpointId, agentId: string): void => {
  if (agentId !== '') memory.read.add(readKey(endpoint, agentId));
};

/** What a request to an endpoint meets. `now` in epoch milliseconds of the mock's clock. */
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
