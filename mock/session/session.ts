import type { ConversationResult, Profile, Workspace } from '../../spec/index.ts';
import type { JsonObject } from '../json.ts';
import type { Mode } from '../caller.ts';
import type { MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { resolveFaults } from '../faults/index.ts';
import { sendable } from '../wire/sendable.ts';
import type { Journal } from '../journal/journal.ts';
import { MockError } from '../mock-error.ts';
import type { Plan, PlanRequest, Plans } from '../on-demand/plans.ts';
import type { StandingAnswers } from '../on-demand/standing.ts';
import { editsOf, type Edits } from './edits.ts';
import { resolveProfile, type ProfileChoice } from '../profiles/index.ts';
import { exportedSeed } from '../store/seed/exported-seed.ts';
import { newResults } from '../store/new-results.ts';
import type { Seed } from '../store/seed/seed.ts';
import type { Store } from '../store/store.ts';
import { targetOf, type MockTarget } from '../store/target.ts';
import type { Memory } from '../faults/triggers/circumstances.ts';
import type { Clock } from './clock.ts';
import { handle, respond } from './handle.ts';
import { begin, measure, reset, restore, stateOf, storeOf, type Beginning, type Running } from './running.ts';
import type { SessionState } from '../state/session-state.ts';
import { checkWorld, isSameWorld, worldOf, type World } from '../store/world.ts';
import { checkSettings, type Settings } from './settings.ts';
import {
  checkSnapshotName,
  checkSnapshots,
  difference,
  type PatchOperation,
  type Snapshot,
} from '../state/snapshots.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { UpstreamControls } from '../upstream/controls.ts';

/** A separate world: it has its own data, clock, faults, latency, plans and journal, which no other session sees. */
export interface Session extends Edits {
  /** Empty for the session of requests that name none. */
  readonly id: string;
  /**
   * Answers one request by the mock alone. Never throws. `delivery` of the answer says what its host must do besides sending
   * it.
   */
  handle(request: MockRequest): Wire;
  /** The same, but for what the upstream answers, if there is one. Never throws, and never rejects. */
  respond(request: MockRequest): Wire | Promise<Wire>;
  /** Who answers each endpoint, the mock or its upstream; `undefined` without one. */
  readonly upstream: UpstreamControls | undefined;
  readonly store: Store;
  readonly target: MockTarget;

  /** What faults under a trigger know about earlier requests. */
  readonly memory: Memory;
  readonly clock: Clock;
  /** Epoch milliseconds of the session's clock. */
  now(): number;

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
  /**
   * Adds results: a number of generated ones, the newest created now, or the given ones. @throws MockError @returns
   * their ids.
   */
  addResults(agentId: string, results: number | readonly Partial<ConversationResult>[]): readonly string[];

  readonly journal: Journal;
  readonly plans: Plans;
  /** Answers that stay until they are removed. What a request prefers and what a plan says goes first. */
  readonly standing: StandingAnswers;
  /** Answers the next requests as the steps say, one after another. @throws MockError */
  plan(on: PlanRequest['on'], steps: PlanRequest['steps']): Plan;

  /** Names of the snapshots, oldest first. */
  readonly snapshots: readonly string[];
  /** Saves data and clock under a name, and replaces a snapshot of that name. @throws MockError for an invalid name. */
  takeSnapshot(name: string): void;
  /** @throws MockError if there is no snapshot of that name. */
  restoreSnapshot(name: string): void;
  deleteSnapshot(name: string): boolean;
  /** The changes from one snapshot to another, or to the present state. @throws MockError */
  diff(from: string, to?: string): readonly PatchOperation[];

  /**
   * Resets the session to its beginning: data, clock, profile, faults, settings, plans, standing answers, journal, and who
   * answers each endpoint. Snapshots stay.
   */
  reset(): void;
  /** Adopts what the mock now begins with, and a profile if given. Written data stays. */
  rebase(profile?: Profile): void;
  state(): SessionState;
  /** Restores a state; plans and journal stay. @throws MockError, and then nothing has changed. */
  restore(state: SessionState): void;
}

/** @throws MockError if it cannot continue from the given state. */
export function createSession(beginning: Beginning, id: string, from?: SessionState): Session {
  const running = begin(beginning, id, from);
  const { clock, journal, plans, standing } = running;
  return {
    id,
    handle: sendable((request) => handle(running, request)),
    respond: sendable((request) => respond(running, request)),
    get upstream() {
      return running.upstream?.controls;
    },
    get store() {
      return running.store;
    },
    get target() {
      return targetOf(running.store, beginning.tokens);
    },
    get memory() {
      return running.memory;
    },
    get profile() {
      return running.profile;
    },
    get world() {
      return worldOf(running.world ?? beginning);
    },
    get faults() {
      return running.faults.map((fault) => fault.id);
    },
    get settings() {
      return running.settings;
    },
    get snapshots() {
      return [...running.snapshots.keys()];
    },
    clock,
    journal,
    plans,
    standing,
    now: () => clock.now(),
    plan: (on, steps) => plans.add({ on, steps }),
    exportSeed: () => exportedSeed(running.store),
    ...behaviourOf(running),
    ...dataOf(running),
    ...editsOf(running),
    ...snapshotsOf(running),
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
}

/** How a session answers. */
const behaviourOf = (running: Running): Pick<Session, 'setProfile' | 'setWorld' | 'setFaults' | 'setSettings'> => ({
  setProfile(next, choices) {
    running.profile = resolveProfile(next, choices);
    running.store = storeOf(running.beginning, running.world, running.profile);
    measure(running);
  },
  setWorld(changes) {
    const { beginning, profile } = running;
    const world = checkWorld({ ...(running.world ?? worldOf(beginning)), ...changes });
    const next = isSameWorld(world, beginning) ? undefined : world;
    running.store = storeOf(beginning, next, profile);
    running.world = next;
    measure(running);
  },
  setFaults(ids) {
    running.faults = resolveFaults(ids);
  },
  setSettings(next) {
    running.settings = checkSettings({ ...running.settings, ...next });
  },
});

type DataControls = Pick<
  Session,
  'setPublished' | 'setArchived' | 'setClosed' | 'setMode' | 'setSuspended' | 'addResults'
>;

/** Changes to a session's data without a request to the service. */
function dataOf(running: Running): DataControls {
  const { id, beginning, clock } = running;
  const now = (): string => new Date(clock.now()).toISOString();
  const setFlag = (agentId: string, changes: JsonObject): boolean => {
    const stored = running.store.agent(agentId);
    if (!stored) return false;
    running.store.putAgent(agentId, { ...stored.agent, ...changes, updatedAt: now() }, stored.origin);
    running.store.takeOver(agentId);
    return true;
  };
  return {
    setPublished(agentId, published) {
      running.store.takeOver(agentId);
      if (published) return running.store.publish(agentId, clock.now());
      return running.store.unpublish(agentId);
    },
    setArchived: (agentId, isArchived) => setFlag(agentId, { isArchived }),
    setClosed: (agentId, isClosed) => setFlag(agentId, { isClosed }),
    setMode(agentId, mode, token) {
      if (!beginning.tokens.has(token))
        throw new MockError(
          'The mock does not know this token. It prints its tokens when it starts, and GET /__admin/target lists them.',
        );
      if (!['guest', 'read', 'write'].includes(mode))
        throw new MockError(`A mode must be guest, read or write; this is ${JSON.stringify(mode)}.`);
      if (!running.store.agent(agentId)) return false;
      running.store.setMode(token, agentId, mode);
      return true;
    },
    setSuspended(workspaceId, isSuspended) {
      const workspace = running.store.workspace(workspaceId);
      if (!workspace) return false;
      const changes: Partial<Workspace> = { isSuspended, updatedAt: now() };
      running.store.putWorkspace(workspaceId, { ...workspace, ...(changes as JsonObject) });
      return true;
    },
    addResults(agentId, results) {
      const { room } = beginning;
      const refusal = room.refusal(id, 0);
      if (refusal !== undefined) throw new MockError(refusal);
      const { store } = running;
      const before = store.overlay().results.get(agentId)?.length ?? 0;
      const added = newResults(store, agentId, results, clock.now());
      for (const result of store.overlay().results.get(agentId)?.slice(before) ?? [])
        room.take(id, JSON.stringify(result).length);
      return added;
    },
  };
}

type SnapshotControls = Pick<Session, 'takeSnapshot' | 'restoreSnapshot' | 'deleteSnapshot' | 'diff'>;

function snapshotsOf(running: Running): SnapshotControls {
  const { beginning, clock } = running;
  const named = (name: string): Snapshot => {
    const { snapshots } = running;
    const found = snapshots.get(name);
    if (found) return found;
    const known =
      snapshots.size === 0 ? 'There are no snapshots yet' : `The snapshots are ${[...snapshots.keys()].join(', ')}`;
    throw new MockError(`There is no snapshot ${JSON.stringify(name)}. ${known}.${didYouMean(name, snapshots.keys())}`);
  };
  return {
    takeSnapshot(name) {
      checkSnapshotName(name);
      const next = new Map(running.snapshots);
      next.delete(name);
      const { world } = running;
      next.set(name, { overlay: running.store.overlay(), clock: clock.state, world });
      checkSnapshots(next);
      running.snapshots = next;
    },
    restoreSnapshot(name) {
      const { overlay, clock: at, world } = named(name);
      running.store = storeOf(beginning, world, running.profile, overlay);
      running.world = world;
      measure(running);
      clock.restore(at);
    },
    deleteSnapshot(name) {
      const next = new Map(running.snapshots);
      const was = next.delete(name);
      running.snapshots = next;
      measure(running);
      return was;
    },
    diff(before, after) {
      const now = { overlay: running.store.overlay(), world: running.world };
      const [from, to] = [named(before), after === undefined ? now : named(after)];
      if (!isSameWorld(from.world ?? beginning, to.world ?? beginning))
        throw new MockError(
          'These states belong to two different worlds: the seed or the persona was changed in between.',
        );
      const { world } = from;
      return difference(from.overlay, to.overlay, (overlay) => storeOf(beginning, world, running.profile, overlay));
    },
  };
}
