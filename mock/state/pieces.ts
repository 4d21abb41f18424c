import type { Json, JsonObject } from '../../text/json.ts';
import type { Overlay, OverlayJson } from '../store/overlay.ts';

/** Numbers of consecutive pieces. */
type Places = readonly number[];

/** An overlay as JSON. What it shares with others is in pieces, each of which is stored once. */
export interface PackedOverlay extends Omit<OverlayJson, 'agents' | 'published' | 'results' | 'workspaces'> {
  readonly agents: Places;
  readonly published: Places;
  readonly results: Readonly<Record<string, Places>>;
  readonly workspaces: Places;
}

/** Some results, or some pairs of an identifier and its value. */
export type Piece = readonly Json[];

/** Packs overlays into shared pieces, one for each thing. Stored values are immutable: a change replaces them. */
export function createPacking(): {
  readonly pieces: readonly Piece[];
  readonly pack: (overlay: Overlay) => PackedOverlay;
} {
  const pieces: Piece[] = [];
  const places = new Map<object, number>();
  const placeOf = (thing: object, item: Json): number => {
    const place = places.get(thing) ?? pieces.push([item]) - 1;
    places.set(thing, place);
    return place;
  };
  const pairs = (things: ReadonlyMap<string, object | undefined>): Places =>
    Array.from(things, ([id, thing]) =>
      thing ? placeOf(thing, [id, thing as JsonObject]) : pieces.push([[id, null]]) - 1,
    );
  const list = (results: readonly object[]): Places => results.map((result) => placeOf(result, result as JsonObject));
  return {
    pieces,
    pack: ({ agents, published, results, removedResults, workspaces, learned, modes, counters }) => ({
      agents: pairs(agents),
      published: pairs(published),
      results: Object.fromEntries(Array.from(results, ([id, all]) => [id, list(all)])),
      removedResults: Object.fromEntries(removedResults),
      workspaces: pairs(workspaces),
      learned: [...learned],
      modes: Object.fromEntries(modes),
      counters: Object.fromEntries(counters),
    }),
  };
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
  return ({ agents, published, results, workspaces, ...plain }) => ({
    removedResults: {},
    ...plain,
    agents: pairs(agents),
    published: pairs(published),
    results: Object.fromEntries(Object.entries(results).map(([id, places]) => [id, list(places) as never])),
    workspaces: pairs(workspaces),
  });
}
