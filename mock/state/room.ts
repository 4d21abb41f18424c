import type { Overlay } from '../store/overlay.ts';
import type { Snapshot } from './snapshots.ts';

/** Characters of JSON that clients wrote to all sessions; shared values count once. */
const MOST_WRITTEN = 1_000_000_000;

/**
 * Limits what clients write, since a process has limited memory. When there is no room left, each of n sessions may
 * still hold an nth of the limit, whatever the others hold.
 */
export interface Room {
  readonly most: number;
  /** Whether a session may hold this many more characters. */
  has(session: string, characters: number): boolean;
  take(session: string, characters: number): void;
  /** Whether all sessions together hold at most this many characters. */
  fits(characters: number): boolean;
  /** Data may have been removed. */
  forgot(): void;
  /** Data was added without asking for room. */
  cameIn(): void;
}

/** A session, as the limit sees it. */
interface Tenant {
  readonly id: string;
  state(): Written;
}

interface Written {
  readonly data: Overlay;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/** `tenants` returns all sessions. */
export function createRoom(tenants: () => readonly Tenant[], most = MOST_WRITTEN): Room {
  let held = new Map<string, number>();
  let total = 0;
  /** Whether the count is exact, too high, or too low. */
  let known: 'exact' | 'less' | 'more' = 'exact';
  const count = (): void => {
    const seen = new Set<object>();
    held = new Map(tenants().map((tenant) => [tenant.id, sizeOfState(tenant.state(), seen)]));
    total = [...held.values()].reduce((sum, one) => sum + one, 0);
    known = 'exact';
  };
  const isWithin = (characters: number): boolean => {
    if (known === 'more' || (known === 'less' && total > characters)) count();
    return total <= characters;
  };
  return {
    most,
    has(session, characters) {
      if (isWithin(most - characters)) return true;
      const holders = [...held].filter(([id, size]) => size > 0 && id !== session).length + 1;
      return (held.get(session) ?? 0) + characters <= most / holders;
    },
    take(session, characters) {
      held.set(session, (held.get(session) ?? 0) + characters);
      total += characters;
    },
    fits: isWithin,
    forgot() {
      if (known === 'exact') known = 'less';
    },
    cameIn: () => void (known = 'more'),
  };
}

/** The size of a value as JSON. Stored values are immutable: a change replaces them. */
const sizes = new WeakMap<object, number>();

function sizeOf(thing: object): number {
  const known = sizes.get(thing) ?? JSON.stringify(thing).length;
  sizes.set(thing, known);
  return known;
}

function sizeOfState({ data, snapshots }: Written, seen: Set<object>): number {
  let size = 0;
  for (const overlay of [data, ...Array.from(snapshots.values(), (one) => one.overlay)])
    for (const thing of thingsOf(overlay)) {
      if (seen.has(thing)) continue;
      seen.add(thing);
      size += sizeOf(thing);
    }
  return size;
}

const thingsOf = ({ agents, published, results, workspaces }: Overlay): readonly object[] => [
  ...[...agents.values(), ...published.values(), ...workspaces.values()].filter((one) => one !== undefined),
  ...[...results.values()].flat(),
];

/** Why a session cannot hold more. */
export const noRoom = ({ most }: Room): string =>
  `The mock holds ${most} characters of JSON from clients, or this session holds its share of them. Reset or end sessions, and delete snapshots.`;
