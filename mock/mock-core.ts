import type { PersonaName } from '../fixtures/index.ts';
import type { Profile } from '../spec/index.ts';
import type { Mode, Tokens } from './caller.ts';
import type { JournalBudget } from './journal/journal-budget.ts';
import type { ProfileChoice } from './profiles/index.ts';
import type { Room } from './session/room.ts';
import type { Session } from './session/session.ts';
import type { SessionLimits, Sessions } from './session/sessions.ts';
import type { Settings } from './session/settings.ts';
import type { MockState } from './state/state.ts';
import type { Seed } from './store/seed.ts';

export interface MockOptions {
  /** Decimal; the same seed gives the same world. 1 unless given. */
  readonly seed?: number;
  /** What the world holds; `demo` unless given. */
  readonly persona?: PersonaName;
  /** Epoch milliseconds at which the clock starts and the world is anchored. The real time unless given. */
  readonly now?: number;
  /** Keeps the clock at `now` instead of letting it run. */
  readonly frozen?: boolean;
  /** A built-in profile, or answers to gaps; those that are missing are the default profile's. */
  readonly profile?: ProfileChoice;
  /** Answers to single gaps, over those of `profile`. */
  readonly choices?: Partial<Profile>;
  /** Ids of violations, or of broken shapes, to commit from the start. */
  readonly faults?: readonly string[];
  /** Tokens and their modes, in place of `defaultTokens`. */
  readonly tokens?: Readonly<Record<string, Mode>>;
  /** Latency and rate limit from the start. */
  readonly settings?: Settings;
  /** Agents, results and workspaces of one's own, over the generated ones. */
  readonly seedData?: Seed;
  /** Where another mock stopped. Its seed, persona and anchor take the place of those above. */
  readonly state?: MockState;
  /** Judges answers by their schemas and looks for slips in requests; what is found is in `sl-violations`. Off unless given. */
  readonly validate?: boolean;
  readonly sessionLimits?: SessionLimits;
  /** What the journals of all sessions may hold; a budget of its own unless given. */
  readonly journalBudget?: JournalBudget;
  /** Characters of JSON that all sessions hold of what clients write; 1,000,000,000 unless given. More is refused. */
  readonly mostWritten?: number;
}

/** A mock without a host: answers requests, and knows neither sockets nor files. Runs in Node.js and in browsers. */
export interface MockCore extends Session {
  readonly seed: number;
  readonly persona: PersonaName;
  readonly tokens: Tokens;
  /** The session of that name, made on first use. @throws MockError for a name that is none. */
  session(id: string): Session;
  readonly sessions: Sessions;
  /** What clients may still write. */
  readonly room: Room;
  /** Everything there is, of every session, as plain JSON. */
  exportState(): MockState;
  /**
   * Goes on where another mock stopped: sessions become what the state says, and those that it does not know end.
   * @throws MockError, and nothing has changed then.
   */
  importState(state: MockState): void;
  /**
   * Lays other data of one's own, or another profile, under what was written, which stays. A session that took a profile
   * of its own keeps it. @throws MockError, and nothing has changed then.
   */
  setBeginning(changes: Pick<MockOptions, 'seedData' | 'profile'>): void;
  /** Hears of every request that may have changed something, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
