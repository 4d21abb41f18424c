import { LRUCache } from 'lru-cache';
import { MockError } from '../mock-error.ts';
import type { Beginning, SessionState } from './running.ts';
import { createSession, type Session } from './session.ts';

/** The sessions of one mock beside its own. */
export interface Sessions {
  /** The session of that name, made where there is none. @throws MockError for a name that is none. */
  get(id: string): Session;
  /** Makes a session with the state of another; one of that name is replaced. @throws MockError */
  fork(id: string, from: SessionState): Session;
  /** Only those that exist. */
  has(id: string): boolean;
  end(id: string): boolean;
  list(): readonly Session[];
  /** The session of that name; where there is none, one like it that is not kept. @throws MockError for a name that is none. */
  glance(id: string): Session;
  /** Calls a function once when a session ends, unless the function that is returned is called before. */
  onEnd(session: Session, listener: () => void): () => void;
}

export interface SessionLimits {
  /** Of more sessions than these the one that was used least recently ends. */
  readonly most: number;
  /** Milliseconds after which a session that nobody uses ends. */
  readonly idle: number;
  /** Milliseconds of the clock that `idle` goes by, read anew each time; the machine's unless given. */
  readonly now?: () => number;
}

export const sessionLimits: SessionLimits = { most: 10_000, idle: 60 * 60_000 };

/** Whether a session can be called that: it fits a header and a path as it is. */
export const isSessionName = (id: string): boolean => /^[\w.~:@-]{1,128}$/.test(id);

export function createSessions(beginning: Beginning, { most, idle, now }: SessionLimits = sessionLimits): Sessions {
  const endings = new WeakMap<Session, Set<() => void>>();
  const sessions = new LRUCache<string, Session>({
    max: most,
    ttl: idle,
    updateAgeOnGet: true,
    ...(now === undefined ? {} : { perf: { now }, ttlResolution: 0 }),
    dispose: (session) => {
      session.journal.clear();
      beginning.room.forgot();
      for (const listener of endings.get(session) ?? []) listener();
    },
  });
  const named = (id: string, from?: SessionState): Session => {
    if (!isSessionName(id))
      throw new MockError(
        `A session is named with up to 128 letters, digits and . _ - ~ : @; ${JSON.stringify(id.slice(0, 128))} is not.`,
      );
    return createSession(beginning, id, from);
  };
  const make = (id: string, from?: SessionState): Session => {
    const session = named(id, from);
    sessions.set(id, session);
    return session;
  };
  return {
    get: (id) => sessions.get(id) ?? make(id),
    fork: make,
    has: (id) => sessions.has(id),
    end: (id) => sessions.delete(id),
    list: () => [...sessions.values()],
    glance: (id) => sessions.get(id) ?? named(id),
    onEnd(session, listener) {
      const listeners = endings.get(session) ?? new Set();
      endings.set(session, listeners.add(listener));
      return () => void listeners.delete(listener);
    },
  };
}
