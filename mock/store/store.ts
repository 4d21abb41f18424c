import { createIdentifiers, type IdentifierFormat, type IdentifierKind, type Universe } from '../../fixtures/index.ts';
import type { ConversationResult, PublicAgent } from '../../spec/index.ts';
import type { JsonObject } from '../json.ts';
import type { Mode } from '../caller.ts';
import { publicForm } from './agent-forms.ts';
import { generatedListing, inOrder, withAdded, withoutPlaces, type Listing } from './listing.ts';
import {
  asBase,
  copyOverlay,
  emptyOverlay,
  modeKey,
  resultsKey,
  type Base,
  type Origin,
  type Overlay,
  type StoredAgent,
} from './overlay.ts';

/** Agents and workspaces, by their identifiers or their indexes. */
export interface Things<T> {
  readonly agents: readonly T[];
  readonly workspaces: readonly T[];
}

/**
 * The data behind the endpoints: an immutable, lazily generated universe, a base that many stores may share, and what
 * was written to this store. Dropping the store drops only what was written.
 */
export interface Store {
  readonly universe: Universe;
  /** The identifier of a generated agent. */
  agentId(index: number): string;
  agent(id: string): StoredAgent | undefined;
  /** The published form of an agent; `undefined` if it is not published. */
  publishedAgent(id: string): JsonObject | undefined;
  putAgent(id: string, agent: JsonObject, origin: Origin): void;
  publish(id: string, now: number): boolean;
  unpublish(id: string): boolean;
  results(agentId: string): Listing;
  /** Adds results, oldest first, to an agent's list, each at its place in time. */
  addResults(agentId: string, results: readonly ConversationResult[]): void;
  result(agentId: string, resultId: string): ConversationResult | undefined;
  /** Replaces a result by id, which may move it in time; false if there is none. */
  replaceResult(agentId: string, result: ConversationResult): boolean;
  removeResult(agentId: string, resultId: string): boolean;
  workspace(id: string): JsonObject | undefined;
  /** The store becomes its owner. */
  putWorkspace(id: string, workspace: JsonObject): void;
  /** Turns an agent from the upstream into one of the store's own. */
  takeOver(agentId: string): void;
  /** Removes an agent with its published form and added results; false if there is none. */
  removeAgent(id: string): boolean;
  /** Its agents stay; false if there is none. */
  removeWorkspace(id: string): boolean;
  /** Replaces the published form of an agent, known or not. */
  putPublished(agentId: string, form: JsonObject): void;
  /** Adds results, oldest first, to an agent's list, and replaces those with the same identifiers. */
  replaceResults(agentId: string, results: readonly ConversationResult[]): void;
  /** Adds a workspace from the upstream. */
  putLearned(workspaceId: string, workspace: JsonObject): void;
  /** Whether an agent, its results, or a workspace was created or changed here, and does not come from the upstream. */
  isOwn(kind: 'agent' | 'results' | 'workspace', id: string): boolean;
  /** Whether it is known here: as above, or generated, or part of your own data. */
  isKnown(kind: 'agent' | 'workspace', id: string): boolean;
  /** The mode of a token for one agent, if it differs from the token's own. */
  mode(token: string, agentId: string): Mode | undefined;
  setMode(token: string, agentId: string, mode: Mode): void;
  /** Whether another written agent or workspace has this public id, slug or name. */
  isTaken(kind: 'publicId' | 'slug' | 'name', value: string): boolean;
  /** Identifiers of what requests created, in order of creation. */
  created(): Things<string>;
  /** Identifiers in the base between the universe and this store. */
  seeded(): Things<string>;
  /** Identifiers of things from the upstream. */
  learned(): Things<string>;
  /** Indexes in the universe of removed or replaced things, in order. */
  removed(): Things<number>;
  newId(kind: IdentifierKind): string;
  /** What was written to this store; a copy that later writes do not change. */
  overlay(): Overlay;
}

/** Indexes of new things among identifiers, beyond the size of any universe. */
const NEW = 0xffff_ffff;

/** `base` lies between the universe and the written data, and never changes; `written` is the initial written data. */
export function createStore(
  universe: Universe,
  format: IdentifierFormat,
  base: Base = asBase(emptyOverlay()),
  written?: Overlay,
): Store {
  const layers: Layers = { universe, base, overlay: written ? copyOverlay(written) : emptyOverlay() };
  const { overlay } = layers;
  const identifiers = createIdentifiers(universe.seed, format);
  const newId = (kind: IdentifierKind): string => {
    const count = overlay.counters.get(kind) ?? 0;
    overlay.counters.set(kind, count + 1);
    const id = identifiers.of(kind, NEW, count);
    // A seed may hold things that another mock created.
    if (base.ids.has(id)) return newId(kind);
    return id;
  };
  return {
    universe,
    agentId(index) {
      const { id } = asJson(universe.agent(index)) as { readonly id: string };
      return id;
    },
    ...resourcesIn(layers),
    ...publicationsIn(layers, newId),
    ...resultsIn(layers),
    ...originsIn(layers),
    mode: (token, agentId) => overlay.modes.get(modeKey(token, agentId)) ?? base.modes.get(modeKey(token, agentId)),
    setMode: (token, agentId, mode) => void overlay.modes.set(modeKey(token, agentId), mode),
    created: () => createdIn(layers),
    seeded() {
      return {
        agents: keptOf(base, 'agents', (id) => agentIn(layers, id)),
        workspaces: keptOf(base, 'workspaces', (id) => workspaceIn(layers, id)),
      };
    },
    learned() {
      return {
        agents: agentsOf(overlay, 'upstream'),
        workspaces: [...overlay.learned].filter((id) => overlay.workspaces.has(id)),
      };
    },
    removed() {
      return {
        agents: removedFrom(layers, 'agents', (id) => universe.agentIndex(id)),
        workspaces: removedFrom(layers, 'workspaces', (id) => universe.workspaceIndex(id)),
      };
    },
    newId,
    overlay: () => copyOverlay(overlay),
  };
}

/** The layers in which data is looked up, the last first. */
interface Layers {
  readonly universe: Universe;
  readonly base: Overlay;
  readonly overlay: Overlay;
}

type Kind = 'agents' | 'workspaces';

function agentIn({ universe, base, overlay }: Layers, id: string): StoredAgent | undefined {
  if (overlay.agents.has(id)) return overlay.agents.get(id);
  if (base.agents.has(id)) return base.agents.get(id);
  const index = universe.agentIndex(id);
  if (index === undefined) return undefined;
  return { agent: asJson(universe.agent(index)), origin: 'universe' };
}

function workspaceIn({ universe, base, overlay }: Layers, id: string): JsonObject | undefined {
  if (overlay.workspaces.has(id)) return overlay.workspaces.get(id);
  if (base.workspaces.has(id)) return base.workspaces.get(id);
  const index = universe.workspaceIndex(id);
  if (index === undefined) return undefined;
  return asJson(universe.workspace(index));
}

function publishedIn({ universe, base, overlay }: Layers, id: string): JsonObject | undefined {
  if (overlay.published.has(id)) return overlay.published.get(id);
  if (base.published.has(id)) return base.published.get(id);
  const index = universe.agentIndex(id);
  if (index === undefined) return undefined;
  return asOptionalJson(universe.publishedAgent(index));
}

/** Identifiers of things of a base that are still there. */
const keptOf = (base: Base, kind: Kind, read: (id: string) => unknown): readonly string[] =>
  [...base[kind].keys()].filter((id) => read(id) !== undefined);

/** Indexes of generated things that a base replaces, or that were removed, in order. */
function removedFrom(
  { base, overlay }: Layers,
  kind: Kind,
  indexOf: (id: string) => number | undefined,
): readonly number[] {
  const removed = [...overlay[kind].keys()].filter((id) => overlay[kind].get(id) === undefined);
  return [...new Set([...base[kind].keys(), ...removed])]
    .map(indexOf)
    .filter((index) => index !== undefined)
    .toSorted((one, other) => one - other);
}

/** Removes what was written without a trace, and leaves a mark if a lower layer has it. */
function removeFrom(things: Map<string, unknown>, id: string, isUnderneath: boolean): void {
  if (isUnderneath) things.set(id, undefined);
  else things.delete(id);
}

type Resources = Pick<
  Store,
  'agent' | 'putAgent' | 'removeAgent' | 'workspace' | 'putWorkspace' | 'removeWorkspace' | 'isTaken'
>;

/** Agents and workspaces, and the names that must be unique. */
function resourcesIn(layers: Layers): Resources {
  const { universe, base, overlay } = layers;
  const names = { publicId: new Set<unknown>(), slug: new Set<unknown>(), name: new Set<unknown>() };
  const nameAgent = ({ publicId }: JsonObject): void => {
    if (publicId !== undefined) names.publicId.add(publicId);
  };
  const nameWorkspace = ({ slug, name }: JsonObject): void => {
    if (slug !== undefined) names.slug.add(slug);
    if (name !== undefined) names.name.add(name);
  };
  for (const { agents, workspaces } of [base, overlay]) {
    for (const stored of agents.values()) if (stored && stored.origin !== 'universe') nameAgent(stored.agent);
    for (const workspace of workspaces.values()) if (workspace) nameWorkspace(workspace);
  }
  return {
    agent: (id) => agentIn(layers, id),
    putAgent(id, value, origin) {
      overlay.agents.set(id, { agent: value, origin });
      nameAgent(value);
    },
    removeAgent(id) {
      if (!agentIn(layers, id)) return false;
      removeFrom(overlay.agents, id, base.agents.has(id) || universe.agentIndex(id) !== undefined);
      overlay.published.set(id, undefined);
      overlay.results.delete(id);
      overlay.removedResults.delete(id);
      return true;
    },
    workspace: (id) => workspaceIn(layers, id),
    putWorkspace(id, value) {
      overlay.workspaces.set(id, value);
      overlay.learned.delete(id);
      nameWorkspace(value);
    },
    removeWorkspace(id) {
      if (!workspaceIn(layers, id)) return false;
      removeFrom(overlay.workspaces, id, base.workspaces.has(id) || universe.workspaceIndex(id) !== undefined);
      overlay.learned.delete(id);
      return true;
    },
    isTaken: (kind, value) => names[kind].has(value),
  };
}

function publicationsIn(
  layers: Layers,
  newId: Store['newId'],
): Pick<Store, 'publishedAgent' | 'publish' | 'unpublish'> {
  const { overlay } = layers;
  return {
    publishedAgent: (id) => publishedIn(layers, id),
    publish(id, now) {
      const stored = agentIn(layers, id);
      if (!stored) return false;
      const at = new Date(now).toISOString();
      const value = { ...stored.agent, isPublished: true, publishedAt: at };
      overlay.agents.set(id, { ...stored, agent: value });
      overlay.published.set(id, publicForm(value, newId('publicAgent'), at));
      return true;
    },
    unpublish(id) {
      const stored = agentIn(layers, id);
      if (!stored) return false;
      const { publishedAt: _, ...rest } = stored.agent;
      overlay.agents.set(id, { ...stored, agent: { ...rest, isPublished: false } });
      overlay.published.set(id, undefined);
      return true;
    },
  };
}

type Results = Pick<Store, 'results' | 'addResults' | 'replaceResults' | 'result' | 'replaceResult' | 'removeResult'>;

function resultsIn(layers: Layers): Results {
  const { universe, base, overlay } = layers;
  const listings = new Map<string, Listing>();
  const isRemoved = (agentId: string): boolean =>
    (overlay.agents.has(agentId) || base.agents.has(agentId)) && !agentIn(layers, agentId);
  const store: Results = {
    results(agentId) {
      if (isRemoved(agentId)) return generatedListing(universe, undefined);
      const isWritten = [overlay.results, overlay.removedResults, base.results].some((all) => all.has(agentId));
      const known = listings.get(agentId);
      if (known && isWritten) return known;
      const listing = listingIn(layers, agentId);
      if (isWritten) listings.set(agentId, listing);
      return listing;
    },
    addResults(agentId, more) {
      overlay.results.set(agentId, inOrder(overlay.results.get(agentId) ?? [], more));
      overlay.learned.delete(resultsKey(agentId));
      listings.delete(agentId);
    },
    replaceResults(agentId, results) {
      const ids = new Set(results.map(({ id }) => id));
      const others = (overlay.results.get(agentId) ?? []).filter(({ id }) => !ids.has(id));
      overlay.results.set(agentId, inOrder([], inOrder(others, results)));
      overlay.learned.add(resultsKey(agentId));
      listings.delete(agentId);
    },
    result(agentId, id) {
      if (isRemoved(agentId)) return undefined;
      return overlay.results.get(agentId)?.find((one) => one.id === id) ?? resultUnder(layers, agentId, id);
    },
    removeResult(agentId, id) {
      if (!store.result(agentId, id)) return false;
      const added = overlay.results.get(agentId);
      if (added)
        overlay.results.set(
          agentId,
          added.filter((one) => one.id !== id),
        );
      if (resultUnder(layers, agentId, id))
        overlay.removedResults.set(agentId, [...removedResults(layers, agentId), id]);
      listings.delete(agentId);
      return true;
    },
    replaceResult(agentId, result) {
      if (!store.removeResult(agentId, result.id ?? '')) return false;
      store.addResults(agentId, [result]);
      return true;
    },
  };
  return store;
}

const removedResults = ({ overlay }: Layers, agentId: string): readonly string[] =>
  overlay.removedResults.get(agentId) ?? [];

/** The index of a generated result in its agent's list. */
function placeOf({ universe }: Layers, agentId: string, id: string): number | undefined {
  const agent = universe.agentIndex(agentId);
  if (agent === undefined) return undefined;
  return universe.resultIndex(agent, id);
}

/** A result of the layers under the written data. */
function resultUnder(layers: Layers, agentId: string, id: string): ConversationResult | undefined {
  if (removedResults(layers, agentId).includes(id)) return undefined;
  const { universe, base } = layers;
  const place = placeOf(layers, agentId, id);
  const seeded = base.results.get(agentId)?.find((result) => result.id === id);
  if (seeded || place === undefined) return seeded;
  return universe.result(universe.agentIndex(agentId) ?? 0, place);
}

/** The results of all layers as one list. */
function listingIn(layers: Layers, agentId: string): Listing {
  const { universe, base, overlay } = layers;
  const removed = new Set(removedResults(layers, agentId));
  const places = [...removed].map((id) => placeOf(layers, agentId, id)).filter((place) => place !== undefined);
  const below = (base.results.get(agentId) ?? []).filter(({ id }) => !removed.has(id ?? ''));
  const generated = withoutPlaces(generatedListing(universe, universe.agentIndex(agentId)), places);
  return [below, overlay.results.get(agentId) ?? []].reduce(withAdded, generated);
}

/** What comes from the upstream, and what does not. */
function originsIn(layers: Layers): Pick<Store, 'putLearned' | 'putPublished' | 'takeOver' | 'isOwn' | 'isKnown'> {
  const { overlay } = layers;
  const isLearned = (kind: 'agent' | 'workspace', id: string): boolean => {
    if (kind === 'agent') return agentIn(layers, id)?.origin === 'upstream';
    return overlay.learned.has(id);
  };
  return {
    takeOver(id) {
      const stored = agentIn(layers, id);
      if (stored?.origin === 'upstream') overlay.agents.set(id, { ...stored, origin: 'import' });
    },
    putPublished: (agentId, form) => void overlay.published.set(agentId, form),
    putLearned(id, workspace) {
      overlay.workspaces.set(id, workspace);
      overlay.learned.add(id);
    },
    isOwn(kind, id) {
      if (kind === 'results') return overlay.results.has(id) && !overlay.learned.has(resultsKey(id));
      if (isLearned(kind, id)) return false;
      if (kind === 'workspace') return overlay.workspaces.get(id) !== undefined;
      return overlay.agents.get(id) !== undefined || (overlay.results.has(id) && agentIn(layers, id) !== undefined);
    },
    isKnown: (kind, id) =>
      !isLearned(kind, id) && (kind === 'agent' ? agentIn(layers, id) : workspaceIn(layers, id)) !== undefined,
  };
}

const agentsOf = ({ agents }: Overlay, ...origins: readonly Origin[]): readonly string[] =>
  [...agents.keys()].filter((id) => origins.some((origin) => agents.get(id)?.origin === origin));

const createdIn = ({ universe, base, overlay }: Layers): Things<string> => ({
  agents: agentsOf(overlay, 'create', 'import'),
  workspaces: [...overlay.workspaces.keys()].filter(
    (id) => !overlay.learned.has(id) && !base.workspaces.has(id) && universe.workspaceIndex(id) === undefined,
  ),
});

/** A generated resource is plain JSON; its type names only the documented fields. */
const asJson = (resource: object): JsonObject => resource as unknown as JsonObject;
const asOptionalJson = (resource: PublicAgent | undefined): JsonObject | undefined => resource && asJson(resource);
