import { LRUCache } from 'lru-cache';
import { MockError } from '../mock-error.ts';
import type { Beginning } from './running.ts';
import type { SessionState } from '../state/snapshots.ts';
import { createSession, type Session } from './session.ts';

/** The sessions of one mock besides its own. */
export interface Sessions {
  /** The session of that name, created if there is none. @throws MockError for an invalid name. */
  get(id: string): Session;
  /** Creates a session with the state of another, and replaces a session of that name. @throws MockError */
  fork(id: string, from: SessionState): Session;
  /** Only those that exist. */
  has(id: string): boolean;
  end(id: string): boolean;
  list(): readonly Session[];
  /** The session of that name; if there is none, a new one that is not kept. @throws MockError for an invalid name. */
  glance(id: string): Session;
  /** Calls a function once when a session ends, unless you call the returned function first. */
  onEnd(session: Session, listener: () => void): () => void;
}

export interface SessionLimits {
  /** Beyond this many sessions, the least recently used one ends. */
  readonly most: number;
  /** Milliseconds after which an unused session ends. */
  readonly idle: number;
  /** The clock for `idle`, in milliseconds. Default: the machine's. */
  readonly now?: () => number;
}

export const sessionLimits: SessionLimits = { most: 10_000, idle: 60 * 60_000 };

/** The names that a session can have: they fit into a header and a path as they are. */
export const sessionNames = /^[\w.~:@-]{1,128}$/;

export function createSessions(beginning: Beginning, { most, idle, now }: SessionLimits = sessionLimits): Sessions {
  const endings = new WeakMap<Session, Set<() => void>>();
  const sessions = new LRUCache<string, Session>({
    // With `max` the cache would make room for all of them at once, which takes most of the time of making a mock.
    maxSize: most,
    ttl: idle,
    updateAgeOnGet: true,
    ...(now && { perf: { now }, ttlResolution: 0 }),
    dispose: (session, _id, reason) => {
      if (reason === 'evict' || reason === 'expire') beginning.room.noteEnd(session.id);
      session.journal.clear();
      beginning.room.measure(session.id);
      for (const listener of endings.get(session) ?? []) listener();
    },
  });
  beginning.room.onFull((except, isEnough) => {
    for (const id of sessions.rkeys()) {
      if (isEnough()) return;
      if (id === except || beginning.room.of(id) === 0) continue;
      beginning.room.noteEnd(id);
      sessions.delete(id);
    }
  });
  const named = (id: string, from?: SessionState): Session => {
    if (sessionNames.test(id)) return createSession(beginning, id, from);
    const shown = JSON.stringify(id.slice(0, 128));
    throw new MockError(`The name of a session has up to 128 letters, digits and . _ - ~ : @; ${shown} does not fit.`);
  };
  const make = (id: string, from?: SessionState): Session => {
    const session = named(id, from);
    sessions.set(id, session, { size: 1 });
    if (from) beginning.room.measure(id, from);
    return session;
  };
  return {
    get: (id) => sessions.get(id) ?? make(id),
    fork: make,
    has: sessions.has.bind(sessions),
    end: sessions.delete.bind(sessions),
    list: () => [...sessions.values()],
    glance: (id) => sessions.get(id) ?? named(id),
    onEnd(session, listener) {
      const listeners = endings.get(session) ?? new Set();
      endings.set(session, listeners.add(listener));
      return () => void listeners.delete(listener);
    },
  };
}
