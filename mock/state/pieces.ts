import type { IdentifierKind } from '../../fixtures/index.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Mode } from '../caller.ts';
import type { Overlay, OverlayJson } from '../store/overlay.ts';

/** Numbers of consecutive pieces. */
type Places = readonly number[];

/** An overlay as JSON. What it shares with others is in pieces, each of which is stored once. */
export interface PackedOverlay {
  readonly agents: Places;
  readonly published: Places;
  readonly results: Readonly<Record<string, Places>>;
  readonly removedResults?: Readonly<Record<string, readonly string[]>>;
  readonly workspaces: Places;
  /** Identifiers of workspaces; missing if there are none. */
  readonly learned?: readonly string[];
  readonly modes: Readonly<Record<string, Mode>>;
  readonly counters: Readonly<Partial<Record<IdentifierKind, number>>>;
}

/** Some results, or some pairs of an identifier and its value. */
export type Piece = readonly Json[];

/** The size of a piece: changing one thing rewrites this many. */
const SIZE = 64;

/** Numbers for things that can be serialized. Stored values are immutable: a change replaces them. */
const numbers = new WeakMap<object, number>();
let last = 0;

/** @throws RangeError for a thing that cannot be serialized, for example because it is nested too deep. */
function numberOf(thing: object): number {
  const known = numbers.get(thing);
  if (known !== undefined) return known;
  JSON.stringify(thing);
  numbers.set(thing, ++last);
  return last;
}

interface Cut {
  readonly name: string;
  readonly items: Piece;
}

/** Cached pieces of lists. A list is replaced when it changes. */
const cuts = new WeakMap<object, readonly Cut[]>();

/** Packs overlays into shared pieces. `pack` throws RangeError if something cannot be serialized. */
export function createPacking(): {
  readonly pieces: readonly Piece[];
  readonly pack: (overlay: Overlay) => PackedOverlay;
} {
  const pieces: Piece[] = [];
  const places = new Map<string, number>();
  const placed = (all: readonly Cut[]): Places =>
    all.map(({ name, items }) => {
      const known = places.get(name);
      if (known !== undefined) return known;
      places.set(name, pieces.length);
      return pieces.push(items) - 1;
    });
  const pairs = (map: ReadonlyMap<string, object | undefined>): Places =>
    placed(
      cut(
        [...map],
        ([id, thing]) => [id, (thing ?? null) as Json],
        ([id, thing]) => `${JSON.stringify(id)}${thing ? numberOf(thing) : ''}`,
      ),
    );
  const list = (results: readonly object[]): Places => {
    const known =
      cuts.get(results) ??
      cut(
        results,
        (result) => result as JsonObject,
        (result) => `${numberOf(result)}`,
      );
    cuts.set(results, known);
    return placed(known);
  };
  return {
    pieces,
    pack: ({ agents, published, results, removedResults, workspaces, learned, modes, counters }) => ({
      agents: pairs(agents),
      published: pairs(published),
      results: Object.fromEntries([...results].map(([id, all]) => [id, list(all)])),
      ...(removedResults.size === 0 ? {} : { removedResults: Object.fromEntries(removedResults) }),
      workspaces: pairs(workspaces),
      ...(learned.size === 0 ? {} : { learned: [...learned] }),
      modes: Object.fromEntries(modes),
      counters: Object.fromEntries(counters),
    }),
  };
}

function cut<T>(all: readonly T[], item: (one: T) => Json, name: (one: T) => string): readonly Cut[] {
  return Array.from({ length: Math.ceil(all.length / SIZE) }, (_, i) => {
    const some = all.slice(i * SIZE, (i + 1) * SIZE);
    return { name: some.map(name).join(), items: some.map(item) };
  });
}

/** Unpacks overlays; lists from the same pieces become one list. Calls `wrong`, which throws, for an invalid place. */
export function unpacking(
  pieces: readonly Piece[],
  wrong: (what: string) => never,
): (packed: PackedOverlay) => OverlayJson {
  const lists = new Map<string, readonly Json[]>();
  const list = (places: Places): readonly Json[] => {
    if (!Array.isArray(places)) return wrong('it is not a list of pieces');
    const name = places.join();
    const known = lists.get(name);
    if (known) return known;
    const all = places.flatMap((place) => pieces[place] ?? wrong(`there is no piece ${JSON.stringify(place)}`));
    lists.set(name, all);
    return all;
  };
  const pairs = (places: Places): Readonly<Record<string, never>> =>
    Object.fromEntries(
      list(places).map((pair) =>
        Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string'
          ? (pair as unknown as [string, never])
          : wrong('a piece does not hold pairs of an identifier and what it stands for'),
      ),
    );
  return ({ agents, published, results, removedResults = {}, workspaces, learned, modes, counters }) => ({
    agents: pairs(agents),
    published: pairs(published),
    results: Object.fromEntries(Object.entries(results).map(([id, places]) => [id, list(places) as never])),
    removedResults,
    workspaces: pairs(workspaces),
    learned,
    modes,
    counters,
  });
}
