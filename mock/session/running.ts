import { fraction, seedWord, textWord } from '../../fixtures/universe/chance/hash.ts';
import type { Profile } from '../../spec/index.ts';
import { chosen } from '../choices/index.ts';
import { resolveFaults, type NamedFault } from '../faults/index.ts';
import type { Journal, Journals } from '../journal/journal.ts';
import { createPlans, type Plans } from '../on-demand/plans.ts';
import { createStandingAnswers, type StandingAnswers } from '../on-demand/standing.ts';
import { resolveProfile } from '../profiles/index.ts';
import type { Tokens } from '../caller.ts';
import type { Overlay } from '../store/overlay.ts';
import { sharedUniverse } from '../store/shared-universe.ts';
import { createStore, type Store } from '../store/store.ts';
import { createUpstreamState, type UpstreamState, type Upstream } from '../upstream/upstream.ts';
import { createMemory, type Memory } from '../faults/triggers/circumstances.ts';
import { createClock, type Clock } from './clock.ts';
import type { ClockState } from '../state/snapshots.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import type { Room } from '../state/room.ts';
import { checkSettings, type Settings } from './settings.ts';
import type { SessionState } from '../state/session-state.ts';
import type { Snapshot } from '../state/snapshots.ts';
import type { World } from '../store/world.ts';

/** The initial settings of every session of a mock. */
export interface Beginning extends World {
  /** Epoch milliseconds of the world's anchor. */
  readonly anchor: number;
  readonly clock: ClockState;
  readonly tokens: Tokens;
  readonly profile: Profile;
  readonly faults: readonly NamedFault[];
  readonly settings: Settings;
  /** The initial data over the universe. */
  readonly base: Overlay;
  /** The same for a session with a world of its own. @throws MockError if it does not fit. */
  readonly baseOf: (world: World, profile: Profile) => Overlay;
  /** Whether answers are validated by their schemas, and requests checked for mistakes. */
  readonly validate: boolean;
  readonly journals: Journals;
  readonly room: Room;
  /** The upstream. */
  readonly upstream?: Upstream | undefined;
}

/** A running session: what its requests and its controls read and change. */
export interface Running {
  readonly id: string;
  readonly beginning: Beginning;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly plans: Plans;
  readonly standing: StandingAnswers;
  /** `undefined` for the world of the mock. */
  world: World | undefined;
  /** What is known about the upstream, if there is one. */
  upstreamState: UpstreamState | undefined;
  profile: Profile;
  faults: readonly NamedFault[];
  settings: Settings;
  store: Store;
  snapshots: ReadonlyMap<string, Snapshot>;
  limiter: RateLimiter;
  memory: Memory;
  /** The number of requests so far. */
  requests: number;
  /** Fractions in [0, 1), determined by seed and session. */
  random: () => number;
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
    snapshots: new Map(),
    ...initial(beginning, id),
  };
  if (from) restore(running, from);
  return running;
}

/** Resets a session to its beginning; its snapshots stay. */
export function reset(running: Running): void {
  const { beginning, id } = running;
  running.clock.restore(beginning.clock);
  running.plans.clear();
  running.standing.clear();
  running.journal.clear();
  Object.assign(running, initial(beginning, id));
  measure(running);
}

/** Makes room for what was removed. */
export const measure = (running: Running): void => running.beginning.room.measure(running.id, stateOf(running));

/** What a new session and a reset one have in common. */
const initial = (
  beginning: Beginning,
  id: string,
): Omit<Running, 'id' | 'beginning' | 'clock' | 'journal' | 'plans' | 'standing' | 'snapshots'> => ({
  upstreamState: upstreamStateOf(beginning),
  profile: beginning.profile,
  faults: beginning.faults,
  settings: beginning.settings,
  world: undefined,
  store: storeOf({ beginning, world: undefined }, beginning.profile),
  limiter: createRateLimiter(),
  memory: createMemory(),
  requests: 0,
  random: fractions(beginning.seed, id),
});

/** Restores a session from a state; plans and journal stay. @throws MockError, and then nothing has changed. */
export function restore(running: Running, state: SessionState): void {
  const profile = resolveProfile(state.profile);
  const [faults, settings] = [resolveFaults(state.faults), checkSettings(state.settings)];
  const { world } = state;
  const store = storeOf({ beginning: running.beginning, world }, profile, state.data);
  running.clock.restore(state.clock);
  Object.assign(running, {
    profile,
    faults,
    settings,
    world,
    store,
    snapshots: new Map(state.snapshots),
  } satisfies Partial<Running>);
}

export const stateOf = ({ store, clock, profile, faults, settings, snapshots, world }: Running): SessionState => ({
  data: store.overlay(),
  clock: clock.state,
  profile,
  faults: faults.map(({ id }) => id),
  settings,
  snapshots: new Map(snapshots),
  ...(world && { world }),
});

/** The data of a session under a profile, which decides the format of identifiers. `written` is the initial data. */
export function storeOf(
  {
    beginning,
    world,
  }: {
    readonly beginning: Omit<Beginning, 'base'> & { readonly base: Overlay | undefined };
    readonly world: World | undefined;
  },
  profile: Profile,
  written?: Overlay,
): Store {
  const identifiers = chosen(profile, 'identifier-format');
  const { seed, persona } = world ?? beginning;
  const base = world ? beginning.baseOf(world, profile) : beginning.base;
  return createStore(sharedUniverse({ seed, now: beginning.anchor, identifiers, persona }), identifiers, base, written);
}

const upstreamStateOf = ({ upstream, ...beginning }: Beginning): UpstreamState | undefined =>
  upstream &&
  createUpstreamState(upstream, () =>
    storeOf({ beginning: { ...beginning, base: undefined }, world: undefined }, beginning.profile),
  );

function fractions(seed: number, id: string): () => number {
  const [ofSeed, ofSession] = [seedWord(seed), textWord(id)];
  let draws = 0;
  return () => fraction(ofSeed, ofSession, ++draws, 0x1a7e);
}
