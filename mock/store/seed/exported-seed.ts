import type { JsonObject } from '../../../text/json.ts';
import { MockError } from '../../mock-error.ts';
import type { Seed } from './seed.ts';
import { readEach } from '../overlay.ts';
import type { Store } from '../store.ts';

const MOST = 50_000;

/** Everything that a store shows. A result without an id or an instant gets one. @throws MockError if that is too much */
export function exportedSeed(store: Store): Seed {
  const { universe } = store;
  const [created, seeded, removed] = [store.created(), store.seeded(), store.removed()];
  checkSize(store);
  const ids = (kind: 'agents' | 'workspaces', count: number, idAt: (i: number) => string): readonly string[] => {
    const gone = new Set(removed[kind]);
    const generated = Array.from({ length: count }, (_, i) => i)
      .filter((i) => !gone.has(i))
      .map(idAt);
    return [...new Set([...created[kind].toReversed(), ...seeded[kind], ...generated])];
  };
  const agents = ids('agents', universe.agentCount, (i) => store.agentId(i));
  const workspaces = ids('workspaces', universe.workspaceCount, (i) => universe.workspace(i).id ?? '');
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
