/** A piece of a line: our words, a literal from outside, words set off, or a check to which a page can link. */
export type LinePiece =
  | string
  | { readonly literal: string }
  | { readonly strong: string }
  | { readonly quiet: string }
  | { readonly check: string; readonly title: string };

/** A line, in pieces that follow each other without a space. */
export type Line = readonly LinePiece[];

/** A line, and what is below it. */
export interface Entry {
  readonly line: Line;
  readonly below?: readonly Entry[] | undefined;
  /** A list that may be long. */
  readonly list?: { readonly title: string; readonly literals: readonly string[] } | undefined;
}

const SHORT = { requirements: 1, more: 5, exchanges: 3, proofs: 10, neverSeen: 8, news: 100, serverErrors: 3 } as const;

/** The first items of a list, as many as a short outline shows, and how many are left; or all items. */
export function firstOf<T>(items: readonly T[], kind: keyof typeof SHORT, isShort = false) {
  const first = items.slice(0, (isShort && SHORT[kind]) || undefined);
  return { first, rest: items.length - first.length };
}

export interface OutlineOptions {
  /** Shows the values in bodies, not only their types. */
  readonly includeBodies?: boolean | undefined;
  /** Leaves out what would bury the rest, and says how much that was. */
  readonly isShort?: boolean;
  /** Counts what was not judged, in place of naming each check. */
  readonly isBrief?: boolean;
}
