import { endpoints, isCreatingAgents, isReadingAgent } from '../../../spec/index.ts';
import { isAccepted, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { stringAt } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';

/** A workspace that the user gave, or that a request of this history created. */
export interface WorkspaceFact {
  readonly creation: { readonly n: number; readonly excerpt: Excerpt } | undefined;
}

/** The workspaces in the history. */
export interface Workspaces {
  see(exchange: Exchange): void;
  get(id: string | undefined): WorkspaceFact | undefined;
  /** Ids of workspaces that requests of this history created. */
  readonly created: ReadonlySet<string>;
  /** Workspaces that are known to exist: created, shown by an agent, or in use for one. */
  readonly known: ReadonlySet<string>;
  /** Workspaces in which an agent was created. */
  readonly used: ReadonlySet<string>;
}

const MAX_WORKSPACES = 2000;

export function createWorkspaces({ workspaceId: given }: TargetOptions = {}): Workspaces {
  const facts = new Map<string, WorkspaceFact>();
  if (given !== undefined) facts.set(given, { creation: undefined });
  const [created, known, used] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const add = (id: string | undefined, ...sets: readonly Set<string>[]): void => {
    if (id !== undefined) for (const set of sets) if (set.size < MAX_WORKSPACES) set.add(id);
  };
  return {
    get: (id = '') => facts.get(id),
    created,
    known,
    used,
    see(exchange) {
      if (!isAccepted(exchange)) return;
      const { endpoint, method, answer, sent, n, excerpt } = exchange;
      if (isReadingAgent(endpoint)) add(stringAt(answer.json, 'agent', 'workspaceId'), known);
      if (method !== 'POST') return;
      if (isCreatingAgents(endpoint)) add(stringAt(sent, 'workspaceId'), known, used);
      if (endpoints[endpoint].holds !== 'workspace') return;
      const id = stringAt(answer.json, 'workspace', 'id');
      add(id, created, known);
      if (id !== undefined && !facts.has(id) && facts.size < MAX_WORKSPACES)
        facts.set(id, { creation: { n, excerpt } });
    },
  };
}
