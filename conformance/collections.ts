/** Items by a key, in the order of their first ones. */
export function grouping<T, K>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) valueFor(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** The value under a key. A new one is kept while there are fewer than `most`. */
export function valueFor<K, V>(map: Map<K, V>, key: K, make: () => V, most = Infinity): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size < most) map.set(key, made);
  return made;
}

/** The first of `count` indexes for which `isPast` holds, or `count`. It must hold for all later indexes too. */
export function bisect(count: number, isPast: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The items, or nothing if there are none: a report leaves out what has nothing to say. */
export function orNothing<T extends readonly unknown[]>(items: T): T | undefined {
  if (items.length > 0) return items;
  return undefined;
}

/** An object with the same names, and other values. */
export const mapValues = <T, R>(of: Readonly<Record<string, T>>, to: (value: T, name: string) => R) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value, name)])) as Readonly<Record<string, R>>;

/** The item, if there is just one. */
export function onlyOf<T>(items: Iterable<T>): T | undefined {
  const [first, ...others] = items;
  if (others.length === 0) return first;
  return undefined;
}

export const present = <T>(...items: readonly (T | undefined)[]): readonly T[] =>
  items.filter((item) => item !== undefined);

/** Makes something once for each object, which must not change. Bodies that are equal share their JSON, so facts and checks share this. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
