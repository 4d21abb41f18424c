/** The candidates that are most like what was typed in whatever case, the nearest first; none if nothing is near. */
export function nearest(typed: string, candidates: Iterable<string>, most = 3): string[] {
  const farthest = Math.max(2, Math.floor(typed.length * 0.4));
  const isIn = (candidate: string): boolean => typed.length > 3 && candidate.includes(typed);
  // What differs in length by more is farther than that: a text of any length costs nothing.
  return [...new Set(candidates)]
    .filter((candidate) => Math.abs(candidate.length - typed.length) <= farthest || isIn(candidate))
    .map((candidate) => ({ candidate, far: editDistance(typed.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= farthest || isIn(candidate))
    .toSorted((one, other) => one.far - other.far || one.candidate.localeCompare(other.candidate))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** "Did you mean ...?" with a space before it, or nothing, as for what is no text. */
export function didYouMean(typed: unknown, candidates: Iterable<string>): string {
  const found = typeof typed === 'string' ? nearest(typed, candidates) : [];
  return found.length === 0 ? '' : ` Did you mean ${found.join(' or ')}?`;
}

/**
 * How many edits lead from one text to another: insertions, deletions and replacements of one character (Levenshtein),
 * and, where `swaps` is set, neighbours that change places.
 */
export function editDistance(one: string, other: string, swaps = false): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = swaps && i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
