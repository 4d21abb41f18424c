import type { Overlay } from '../store/overlay.ts';
import type { Snapshot } from './snapshots.ts';

/** Characters of JSON that clients may write to all sessions of a mock together. */
const MOST_WRITTEN = 1_000_000_000;
/** The part of it that one session may hold. */
const SHARE = 1 / 4;

/** Limits what clients write, since a process has limited memory. Sizes are in characters of JSON. */
export interface Room {
  /** The size of all sessions. */
  readonly held: number;
  /** Why a session may not hold this much more; `undefined` if it may. */
  refusal(session: string, characters: number): string | undefined;
  take(session: string, characters: number): void;
  /** Measures a session, some of whose data was replaced or removed; without a state it has ended. */
  measure(session: string, state?: Written): void;
}

interface Written {
  readonly data: Overlay;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

export function createRoom(most = MOST_WRITTEN): Room {
  const sessions = new Map<string, number>();
  let held = 0;
  const set = (session: string, characters: number): void => {
    held += characters - (sessions.get(session) ?? 0);
    if (characters === 0) sessions.delete(session);
    else sessions.set(session, characters);
  };
  /** Stored values are immutable: a change replaces them. */
  const sizes = new WeakMap<object, number>();
  const sizeOf = (thing: object): number => {
    const size = sizes.get(thing) ?? JSON.stringify(thing).length;
    sizes.set(thing, size);
    return size;
  };
  return {
    get held() {
      return held;
    },
    refusal(session, characters) {
      const remedy = 'Reset or end sessions, and delete snapshots.';
      if (held + characters > most) return `The mock holds at most ${most} characters of JSON from clients. ${remedy}`;
      if ((sessions.get(session) ?? 0) + characters <= most * SHARE) return undefined;
      return `A session holds at most ${most * SHARE} characters of JSON from clients. ${remedy}`;
    },
    take: (session, characters) => set(session, (sessions.get(session) ?? 0) + characters),
    measure(session, state) {
      let size = 0;
      for (const thing of state ? thingsIn(state) : []) size += sizeOf(thing);
      set(session, size);
    },
  };
}

/** Everything written in a session and its snapshots, each thing once. */
function thingsIn({ data, snapshots }: Written): ReadonlySet<object> {
  const things = new Set<object>();
  for (const overlay of [data, ...Array.from(snapshots.values(), (snapshot) => snapshot.overlay)]) {
    for (const written of [overlay.agents, overlay.published, overlay.workspaces])
      for (const thing of written.values()) if (thing) things.add(thing);
    for (const results of overlay.results.values()) for (const result of results) things.add(result);
  }
  return things;
}
