/**
 * A piece of a line: words of ours; a literal, such as an id or something that came from outside; words that are set
 * off; or a check of the report, to which a page can link.
 */
export type Piece =
  | string
  | { readonly literal: string }
  | { readonly strong: string }
  | { readonly quiet: string }
  | { readonly check: string; readonly title: string };

/** A line, in pieces that follow each other without a space. */
export type Line = readonly Piece[];

/** A line, and what is below it. */
export interface Entry {
  readonly line: Line;
  readonly below?: readonly Entry[] | undefined;
  /** A list that may be long. */
  readonly list?: { readonly title: string; readonly literals: readonly string[] } | undefined;
}

/** The first items, and a remark on the others; all items if `most` is not given. */
export function firstOf<T>(
  items: readonly T[],
  most = Infinity,
): { readonly first: readonly T[]; readonly rest: number } {
  return { first: items.slice(0, most), rest: Math.max(0, items.length - most) };
}
