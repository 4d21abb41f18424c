import type { Overlay } from '../../store/overlay.ts';
import type { Snapshot } from '../../state/snapshots.ts';

/** Characters of JSON that all sessions together hold of what was written to them; what several share counts once. */
const MOST_WRITTEN = 1_000_000_000;

/**
 * Keeps what clients write within a bound, since a process has only so much memory. Where there is no room left, each of n sessions may still hold the nth part, whatever the others do.
 */
export interface Room {
  readonly most: number;
  /** Whether a session may hold so many characters more. */
  has(session: string, characters: number): boolean;
  take(session: string, characters: number): void;
  /** Whether all sessions together hold no more than so many characters. */
  fits(characters: number): boolean;
  /** Less may be held than was taken. */
  forgot(): void;
  /** Something came in that nobody took room for. */
  cameIn(): void;
}

/** A session, as its room sees it. */
interface Tenant {
  readonly id: string;
  state(): Written;
}

interface Written {
  readonly data: Overlay;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/** `tenants` gives all sessions there are. */
export function createRoom(tenants: () => readonly Tenant[], most = MOST_WRITTEN): Room {
  let held = new Map<string, number>();
  let total = 0;
  /** What is counted is exact, or there may be less, or more. */
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

/** What a thing is as JSON; what is stored is replaced when it changes, never changed in place. */
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

/** Why a session can hold no more. */
export const noRoom = ({ most }: Room): string =>
  `The mock holds ${most} characters of JSON from clients, or this session holds its share of them. Reset or end sessions, and delete snapshots.`;
