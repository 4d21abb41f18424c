/**
 * The smallest parts of a list that turn the tests red, each by itself: mostly single items, and a set where only several
 * items do it together. `isRed` runs the tests with some items; it says `undefined` once there is no more time, and what
 * is not decided by then goes to `undecided`. `parts` says into how many a red list is taken apart.
 */
export async function culprits<T>(
  items: readonly T[],
  isRed: (some: readonly T[]) => Promise<boolean | undefined>,
  undecided: (some: readonly T[]) => void,
  parts = 2,
): Promise<readonly (readonly T[])[]> {
  if (items.length === 0) return [];
  const red = await isRed(items);
  if (red === undefined) undecided(items);
  if (red !== true) return [];
  if (items.length === 1) return [items];
  const size = Math.ceil(items.length / parts);
  let isOpen = false;
  const note = (some: readonly T[]): void => {
    isOpen = true;
    undecided(some);
  };
  const starts = items.flatMap((_, at) => (at % size === 0 ? at : []));
  const within = starts.map((at) => culprits(items.slice(at, at + size), isRed, note, parts));
  const found = (await Promise.all(within)).flat();
  if (found.length > 0 || isOpen) return found;
  return [await smallest(items, isRed)];
}

/** A red set from which no item can be taken. */
async function smallest<T>(
  red: readonly T[],
  isRed: (some: readonly T[]) => Promise<boolean | undefined>,
): Promise<readonly T[]> {
  let kept = red;
  // Takes away large parts before single items.
  for (let size = Math.ceil(red.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < kept.length && kept.length > 1;) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (rest.length > 0 && (await isRed(rest)) === true) kept = rest;
      else at += size;
    }
  return kept;
}
