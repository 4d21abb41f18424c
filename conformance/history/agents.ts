import type { TargetOptions } from '../target-options.ts';
import { field, stringAt } from '../json.ts';
import { isAnswered, type Exchange, type Kept } from './exchange.ts';

/** How an agent came about: by a request of this history, or it was there before. */
export type Origin = 'created' | 'imported' | 'given';

/** An agent of which the history tells. */
export interface AgentFact {
  readonly id: string;
  readonly origin: Origin;
  /** The `n` of the answer that made it; `undefined` for one that was there before. */
  readonly made: number | undefined;
  readonly madeBy: Kept | undefined;
  /** The workspace that was named for it. */
  readonly workspaceId: string | undefined;
}

/** Agents and workspaces: how each came about. */
export interface Agents {
  see(exchange: Exchange): void;
  get(id: string): AgentFact | undefined;
  readonly all: Iterable<AgentFact>;
  /** Ids of workspaces that requests of this history created. */
  readonly workspaces: ReadonlySet<string>;
}

const MAX_AGENTS = 10_000;

export function createAgents({ agentId, publishedAgentId, v5AgentId }: TargetOptions): Agents {
  const agents = new Map<string, AgentFact>();
  const workspaces = new Set<string>();
  for (const id of [agentId, publishedAgentId, v5AgentId])
    if (id !== undefined)
      agents.set(id, { id, origin: 'given', made: undefined, madeBy: undefined, workspaceId: undefined });
  return {
    see(exchange) {
      if (!isAnswered(exchange) || !exchange.answer.accepted || exchange.method !== 'POST') return;
      const { endpoint, answer, n, sent, kept } = exchange;
      if (endpoint === 'create-workspace') {
        const id = stringAt(answer.json, 'workspace', 'id');
        if (id !== undefined && workspaces.size < MAX_AGENTS) workspaces.add(id);
        return;
      }
      const id = stringAt(answer.json, 'agent', 'id');
      if (id === undefined || agents.has(id) || agents.size >= MAX_AGENTS) return;
      const workspaceId = field(sent, 'workspaceId');
      agents.set(id, {
        id,
        origin: endpoint === 'create-agent' ? 'created' : 'imported',
        made: n,
        madeBy: kept,
        workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
      });
    },
    get: (id) => agents.get(id),
    get all() {
      return agents.values();
    },
    workspaces,
  };
}
