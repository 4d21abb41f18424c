import { endpoints, isCreatingAgents, isReadingAgent } from '../../../spec/index.ts';
import { stringAt } from '../../json.ts';
import { isAnswered, type Exchange } from '../../http/exchange.ts';

/** The workspaces in the history. */
export interface Workspaces {
  see(exchange: Exchange): void;
  /** Ids of workspaces that requests of this history created. */
  readonly made: ReadonlySet<string>;
  /** Workspaces that are known to exist: created, shown by an agent, or in use for one. */
  readonly known: ReadonlySet<string>;
  /** Workspaces in which an agent was created. */
  readonly used: ReadonlySet<string>;
}

const MAX_WORKSPACES = 2000;

export function createWorkspaces(): Workspaces {
  const [made, known, used] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const add = (id: string | undefined, ...sets: readonly Set<string>[]): void => {
    if (id !== undefined) for (const set of sets) if (set.size < MAX_WORKSPACES) set.add(id);
  };
  return {
    made,
    known,
    used,
    see(exchange) {
      if (!isAnswered(exchange) || !exchange.answer.accepted) return;
      const { endpoint, method, answer, sent } = exchange;
      if (isReadingAgent(endpoint) && method === 'GET') add(stringAt(answer.json, 'agent', 'workspaceId'), known);
      if (method !== 'POST') return;
      if (isCreatingAgents(endpoint)) add(stringAt(sent, 'workspaceId'), known, used);
      if (endpoints[endpoint].holds === 'workspace') add(stringAt(answer.json, 'workspace', 'id'), made, known);
    },
  };
}
