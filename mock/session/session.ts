import type { Profile } from '../../spec/index.ts';
import type { MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { resolveFaults } from '../faults/index.ts';
import { sendable } from '../wire/sendable.ts';
import type { Journal } from '../journal/journal.ts';
import type { Plans } from '../on-demand/plans.ts';
import type { StandingAnswers } from '../on-demand/standing.ts';
import { resolveProfile, type ProfileChoice } from '../profiles/index.ts';
import { exportedSeed } from '../store/seed/exported-seed.ts';
import type { Seed } from '../store/seed/seed.ts';
import type { Store } from '../store/store.ts';
import { targetOf, type MockTarget } from '../store/target.ts';
import type { Memory } from '../circumstances.ts';
import type { Clock } from './clock.ts';
import { createEdits, type Edits } from './edits.ts';
import { handle, respond } from './handle.ts';
import { begin, measure, reset, restore, setData, stateOf, storeOf, type Beginning } from './running.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import { checkWorld, isSameWorld, worldOf, type World } from '../store/world.ts';
import { checkSettings, type Settings } from './settings.ts';
import type { SessionState } from '../state/snapshots.ts';
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

  /** Changes to its data by hand, for which the service has no operations. */
  readonly edits: Edits;
  readonly journal: Journal;
  readonly plans: Plans;
  /** Answers that stay until they are removed. What a request prefers and what a plan says goes first. */
  readonly standing: StandingAnswers;

  /** Its data and clock, saved under names. */
  readonly snapshots: Snapshots;
  /** Resets data, clock, profile, faults, settings, plans, standing answers, journal and ways. Snapshots stay. */
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

  const session: Omit<Session, Passed> = {
    id,
    handle: sendable((request) => handle(running, request)),
    respond: sendable((request) => respond(running, request)),
    get upstream() {
      return running.behind.controls;
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
    clock,
    journal,
    plans,
    standing,
    edits: createEdits(running),
    snapshots: createSnapshots(running),
    exportSeed: () => exportedSeed(running.store),

    setProfile(next, choices) {
      const named = typeof next === 'string' ? {} : next;
      running.profile = resolveProfile(next, { ...beginning.steered?.choices, ...named, ...choices });
      setData(running, running.world);
    },
    setWorld(changes) {
      const world = checkWorld({ ...worldOf(running.world ?? beginning), ...changes });
      setData(running, isSameWorld(world, beginning) ? undefined : world);
    },
    setFaults(ids) {
      running.faults = resolveFaults(ids);
    },
    setSettings(next) {
      running.settings = checkSettings({ ...running.settings, ...next });
    },

    reset: reset.bind(undefined, running),
    rebase(profile) {
      running.profile = profile ?? running.profile;
      running.store = storeOf(beginning, running.world, running.profile, running.store.overlay());
    },
    restore(state) {
      restore(running, state);
      measure(running);
    },
    state: stateOf.bind(undefined, running),
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
