import type { JsonObject } from '../../../text/json.ts';
import { MockError } from '../../mock-error.ts';
import type { Seed } from './seed.ts';
import { readEach } from '../overlay.ts';
import type { Store } from '../store.ts';

const MOST = 50_000;

/** Everything that a store shows. A result without an id or an instant gets one. @throws MockError if that is too much */
export function exportedSeed(store: Store): Seed {
  checkSize(store);
  const ids = (kind: 'agents' | 'workspaces', idAt: (index: number) => string): readonly string[] => {
    const { written, generated } = store.shown(kind);
    return [...written, ...generated.map(idAt)];
  };
  const agents = ids('agents', store.agentId);
  const workspaces = ids('workspaces', store.workspaceId);
  return {
    whole: true,
    workspaces: workspaces.map((id) => store.workspace(id)).filter((one) => one !== undefined),
    agents: agents.map((id) => store.agent(id)?.agent).filter((one) => one !== undefined),
    publishedAgents: readEach(agents, (id) => store.publishedAgent(id)),
    results: readEach(agents, (id) => {
      const listing = store.results(id);
      const { count } = listing;
      if (count === 0) return undefined;
      // Oldest first, so that results of one instant keep their order.
      return Array.from({ length: count }, (_, i) => count - 1 - i).map((i) => ({
        id: `result-${i}-of-${id}`,
        createdAt: new Date(listing.createdAt(i)).toISOString(),
        ...(listing.at(i) as JsonObject),
      }));
    }),
  };
}

/** Checked before anything is generated. @throws MockError */
function checkSize(store: Store): void {
  const { universe } = store;
  const written = store.overlay();
  let count = universe.agentCount + universe.workspaceCount + written.agents.size + written.workspaces.size;
  for (let i = 0; i < universe.agentCount && count <= MOST; i++) count += universe.resultCount(i);
  for (const added of written.results.values()) count += added.length;
  for (const id of store.seeded().agents) count += store.results(id).count;
  if (count <= MOST) return;
  throw new MockError(
    `The world holds more than the ${MOST} agents, results and workspaces that a seed file takes. Name the persona and the seed instead, and keep what was written with --state.`,
  );
}
