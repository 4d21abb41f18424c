import { valueFor } from '../collections.ts';
import { arrayAt, field, isObject, stringAt, type JsonObject } from '../json.ts';
import type { Path } from './places.ts';

/** Sent identifiers, and what they became: a server may assign its own, if it does so consistently. */
export interface Renaming {
  readonly sent: ReadonlySet<string>;
  readonly became: Map<string, string>;
}

const KEYS = new Map(Object.entries({ groups: 'title', variables: 'name', events: 'type', blocks: 'type' }));

/** What distinguishes items of an array without identifiers: the first of these that both items have. */
function keyOf(place: Path, item: unknown, renaming: Renaming | undefined): string | undefined {
  const part = String(place.length === 1 ? place[0] : place[2]);
  const name = KEYS.get(part);
  if (name !== undefined) return stringAt(item, name);
  if (part !== 'edges') return undefined;
  const ends = ['from.blockId', 'from.itemId', 'to.groupId', 'to.blockId'].map((path) => {
    const id = stringAt(item, ...path.split('.')) ?? '';
    return renaming?.became.get(id) ?? id;
  });
  return ends.join('\n');
}

function placed(item: unknown): string | undefined {
  const [title, at] = [stringAt(item, 'title'), field(item, 'graphCoordinates')];
  if (title === undefined || !isObject(at)) return undefined;
  return JSON.stringify([title, at['x'], at['y']]);
}

const idOf = (item: unknown): string | undefined => stringAt(item, 'id');

/** The index of the shown item for each sent one: paired by identifier, distinguishing values, then order. */
export function pairItems(
  place: Path,
  sent: readonly unknown[],
  shown: readonly unknown[],
  renaming?: Renaming,
): readonly (number | undefined)[] {
  const pairs: (number | undefined)[] = sent.map(() => undefined);
  const free = new Set(shown.keys());
  const pairBy = (
    ofSent: (item: unknown) => string | undefined,
    ofShown: (item: unknown) => string | undefined,
  ): void => {
    if (free.size === 0) return;
    const places = new Map<string, number[]>();
    for (const index of free) {
      const key = ofShown(shown[index]);
      if (key !== undefined) valueFor(places, key, () => []).push(index);
    }
    for (const [i, item] of sent.entries()) {
      if (pairs[i] !== undefined) continue;
      const key = ofSent(item);
      const index = key === undefined ? undefined : places.get(key)?.shift();
      if (index === undefined) continue;
      pairs[i] = index;
      free.delete(index);
    }
  };
  pairBy(idOf, idOf);
  // Of equal titles.
  pairBy(placed, placed);
  pairBy(
    (item) => keyOf(place, item, renaming),
    (item) => keyOf(place, item, undefined),
  );
  const left = [...free].toSorted((one, other) => one - other);
  for (const [i, item] of sent.entries()) if (pairs[i] === undefined && item !== undefined) pairs[i] = left.shift();
  return pairs;
}

/** Learns the new identifiers from paired items. */
export function renamingOf(sent: JsonObject, shown: JsonObject): Renaming {
  const ids = new Set<string>();
  const became = new Map<string, string>();
  const renaming: Renaming = { sent: ids, became };
  const learn = (one: unknown, other: unknown, place: Path): void => {
    if (Array.isArray(one)) {
      const items = arrayAt(other);
      const pairs = pairItems(place, one, items, renaming);
      for (const [i, item] of one.entries()) learn(item, items[pairs[i] ?? -1], [...place, i]);
      return;
    }
    if (!isObject(one)) return;
    const id = stringAt(one, 'id');
    if (id !== undefined) {
      ids.add(id);
      const its = stringAt(other, 'id');
      if (its !== undefined) became.set(id, its);
    }
    for (const [name, item] of Object.entries(one))
      if (typeof item === 'object' && item !== null) learn(item, field(other, name), [...place, name]);
  };
  // Edges come last: the things they join distinguish them.
  for (const name of ['events', 'variables', 'groups', 'edges'])
    learn(arrayAt(sent, name), arrayAt(shown, name), [name]);
  return renaming;
}
