import type { ConversationResult, Profile, SchemaError } from '../../spec/index.ts';
import { withFields, type JsonObject } from '../../text/json.ts';
import type { Mode, MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { resolveFaults } from '../faults/index.ts';
import { sendable } from '../wire/sendable.ts';
import type { Journal } from '../journal/journal.ts';
import { MockError } from '../mock-error.ts';
import type { Plans } from '../on-demand/plans.ts';
import type { StandingAnswers } from '../on-demand/standing.ts';
import { wrongWith, wrongWithResult } from '../store/resource-errors.ts';
import { resolveProfile, type ProfileChoice } from '../profiles/index.ts';
import { exportedSeed } from '../store/seed/exported-seed.ts';
import { newResults } from '../store/new-results.ts';
import type { Seed } from '../store/seed/seed.ts';
import { ownOrigin, type Store } from '../store/store.ts';
import { targetOf, type MockTarget } from '../store/target.ts';
import type { Memory } from '../faults/triggers/circumstances.ts';
import type { Clock } from './clock.ts';
import { handle, respond } from './handle.ts';
import { begin, measure, reset, restore, stateOf, storeOf, type Beginning } from './running.ts';
import type { Overlay } from '../store/overlay.ts';
import { checkWorld, isSameWorld, worldOf, type World } from '../store/world.ts';
import { checkSettings, type Settings } from './settings.ts';
import type { PatchOperation, SessionState, Snapshot } from '../state/snapshots.ts';
import { checkSnapshots, difference } from '../state/snapshots.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { UpstreamControls } from '../upstream/options.ts';

/** A separate world: it has its own data, clock, faults, latency, plans and journal, which no other session sees. */
export interface Session {
  /** Empty for the session of requests that name none. */
  readonly id: string;
  /** Answers by the mock alone. Never throws. `delivery` of the answer says what its host must do besides sending it. */
  handle(request: MockRequest): Wire;
  /** The same, but for what the upstream answers, if there is one. Never throws, and never rejects. */
  respond(request: MockRequest): Wire | Promise<Wire>;
  /** Who answers each endpoint, the mock or its upstream; `undefined` without one. */
  readonly upstream: UpstreamControls | undefined;
  /** Its data. An agent, result or workspace is removed here, though the service has no operation for that. */
  readonly store: Store;
  readonly target: MockTarget;
  /** What faults under a trigger know about earlier requests. */
  readonly memory: Memory;
  readonly clock: Clock;

  readonly profile: Profile;
  /** Sets another profile. This resets the data, since identifiers may look different. @throws MockError */
  setProfile(profile: ProfileChoice, choices?: Partial<Profile>): void;
  /** The seed and the persona that its data is generated from. */
  readonly world: World;
  /** Generates other data, and drops what was written. A reset returns to the world of the mock. @throws MockError */
  setWorld(changes: Partial<World>): void;
  /** The present data as a seed: a mock that is given it shows the same agents, results and workspaces. @throws MockError for too much. */
  exportSeed(): Seed;
  /** Ids of the active faults. */
  readonly faults: readonly string[];
  /** Activates only these faults. @throws MockError for an unknown id. */
  setFaults(ids: readonly string[]): void;
  readonly settings: Settings;
  /** Changes the given settings; `undefined` switches one off. @throws MockError */
  setSettings(settings: Settings): void;

  /** Publishes or unpublishes an agent; false if there is no such agent. */
  setPublished(agentId: string, published: boolean): boolean;
  setArchived(agentId: string, archived: boolean): boolean;
  setClosed(agentId: string, closed: boolean): boolean;
  /** Sets the mode of a token for one agent. @throws MockError for an unknown token. */
  setMode(agentId: string, mode: Mode, token: string): boolean;
  setSuspended(workspaceId: string, suspended: boolean): boolean;
  /** Adds a number of generated results, the newest created now, or the given ones. @throws MockError @returns their ids. */
  addResults(agentId: string, results: number | readonly Partial<ConversationResult>[]): readonly string[];
  /** Replaces an agent under its id. If it does not match its schema, returns the errors and changes nothing. */
  replaceAgent(agentId: string, agent: JsonObject): readonly SchemaError[] | undefined;
  /** As for an agent. Another `createdAt` moves the result in time. */
  replaceResult(agentId: string, resultId: string, result: JsonObject): readonly SchemaError[] | undefined;
  /** As for an agent. */
  replaceWorkspace(workspaceId: string, workspace: JsonObject): readonly SchemaError[] | undefined;
  /** Copies an agent, unpublished and under a marked name. Returns the id of the copy; `undefined` for an unknown agent. */
  duplicateAgent(agentId: string): string | undefined;

  readonly journal: Journal;
  readonly plans: Plans;
  /** Answers that stay until they are removed. What a request prefers and what a plan says goes first. */
  readonly standing: StandingAnswers;

  /** Names of the snapshots, oldest first. */
  readonly snapshots: readonly string[];
  /** Saves data and clock under a name, and replaces a snapshot of that name. @throws MockError for an invalid name. */
  takeSnapshot(name: string): void;
  /** @throws MockError if there is no snapshot of that name. */
  restoreSnapshot(name: string): void;
  deleteSnapshot(name: string): boolean;
  /** The changes from one snapshot to another, or to the present state. @throws MockError */
  diff(from: string, to?: string): readonly PatchOperation[];

  /** Resets data, clock, profile, faults, settings, plans, standing answers, journal and ways. Snapshots stay. */
  reset(): void;
  /** Adopts what the mock now begins with, and a profile if given. Written data stays. */
  rebase(profile?: Profile): void;
  state(): SessionState;
  /** Restores a state; plans and journal stay. @throws MockError, and then nothing has changed. */
  restore(state: SessionState): void;
}

const UNKNOWN_TOKEN =
  'The mock does not know this token. It prints its tokens when it starts, and GET /__admin/target lists them.';
const NAME_OF_SNAPSHOT = 'The name of a snapshot has up to 100 letters, digits, dots, hyphens and underscores;';
const OTHER_WORLDS = 'These states belong to two different worlds: the seed or the persona was changed in between.';

/** @throws MockError if it cannot continue from the given state. */
export function createSession(beginning: Beginning, id: string, from?: SessionState): Session {
  const running = begin(beginning, id, from);
  const { clock, journal, plans, standing } = running;
  const { room } = beginning;

  const now = (): string => new Date(clock.now()).toISOString();
  const checkRoom = (size: number): void => {
    const refusal = room.refusal(id, size);
    if (refusal !== undefined) throw new MockError(refusal);
  };
  /** Counts what is written by hand. @throws MockError if there is no room. */
  const counted = (value: JsonObject): JsonObject => {
    const { length } = JSON.stringify(value);
    checkRoom(length);
    room.take(id, length);
    return value;
  };
  const changeAgent = (agentId: string, flag: JsonObject): boolean => {
    const stored = running.store.agent(agentId);
    if (stored) running.store.putAgent(agentId, { ...stored.agent, ...flag, updatedAt: now() }, ownOrigin(stored));
    return stored !== undefined;
  };
  const snapshotNamed = (name: string): Snapshot => {
    const { snapshots } = running;
    const found = snapshots.get(name);
    if (found) return found;
    const known =
      snapshots.size === 0 ? 'There are no snapshots yet' : `The snapshots are ${[...snapshots.keys()].join(', ')}`;
    throw new MockError(`There is no snapshot ${JSON.stringify(name)}. ${known}.${didYouMean(name, snapshots.keys())}`);
  };
  const setData = (world: World | undefined, written?: Overlay): void => {
    running.store = storeOf(beginning, world, running.profile, written);
    running.world = world;
    measure(running);
  };

  const session: Omit<Session, Passed> = {
    id,
    handle: sendable((request) => handle(running, request)),
    respond: sendable((request) => respond(running, request)),
    get upstream() {
      return running.upstream?.controls;
    },
    get target() {
      return targetOf(running.store, beginning.tokens);
    },
    get world() {
      return worldOf(running.world ?? beginning);
    },
    get faults() {
      return running.faults.map((fault) => fault.id);
    },
    get snapshots() {
      return [...running.snapshots.keys()];
    },
    clock,
    journal,
    plans,
    standing,
    exportSeed: () => exportedSeed(running.store),

    setProfile(next, choices) {
      const named = typeof next === 'string' ? {} : next;
      running.profile = resolveProfile(next, { ...beginning.steered?.choices, ...named, ...choices });
      setData(running.world);
    },
    setWorld(changes) {
      const world = checkWorld({ ...worldOf(running.world ?? beginning), ...changes });
      setData(isSameWorld(world, beginning) ? undefined : world);
    },
    setFaults(ids) {
      running.faults = resolveFaults(ids);
    },
    setSettings(next) {
      running.settings = checkSettings({ ...running.settings, ...next });
    },

    setPublished: (agentId, published) => running.store.publish(agentId, published ? now() : undefined),
    setArchived: (agentId, isArchived) => changeAgent(agentId, { isArchived }),
    setClosed: (agentId, isClosed) => changeAgent(agentId, { isClosed }),
    setMode(agentId, mode, token) {
      if (!beginning.tokens.has(token)) throw new MockError(UNKNOWN_TOKEN);
      if (!['guest', 'read', 'write'].includes(mode))
        throw new MockError(`A mode must be guest, read or write; this is ${JSON.stringify(mode)}.`);
      if (!running.store.agent(agentId)) return false;
      running.store.setMode(token, agentId, mode);
      return true;
    },
    setSuspended(workspaceId, isSuspended) {
      const workspace = running.store.workspace(workspaceId);
      if (workspace) running.store.putWorkspace(workspaceId, { ...workspace, isSuspended, updatedAt: now() });
      return workspace !== undefined;
    },
    addResults(agentId, results) {
      checkRoom(0);
      const added = newResults(running.store, agentId, results, clock.now());
      running.store.addResults(agentId, added.toReversed());
      for (const result of added) room.take(id, JSON.stringify(result).length);
      return added.map((result) => result.id ?? '');
    },
    replaceAgent(agentId, agent) {
      const stored = running.store.agent(agentId);
      if (!stored) return undefined;
      const errors = wrongWith('agent-in-response', agentId, agent);
      const value = { ...agent, id: agentId, updatedAt: now() };
      if (errors.length === 0) running.store.putAgent(agentId, counted(value), ownOrigin(stored));
      return errors;
    },
    replaceResult(agentId, resultId, result) {
      if (!running.store.result(agentId, resultId)) return undefined;
      const errors = wrongWithResult(resultId, result);
      if (errors.length > 0) return errors;
      const value = counted({ ...result, id: resultId, updatedAt: now() });
      running.store.removeResult(agentId, resultId);
      running.store.addResults(agentId, [value]);
      return errors;
    },
    replaceWorkspace(workspaceId, workspace) {
      if (!running.store.workspace(workspaceId)) return undefined;
      const errors = wrongWith('workspace', workspaceId, workspace);
      const value = { ...workspace, id: workspaceId, updatedAt: now() };
      if (errors.length === 0) running.store.putWorkspace(workspaceId, counted(value));
      return errors;
    },
    duplicateAgent(agentId) {
      const stored = running.store.agent(agentId);
      if (!stored) return undefined;
      const copyId = running.store.newId('agent');
      const name = typeof stored.agent['name'] === 'string' ? `${stored.agent['name']} (copy)` : undefined;
      const fresh = { name, isPublished: false, publicId: undefined, publishedAt: undefined };
      const copy = withFields(stored.agent, { ...fresh, id: copyId, createdAt: now(), updatedAt: now() });
      running.store.putAgent(copyId, counted(copy), 'create');
      return copyId;
    },

    takeSnapshot(name) {
      if (!/^[\w.-]{1,100}$/.test(name))
        throw new MockError(`${NAME_OF_SNAPSHOT} ${JSON.stringify(name.slice(0, 100))} does not fit.`);
      const next = new Map(running.snapshots);
      next.delete(name);
      next.set(name, { overlay: running.store.overlay(), clock: clock.state, world: running.world });
      checkSnapshots(next);
      running.snapshots = next;
    },
    restoreSnapshot(name) {
      const snapshot = snapshotNamed(name);
      setData(snapshot.world, snapshot.overlay);
      clock.restore(snapshot.clock);
    },
    deleteSnapshot(name) {
      const next = new Map(running.snapshots);
      const was = next.delete(name);
      running.snapshots = next;
      measure(running);
      return was;
    },
    diff(before, after) {
      const present = { overlay: running.store.overlay(), world: running.world };
      const [older, newer] = [snapshotNamed(before), after === undefined ? present : snapshotNamed(after)];
      if (!isSameWorld(older.world ?? beginning, newer.world ?? beginning)) throw new MockError(OTHER_WORLDS);
      return difference(older.overlay, newer.overlay, (overlay) =>
        storeOf(beginning, older.world, running.profile, overlay),
      );
    },

    reset: () => reset(running),
    rebase(profile) {
      running.profile = profile ?? running.profile;
      running.store = storeOf(beginning, running.world, running.profile, running.store.overlay());
    },
    restore(state) {
      restore(running, state);
      measure(running);
    },
    state: () => stateOf(running),
  };
  showMembers(session, running, passed);
  return session as Session;
}

const passed = ['store', 'memory', 'profile', 'settings'] as const;
type Passed = (typeof passed)[number];

/** Gives an object some members of another. Each is read when it is used, since some change. */
export function showMembers<T extends object>(to: object, from: T, names: readonly (keyof T)[]): void {
  for (const name of names)
    Object.defineProperty(to, name, { get: () => from[name], enumerable: true, configurable: true });
}
