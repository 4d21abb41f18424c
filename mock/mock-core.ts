import type { PersonaName } from '../fixtures/index.ts';
import type { Profile } from '../spec/index.ts';
import type { Caches } from './caches.ts';
import type { Mode, Tokens } from './call.ts';
import type { MockExchange } from './journal/journal-entry.ts';
import type { JournalLimits } from './journal/journal.ts';
import type { ProfileChoice } from './profiles/index.ts';
import type { Room } from './state/room.ts';
import type { Session } from './session/session.ts';
import type { SessionLimits, Sessions } from './session/sessions.ts';
import type { Settings } from './session/settings.ts';
import type { MockState } from './state/state.ts';
import type { Steering } from './steering/steering.ts';
import type { Seed } from './store/seed/seed.ts';
import type { UpstreamOptions } from './upstream/options.ts';

export interface MockOptions {
  /** A whole number; the same seed gives the same world. Default: 1. */
  readonly seed?: number;
  /** What the world holds. Default: `demo`. */
  readonly persona?: PersonaName;
  /** Epoch milliseconds at which the clock starts and the world is anchored. Default: the real time. */
  readonly now?: number;
  /** Stops the clock at `now`. */
  readonly frozen?: boolean;
  /** A built-in profile, or choices for gaps; any other gap takes the default. */
  readonly profile?: ProfileChoice;
  /** Choices for single gaps, which override those of `profile`. */
  readonly choices?: Partial<Profile>;
  /** Ids of violations, or of broken shapes, to commit from the start. */
  readonly faults?: readonly string[];
  /** Tokens and their modes, instead of `defaultTokens`. */
  readonly tokens?: Readonly<Record<string, Mode>>;
  /** Latency and rate limit from the start. */
  readonly settings?: Settings;
  /** Your own agents, results and workspaces, added to the generated ones. */
  readonly seedData?: Seed;
  /** The state of another mock, from which this one continues. Its seed, persona and anchor replace those above. */
  readonly state?: MockState;
  /** Validates answers against their schemas, looks for slips in requests, and lists both in `sl-violations`. Default: off. */
  readonly validate?: boolean;
  readonly sessionLimits?: SessionLimits;
  /** Beyond these the oldest entries are dropped. Default: 1000 and 32 MB for a session; 128 MB or an eighth of the heap for all. */
  readonly journalLimits?: Partial<JournalLimits>;
  /** Is told of each request of a session once its answer is complete. It must not throw. */
  readonly onExchange?: ((exchange: Pick<MockExchange, 'endpoint' | 'wire' | 'duration'>) => void) | undefined;
  /**
   * Characters of JSON from clients that all sessions may hold together, and one session a quarter of. For more, the
   * least recently used sessions end; what is too large for one is refused. Default: an eighth of the bytes of the
   * heap, at most 1,000,000,000.
   */
  readonly mostWritten?: number;
  /** What was generated before, if several mocks share it. Default: nothing. */
  readonly caches?: Caches;
  /** A real server that answers what the mock does not; `respond` asks it, and so do all hosts. Needs Node.js. Default: none. */
  readonly upstream?: UpstreamOptions;
  /** What a run of a client's tests imposes, and begins mocks with. Default: what "agent-contract client" says through the environment. */
  readonly steering?: Steering;
}

/** A mock without a host: it answers requests, and knows neither sockets nor files. It runs in Node.js and in browsers. */
export interface MockCore extends Session {
  readonly seed: number;
  readonly persona: PersonaName;
  readonly tokens: Tokens;
  /** The session of that name, created on first use; without a name, the default session, whose members the mock has too. @throws MockError for an invalid name. */
  session(id?: string): Session;
  readonly sessions: Sessions;
  /** How much clients have written, and may write. */
  readonly room: Room;
  /** All data of every session, as plain JSON. */
  exportState(): MockState;
  /** Continues from a state; sessions that it lacks end. @throws MockError, and then nothing has changed. */
  importState(state: MockState): void;
  /** Replaces your own data, or the profile, under written data. @throws MockError, and then nothing has changed. */
  setBeginning(changes: Pick<MockOptions, 'seedData' | 'profile'>): void;
  /** Calls the listener for every request that may have changed something, until you call the returned function. */
  onChange(listener: () => void): () => void;
}
