import { fraction, seedWord, textWord } from '../../fixtures/universe/chance/hash.ts';
import type { Profile } from '../../spec/index.ts';
import type { Caches } from '../caches.ts';
import type { Tokens } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { type NamedFault, resolveFaults } from '../faults/index.ts';
import type { Journal, Journals } from '../journal/journal.ts';
import { createPlans, type Plans } from '../on-demand/plans.ts';
import { createStandingAnswers, type StandingAnswers } from '../on-demand/standing.ts';
import { resolveProfile } from '../profiles/index.ts';
import type { Base, Overlay } from '../store/overlay.ts';
import type { Steered } from '../steering/steering.ts';
import { createStore, type Store } from '../store/store.ts';
import { createMemory } from '../circumstances.ts';
import { alone, type BehindSession } from './behind.ts';
import { type Clock, createClock } from './clock.ts';
import type { Room } from '../state/room.ts';
import { checkSettings, createRateLimiter, type Settings } from './settings.ts';
import type { ClockState, SessionState, Snapshot } from '../state/snapshots.ts';
import type { World } from '../store/world.ts';

/** What stands behind a mock. */
export interface Behind {
  /** Whether a session adopts what it answers, so that reading changes data. */
  readonly learns: boolean;
  /** Its part in a session, at the beginning. */
  readonly join: (session: Running) => BehindSession;
}

export interface Beginning extends World {
  /** Epoch milliseconds of the world's anchor. */
  readonly anchor: number;
  readonly clock: ClockState;
  readonly tokens: Tokens;
  readonly profile: Profile;
  readonly faults: readonly NamedFault[];
  readonly settings: Settings;
  readonly base: Base;
  /** The same for a session with a world of its own. @throws MockError if it does not fit. */
  readonly baseOf: (world: World, profile: Profile) => Base;
  /** Whether answers are validated by their schemas, and requests checked for mistakes. */
  readonly validate: boolean;
  readonly journals: Journals;
  readonly room: Room;
  readonly caches: Caches;
  readonly behind: Behind;
  /** What a run of a client's tests imposes. */
  readonly steered: Steered | undefined;
}

/** A running session: what its requests and its controls read and change. */
export interface Running extends ReturnType<typeof initial> {
  readonly id: string;
  readonly beginning: Beginning;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly plans: Plans;
  readonly standing: StandingAnswers;
  behind: BehindSession;
  snapshots: ReadonlyMap<string, Snapshot>;
}

/** A session at its beginning. @throws MockError if it cannot continue from the given state. */
export function begin(beginning: Beginning, id: string, from?: SessionState): Running {
  const running: Running = {
    id,
    beginning,
    clock: createClock(beginning.clock),
    journal: beginning.journals.open(id),
    plans: createPlans(),
    standing: createStandingAnswers(),
    behind: alone,
    snapshots: new Map(),
    ...initial(beginning, id),
  };
  running.behind = beginning.behind.join(running);
  if (from) restore(running, from);
  return running;
}

export function reset(running: Running): void {
  const { beginning, id } = running;
  running.clock.restore(beginning.clock);
  running.plans.clear();
  running.standing.clear();
  running.journal.clear();
  Object.assign(running, initial(beginning, id));
  running.behind = beginning.behind.join(running);
  measure(running);
}

/** Puts other data in place of the present, in its world, `undefined` for the mock's. @throws MockError */
export function setData(running: Running, world: World | undefined, written?: Overlay): void {
  running.store = storeOf(running.beginning, world, running.profile, written);
  running.world = world;
  measure(running);
}

/** Makes room for what was removed. */
export const measure = (running: Running): void => running.beginning.room.measure(running.id, stateOf(running));

const initial = (beginning: Beginning, id: string) => ({
  profile: beginning.profile,
  faults: beginning.faults,
  settings: beginning.settings,
  /** `undefined` for the world of the mock. */
  world: undefined as World | undefined,
  store: storeOf(beginning, undefined, beginning.profile),
  limiter: createRateLimiter(),
  memory: createMemory(),
  requests: 0,
  random: fractions(beginning.seed, id),
});

/** Restores a session from a state; plans and journal stay. @throws MockError, and then nothing has changed. */
export function restore(running: Running, state: SessionState): void {
  const { world } = state;
  const profile = resolveProfile(state.profile);
  const faults = resolveFaults(state.faults);
  const settings = checkSettings(state.settings);
  const store = storeOf(running.beginning, world, profile, state.data);
  running.clock.restore(state.clock);
  const snapshots = new Map(state.snapshots);
  Object.assign(running, { profile, faults, settings, world, store, snapshots } satisfies Partial<Running>);
}

export const stateOf = ({ store, clock, profile, faults, settings, snapshots, world }: Running): SessionState => ({
  data: store.overlay(),
  clock: clock.state,
  profile,
  faults: faults.map(({ id }) => id),
  settings,
  snapshots: new Map(snapshots),
  world,
});

/** In its world, `undefined` for the mock's; the profile decides the format of identifiers. `written` is the initial data. */
export function storeOf(
  beginning: Omit<Beginning, 'base'> & { readonly base: Base | undefined },
  world: World | undefined,
  profile: Profile,
  written?: Overlay,
): Store {
  const identifiers = chosen(profile, 'identifier-format');
  const { seed, persona } = world ?? beginning;
  const base = world ? beginning.baseOf(world, profile) : beginning.base;
  const universe = beginning.caches.universe({ seed, now: beginning.anchor, identifiers, persona });
  return createStore(universe, identifiers, base, written);
}

function fractions(seed: number, id: string): () => number {
  const [ofSeed, ofSession] = [seedWord(seed), textWord(id)];
  let draws = 0;
  return () => fraction(ofSeed, ofSession, ++draws, 0x1a7e);
}
