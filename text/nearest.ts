/** The candidates that most resemble the input in any case, the nearest first; none if nothing is near. */
export function nearest(typed: string, candidates: Iterable<string>, most = 3): string[] {
  const farthest = Math.max(2, Math.floor(typed.length * 0.4));
  const isIn = (candidate: string): boolean => typed.length > 3 && candidate.includes(typed);
  // A larger difference in length needs more edits, so a long text costs nothing.
  return [...new Set(candidates)]
    .filter((candidate) => Math.abs(candidate.length - typed.length) <= farthest || isIn(candidate))
    .map((candidate) => ({ candidate, far: editDistance(typed.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= farthest || isIn(candidate))
    .toSorted((one, other) => one.far - other.far || one.candidate.localeCompare(other.candidate, 'en'))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** "Did you mean ...?" with a leading space, or an empty text, also if the input is not a string. */
export function didYouMean(typed: unknown, candidates: Iterable<string>): string {
  if (typeof typed !== 'string') return '';
  const found = nearest(typed, candidates);
  if (found.length === 0) return '';
  return ` Did you mean ${found.join(' or ')}?`;
}

/**
 * The number of edits from one text to another: insertions, deletions and replacements of one character (Levenshtein),
 * and, with `swaps`, exchanges of neighbours.
 */
export function editDistance(one: string, other: string, swaps = false): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const edits = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1];
      edits.push((row[j - 1] ?? 0) + Number(one[i - 1] !== other[j - 1]));
      const isSwap = swaps && i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) edits.push((before[j - 2] ?? 0) + 1);
      next.push(Math.min(...edits));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
