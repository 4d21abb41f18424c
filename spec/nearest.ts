/** The candidates that are most like what was typed, the nearest first; none where nothing is near. */
export function nearest(typed: string, candidates: Iterable<string>, most = 3): string[] {
  const farthest = Math.max(2, Math.floor(typed.length * 0.4));
  const isIn = (candidate: string): boolean => typed.length > 3 && candidate.includes(typed);
  // What differs in length by more is farther than that: a text of any length costs nothing.
  return [...new Set(candidates)]
    .filter((candidate) => Math.abs(candidate.length - typed.length) <= farthest || isIn(candidate))
    .map((candidate) => ({ candidate, far: distance(typed, candidate) }))
    .filter(({ candidate, far }) => far <= farthest || isIn(candidate))
    .toSorted((one, other) => one.far - other.far || one.candidate.localeCompare(other.candidate))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** "Did you mean ...?" with a space before it, or nothing. */
export function didYouMean(typed: string, candidates: Iterable<string>): string {
  const found = nearest(typed, candidates);
  return found.length === 0 ? '' : ` Did you mean ${found.join(' or ')}?`;
}

/** Insertions, deletions and replacements of one character (Levenshtein), regardless of case. */
function distance(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
