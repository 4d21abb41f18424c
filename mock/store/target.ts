import type { Roles } from '../../fixtures/index.ts';
import type { Tokens, Mode } from '../caller.ts';
import type { Store } from './store.ts';

/** The ids and tokens that a runner needs to judge everything; empty if the world holds no such thing. */
export interface MockTarget {
  readonly token: string;
  readonly readToken?: string;
  readonly guestToken?: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly publishedAgentId: string;
  readonly v5AgentId: string;
}

/** The target that a world offers. */
export function targetOf(store: Store, tokens: Tokens): MockTarget {
  const tokenFor = (mode: Mode): string | undefined => [...tokens].find(([, m]) => m === mode)?.[0];
  const { universe } = store;
  const { roles } = universe.persona;
  const idOf = (...wanted: readonly (keyof Roles)[]): string => {
    const index = wanted.map((role) => roles[role]).find((place) => place !== undefined);
    return index === undefined ? '' : store.agentId(index);
  };
  const readToken = tokenFor('read');
  const guestToken = tokenFor('guest');
  return {
    token: tokenFor('write') ?? readToken ?? guestToken ?? '',
    ...(readToken === undefined ? {} : { readToken }),
    ...(guestToken === undefined ? {} : { guestToken }),
    workspaceId: universe.workspaceCount === 0 ? '' : (universe.workspace(0).id ?? ''),
    agentId: idOf('main'),
    publishedAgentId: idOf('published', 'main'),
    v5AgentId: idOf('v5'),
  };
}
