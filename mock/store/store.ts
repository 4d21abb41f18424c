import { createIdentifiers, type IdentifierFormat, type IdentifierKind, type Universe } from '../../fixtures/index.ts';
import type { ConversationResult } from '../../spec/index.ts';
import { withFields, type JsonObject } from '../../text/json.ts';
import { publicForm } from './agent-forms.ts';
import { generatedListing, inOrder, withAdded, withoutPlaces, type Listing } from './listing.ts';
import type { Mode, Base, Origin, Overlay, StoredAgent } from './overlay.ts';
import { asBase, copyOverlay, PackedAgent, pairKey } from './overlay.ts';

export interface Things<T> {
  readonly agents: readonly T[];
  readonly workspaces: readonly T[];
}

/** Indexes of new things among identifiers, beyond the size of any universe. */
const NEW = 0xffff_ffff;

export interface Store extends ReturnType<typeof createStore> {}

/** An immutable, generated universe, a base over it that many stores may share, and what was written to this store. */
export function createStore(
  universe: Universe,
  format: IdentifierFormat,
  base: Base = asBase(copyOverlay()),
  written?: Overlay,
) {
  const overlay = copyOverlay(written);
  const identifiers = createIdentifiers(universe.seed, format);
  const names = namesIn([base, overlay]);
  const listings = new Map<string, Listing>();

  const { agentIndex, workspaceIndex } = universe;
  const agent = (id: string): StoredAgent | undefined =>
    lookUp(id, [overlay.agents, base.agents], agentIndex, (index) => ({
      agent: universe.agent(index),
      origin: 'universe',
    }));
  const workspace = (id: string): JsonObject | undefined =>
    lookUp(id, [overlay.workspaces, base.workspaces], workspaceIndex, (index) => universe.workspace(index));
  const isLearned = (kind: 'agent' | 'workspace', id: string): boolean =>
    kind === 'agent' ? agent(id)?.origin === 'upstream' : overlay.learned.has(id);

  /** Whether an agent was removed that the base or the written data had. */
  const isRemoved = (id: string): boolean => (overlay.agents.has(id) || base.agents.has(id)) && !agent(id);
  const placeOf = (agentId: string, id: string): number | undefined => {
    const index = agentIndex(agentId);
    return index === undefined ? undefined : universe.resultIndex(index, id);
  };
  const resultUnder = (agentId: string, id: string): ConversationResult | undefined => {
    if (overlay.removedResults.get(agentId)?.includes(id) === true) return undefined;
    const place = placeOf(agentId, id);
    const seeded = base.results.get(agentId)?.find((result) => result.id === id);
    if (seeded || place === undefined) return seeded;
    return universe.result(universe.agentIndex(agentId) ?? 0, place);
  };
  const listingOf = (agentId: string): Listing => {
    const removed = new Set(overlay.removedResults.get(agentId));
    const places = [...removed].map((id) => placeOf(agentId, id)).filter((place) => place !== undefined);
    const below = (base.results.get(agentId) ?? []).filter(({ id }) => !removed.has(id ?? ''));
    const generated = withoutPlaces(generatedListing(universe, universe.agentIndex(agentId)), places);
    return [below, overlay.results.get(agentId) ?? []].reduce(withAdded, generated);
  };
  const agentsFrom = (...origins: readonly Origin[]): readonly string[] =>
    Array.from(overlay.agents).flatMap(([id, stored]) => (stored && origins.includes(stored.origin) ? [id] : []));

  const store = {
    universe,
    agentId: (index: number): string => (universe.agent(index) as { readonly id: string }).id,
    workspaceId: (index: number): string => universe.workspace(index).id ?? '',
    agent,
    /** `text` is its JSON, if that is known. */
    putAgent(id: string, value: JsonObject, origin: Origin, text?: string): void {
      overlay.agents.set(id, text === undefined ? { agent: value, origin } : new PackedAgent(text, origin));
      names.publicId.add(value['publicId']);
    },
    /** Removes an agent with its published form and added results; false if there is none. */
    removeAgent(id: string): boolean {
      if (!agent(id)) return false;
      removeFrom(overlay.agents, id, base.agents.has(id) || universe.agentIndex(id) !== undefined);
      overlay.published.set(id, undefined);
      overlay.results.delete(id);
      overlay.removedResults.delete(id);
      return true;
    },
    /** The published form of an agent; `undefined` if it is not published. */
    publishedAgent: (id: string): JsonObject | undefined =>
      lookUp(id, [overlay.published, base.published], agentIndex, (index) => universe.publishedAgent(index)),
    putPublished: (agentId: string, form: JsonObject): void => void overlay.published.set(agentId, form),
    /** Publishes an agent at an instant (RFC 3339), or unpublishes it, and makes it the store's own; false if there is none. */
    publish(id: string, publishedAt: string | undefined): boolean {
      const stored = agent(id);
      if (!stored) return false;
      const value = withFields(stored.agent, { isPublished: publishedAt !== undefined, publishedAt });
      overlay.agents.set(id, { agent: value, origin: ownOrigin(stored) });
      overlay.published.set(id, undefined);
      if (publishedAt !== undefined)
        overlay.published.set(id, publicForm(value, store.newId('publicAgent'), publishedAt));
      return true;
    },
    workspace,
    putWorkspace(id: string, value: JsonObject, origin?: 'upstream'): void {
      overlay.workspaces.set(id, value);
      if (origin === 'upstream') return void overlay.learned.add(id);
      overlay.learned.delete(id);
      nameWorkspace(names, value);
    },
    /** Its agents stay; false if there is none. */
    removeWorkspace(id: string): boolean {
      if (!workspace(id)) return false;
      removeFrom(overlay.workspaces, id, base.workspaces.has(id) || universe.workspaceIndex(id) !== undefined);
      overlay.learned.delete(id);
      return true;
    },
    results(agentId: string): Listing {
      if (isRemoved(agentId)) return generatedListing(universe, undefined);
      const isWritten = [overlay.results, overlay.removedResults, base.results].some((all) => all.has(agentId));
      if (!isWritten) return listingOf(agentId);
      const listing = listings.get(agentId) ?? listingOf(agentId);
      listings.set(agentId, listing);
      return listing;
    },
    result(agentId: string, id: string): ConversationResult | undefined {
      if (isRemoved(agentId)) return undefined;
      return overlay.results.get(agentId)?.find((result) => result.id === id) ?? resultUnder(agentId, id);
    },
    /** Oldest first, each at its place in time. Learned results replace added ones with the same identifiers. */
    addResults(agentId: string, more: readonly ConversationResult[], origin?: 'upstream'): void {
      const added = overlay.results.get(agentId) ?? [];
      listings.delete(agentId);
      if (origin !== 'upstream') {
        overlay.results.set(agentId, inOrder(added, more));
        return void overlay.learned.delete(pairKey(agentId, 'results'));
      }
      const ids = new Set(more.map(({ id }) => id));
      const others = added.filter(({ id }) => !ids.has(id));
      overlay.results.set(agentId, inOrder([], inOrder(others, more)));
      overlay.learned.add(pairKey(agentId, 'results'));
    },
    removeResult(agentId: string, id: string): boolean {
      if (!store.result(agentId, id)) return false;
      const added = overlay.results.get(agentId)?.filter((result) => result.id !== id);
      if (added) overlay.results.set(agentId, added);
      const removed = overlay.removedResults.get(agentId) ?? [];
      if (resultUnder(agentId, id)) overlay.removedResults.set(agentId, [...removed, id]);
      listings.delete(agentId);
      return true;
    },
    /** Whether an agent, its results, or a workspace was created or changed here, and not learned. */
    isOwn(kind: 'agent' | 'results' | 'workspace', id: string): boolean {
      if (kind === 'results') return overlay.results.has(id) && !overlay.learned.has(pairKey(id, 'results'));
      if (isLearned(kind, id)) return false;
      if (kind === 'workspace') return overlay.workspaces.get(id) !== undefined;
      return overlay.agents.get(id) !== undefined || (overlay.results.has(id) && agent(id) !== undefined);
    },
    /** Whether it is known here: as above, or generated, or part of your own data. */
    isKnown: (kind: 'agent' | 'workspace', id: string): boolean =>
      !isLearned(kind, id) && store[kind](id) !== undefined,
    /** The mode of a token for one agent, if it differs from the token's own. */
    mode: (token: string, agentId: string): Mode | undefined =>
      overlay.modes.get(pairKey(agentId, token)) ?? base.modes.get(pairKey(agentId, token)),
    setMode: (token: string, agentId: string, mode: Mode): void =>
      void overlay.modes.set(pairKey(agentId, token), mode),
    /** The public ids, slugs and names of written agents and workspaces. */
    taken: names as Readonly<Record<keyof Names, ReadonlySet<unknown>>>,
    /** Identifiers of what requests created, in order of creation. */
    created: (): Things<string> => ({
      agents: agentsFrom('create', 'import'),
      workspaces: [...overlay.workspaces.keys()].filter(
        (id) => !overlay.learned.has(id) && !base.workspaces.has(id) && universe.workspaceIndex(id) === undefined,
      ),
    }),
    /** Identifiers in the base between the universe and this store. */
    seeded: (): Things<string> => ({
      agents: [...base.agents.keys()].filter((id) => agent(id) !== undefined),
      workspaces: [...base.workspaces.keys()].filter((id) => workspace(id) !== undefined),
    }),
    learned: (): Things<string> => ({
      agents: agentsFrom('upstream'),
      workspaces: [...overlay.learned].filter((id) => overlay.workspaces.has(id)),
    }),
    /** What is shown: identifiers of what was written, new ones first, and indexes in the universe, in order. */
    shown(kind: keyof Things<never>) {
      const { agentCount, workspaceCount } = universe;
      const [all, indexOf] = (
        { agents: [agentCount, agentIndex], workspaces: [workspaceCount, workspaceIndex] } as const
      )[kind];
      const removed = [...overlay[kind].keys()].filter((id) => overlay[kind].get(id) === undefined);
      const gone = new Set([...base[kind].keys(), ...removed].map(indexOf));
      return {
        written: [...store.created()[kind].toReversed(), ...store.learned()[kind], ...store.seeded()[kind]],
        generated: Array.from({ length: all }, (_, index) => index).filter((index) => !gone.has(index)),
      };
    },
    newId(kind: IdentifierKind): string {
      const count = overlay.counters.get(kind) ?? 0;
      overlay.counters.set(kind, count + 1);
      const id = identifiers.of(kind, NEW, count);
      // A seed may hold things that another mock created.
      if (base.ids.has(id)) return store.newId(kind);
      return id;
    },
    notes: new Map<string, string>(),
    /** What was written to this store; a copy that later writes do not change. */
    overlay: copyOverlay.bind(undefined, overlay),
  };
  return store;
}

/** The origin of an agent once the session has changed it: a learned one becomes the session's own. */
export function ownOrigin({ origin }: StoredAgent): Origin {
  if (origin === 'upstream') return 'import';
  return origin;
}

/** What the first layer has that knows the identifier, or else what is generated, as plain JSON. */
function lookUp<T>(
  id: string,
  layers: readonly ReadonlyMap<string, T | undefined>[],
  indexOf: (id: string) => number | undefined,
  generated: (index: number) => object | undefined,
): T | undefined {
  for (const layer of layers) if (layer.has(id)) return layer.get(id);
  const index = indexOf(id);
  if (index === undefined) return undefined;
  return generated(index) as T | undefined;
}

/** Removes what was written without a trace, and leaves a mark if a lower layer has it. */
function removeFrom(things: Map<string, unknown>, id: string, isUnderneath: boolean): void {
  if (isUnderneath) things.set(id, undefined);
  else things.delete(id);
}

type Names = Readonly<Record<'publicId' | 'slug' | 'name', Set<unknown>>>;

function namesIn(layers: readonly Overlay[]): Names {
  const names: Names = { publicId: new Set(), slug: new Set(), name: new Set() };
  for (const { agents, workspaces } of layers) {
    for (const stored of agents.values())
      if (stored && stored.origin !== 'universe') names.publicId.add(stored.agent['publicId']);
    for (const workspace of workspaces.values()) if (workspace) nameWorkspace(names, workspace);
  }
  return names;
}

function nameWorkspace(names: Names, { slug, name }: JsonObject): void {
  names.slug.add(slug);
  names.name.add(name);
}
