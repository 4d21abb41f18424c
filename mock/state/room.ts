import type { Overlay } from '../store/overlay.ts';
import type { Snapshot } from './snapshots.ts';

/** A bound, but at most an eighth of the heap: a character of JSON takes up to four bytes there once it is parsed. */
export function boundByHeap(most: number): number {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const heap = process?.getBuiltinModule?.('node:v8').getHeapStatistics().heap_size_limit ?? Infinity;
  return Math.min(most, Math.floor(heap / 8));
}

/** Characters of JSON that clients may write to all sessions of a mock together. */
const MOST_WRITTEN = 1_000_000_000;
const MOST_NAMES = 10_000;
/** The part of it that one session may hold. */
const SHARE = 1 / 4;

interface Written {
  readonly data: Overlay;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

export interface Room extends ReturnType<typeof createRoom> {}

/** Limits what clients write, since a process has limited memory. Sizes are in characters of JSON. */
export function createRoom(most = boundByHeap(MOST_WRITTEN)) {
  const sessions = new Map<string, number>();
  const untold = new Set<string>();
  let ended = 0;
  let held = 0;
  let endOthers: ((except: string, isEnough: () => boolean) => void) | undefined;
  const of = (session: string): number => sessions.get(session) ?? 0;
  const set = (session: string, characters: number): void => {
    held += characters - of(session);
    if (characters === 0) sessions.delete(session);
    else sessions.set(session, characters);
  };
  /** Stored values are immutable: a change replaces them. */
  const sizes = new WeakMap<object, number>();
  return {
    get held(): number {
      return held;
    },
    /** Why a session may not hold this much more; `undefined` if it may. Others end first, if that makes room. */
    refusal(session: string, characters: number): string | undefined {
      if (of(session) + characters > most * SHARE)
        return `A session holds at most ${most * SHARE} characters of JSON from clients. Reset or end sessions, and delete snapshots.`;
      if (held + characters > most) endOthers?.(session, () => held + characters <= most);
      return undefined;
    },
    /** Calls a function that ends sessions other than the named one, until it is enough. */
    onFull(end: (except: string, isEnough: () => boolean) => void): void {
      endOthers = end;
    },
    /** Records that a session ended of which nobody asked it; the next request in a session of its name is told. */
    noteEnd(session: string): void {
      ended++;
      if (untold.size < MOST_NAMES) untold.add(session);
    },
    get ended(): number {
      return ended;
    },
    /** Whether an end was recorded, the first time that this is asked about a name. */
    tellsEnd: untold.delete.bind(untold),
    of,
    take: (session: string, characters: number): void => set(session, of(session) + characters),
    /** Measures a session, some of whose data was replaced or removed; without a state it has ended. */
    measure(session: string, state?: Written): void {
      let size = 0;
      for (const thing of (state && thingsIn(state)) ?? []) {
        const written = sizes.get(thing) ?? JSON.stringify(thing).length;
        sizes.set(thing, written);
        size += written;
      }
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
