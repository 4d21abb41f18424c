/** The median; of an even count, the mean of the two middle values. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (i: number): number => sorted[i] ?? Number.NaN;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
}

/** The median of a value over pairs. The two measurements of a pair run side by side, so that load affects both. */
export const medianRatio = (of: readonly number[], to: readonly number[]): number =>
  median(of.flatMap((value, i) => (to[i] === undefined || to[i] === 0 ? [] : [value / to[i]])));
