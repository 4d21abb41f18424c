import type { Roles } from '../../fixtures/index.ts';
import type { Tokens } from '../call.ts';
import { agentForm } from './agent-forms.ts';
import type { Store } from './store.ts';

/** The ids and tokens that a runner needs to judge everything; empty if the world has none. */
export interface MockTarget {
  readonly token: string;
  readonly readToken?: string;
  readonly guestToken?: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly publishedAgentId: string;
  readonly v5AgentId: string;
}

export function targetOf(store: Store, tokens: Tokens): MockTarget {
  /** The first of each mode. */
  const tokenByMode = new Map([...tokens].toReversed().map(([token, mode]) => [mode, token]));
  const { universe } = store;
  const { roles } = universe.persona;
  const idOf = (...wanted: readonly (keyof Roles)[]): string => {
    const index = wanted.map((role) => roles[role]).find((place) => place !== undefined);
    const id = index !== undefined && store.agentId(index);
    if (id && store.agent(id)) return id;
    return '';
  };
  const own = (universe.agentCount === 0 && seededTarget(store)) || undefined;
  const readToken = tokenByMode.get('read');
  const guestToken = tokenByMode.get('guest');
  return {
    token: tokenByMode.get('write') ?? readToken ?? guestToken ?? '',
    readToken,
    guestToken,
    workspaceId: firstWorkspaceId(store),
    agentId: own?.main ?? idOf('main'),
    publishedAgentId: own?.published ?? idOf('published', 'main'),
    v5AgentId: own?.v5 ?? idOf('v5'),
  };
}

/** If no agent is generated: the one with the most results, and the first that is published, or of version 5. */
function seededTarget(store: Store): { readonly main?: string; readonly published?: string; readonly v5?: string } {
  const { agents } = store.seeded();
  const main = agents.reduce<string | undefined>(
    (most, id) => (most === undefined || store.results(id).count > store.results(most).count ? id : most),
    undefined,
  );
  const first = (is: (id: string) => boolean): string | undefined => {
    if (main !== undefined && is(main)) return main;
    return agents.find(is);
  };
  const published = first((id) => store.publishedAgent(id) !== undefined);
  const v5 = agents.find((id) => agentForm(store.agent(id)?.agent['version']) === 'v5');
  return { main, published, v5 };
}

/** A workspace for new agents: the first that still exists; empty if there is none. */
export function firstWorkspaceId(store: Store): string {
  const { universe } = store;
  for (let i = 0; i < universe.workspaceCount; i++) {
    const id = store.workspaceId(i);
    if (store.workspace(id)) return id;
  }
  return store.created().workspaces[0] ?? store.seeded().workspaces[0] ?? '';
}
