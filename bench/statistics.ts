/** The middle of some numbers; of an even count, half way between the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (i: number): number => sorted[i] ?? Number.NaN;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
}

/** The median of what each pair gives; pairs were measured next to each other, so that what loads the machine loads both. */
export const medianRatio = (of: readonly number[], to: readonly number[]): number =>
  median(of.flatMap((value, i) => (to[i] === undefined || to[i] === 0 ? [] : [value / to[i]])));
