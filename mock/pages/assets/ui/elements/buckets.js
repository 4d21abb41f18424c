// Splits a long list into parts that are drawn together. No DOM: this is tested in Node.js.

/** The number of ids in one part. */
export const SPAN = 25;

/**
 * Groups things by the range that their id is in, in their given order. Additions and removals at the ends move nothing
 * to another group.
 */
export function bucketsOf(things) {
  const buckets = new Map();
  for (const thing of things) {
    const bucket = Math.floor(thing.id / SPAN);
    const some = buckets.get(bucket);
    if (some) some.push(thing);
    else buckets.set(bucket, [thing]);
  }
  return buckets;
}

/** The index that a key leads to from another; `undefined` if it leads nowhere. */
export function chosenRow(key, place, length) {
  if (place === undefined || length === 0) return undefined;
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: length - 1 }[key];
  return next === undefined ? undefined : Math.max(0, Math.min(next, length - 1));
}
