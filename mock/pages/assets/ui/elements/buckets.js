// How a long list is cut into pieces that are drawn together. No DOM: this is tested in Node.js.

/** How many numbers one piece spans. */
export const SPAN = 25;

/**
 * Things by the piece that their id belongs to, in the order in which they come. A piece is a span of ids: what comes and
 * goes at the ends of the list moves nothing from one piece to another.
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

/** The place to which a key leads from another; `undefined` where it leads nowhere. */
export function chosenRow(key, place, length) {
  if (place === undefined || length === 0) return undefined;
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: length - 1 }[key];
  return next === undefined ? undefined : Math.max(0, Math.min(next, length - 1));
}
