import type { Steering } from '../mock/index.ts';
import type { Unit } from './first-run.ts';
import type { Trials } from './trials.ts';

/**
 * The smallest sets of behaviours that turn a unit red twice, with the tests that fail both times: a busy machine fails one now
 * and then. `open` gets what is not decided in time.
 */
export async function redParts<T extends { readonly id: string; readonly steering: Steering }>(
  some: readonly T[],
  { run, parts: usual, flaky }: Trials,
  unit: Unit,
  open: Set<string>,
  parts = usual,
) {
  const note = (late: readonly T[]): void => late.forEach(({ id }) => open.add(id));
  const isRed = async (tried: readonly T[]): Promise<boolean | undefined> => {
    const trial = await run(together(tried), unit);
    return trial && trial.failed.length > 0;
  };
  const twice = (await culprits(some, isRed, note, parts)).map(async (part) => {
    const [once, again] = await Promise.all(['', 'again'].map((time) => run(together(part), unit, time)));
    if (!again) note(part);
    const failed = again?.failed.filter((name) => once?.failed.includes(name)) ?? [];
    for (const name of (again && once?.failed) ?? []) if (!failed.includes(name)) flaky.add(name);
    const id = part.map((one) => one.id).join(' and ');
    if (failed.length === 0) return [];
    return [{ id, part, failed, hangs: again?.hangs === true }];
  });
  return (await Promise.all(twice)).flat();
}

/** One steering that does all of several. */
export function together(some: readonly { readonly steering: Steering }[]): Steering {
  const all = some.map(({ steering }) => steering);
  const choices = Object.assign({}, ...all.map((one) => one.choices)) as Steering['choices'];
  return Object.assign({}, ...all, { choices, faults: all.flatMap(({ faults = [] }) => faults) }) as Steering;
}

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
  const starts = items.map((_, at) => at).filter((at) => at % size === 0);
  const within = starts.map((at) => culprits(items.slice(at, at + size), isRed, note, parts));
  const found = (await Promise.all(within)).flat();
  if (found.length > 0 || isOpen) return found;
  let kept = items;
  // Takes away large parts before single items.
  for (let step = items.length >> 1; step >= 1; step >>= 1)
    for (let at = 0; at < kept.length && kept.length > 1;) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + step)];
      if (rest.length > 0 && (await isRed(rest)) === true) kept = rest;
      else at += step;
    }
  return [kept];
}
