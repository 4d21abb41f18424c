import { grouping } from '../collections.ts';
import { hasEnded, type List } from '../history/facts/lists.ts';
import type { Row } from '../history/facts/page.ts';
import { within, type Span, type Windows } from './windows.ts';
import { isOrderly, positionsIn, type Position } from './relations.ts';

type Sighting = Readonly<{ list: List; page: number }>;

/** How a list disagrees with two readings: one that ended before it began, and one that began after it ended. */
export interface Disagreement {
  /** It lacks a result that both show, or shows one that both lack. */
  readonly kind: 'missing' | 'foreign';
  readonly list: List;
  readonly row: Row;
  /** The page of `list` where it is missing. */
  readonly position: Position;
  readonly witnesses: readonly [Sighting, Sighting];
  /** Whether the witnesses are readings of the same list, or of one with another filter. */
  readonly isSame: boolean;
  /** Whether a reading of the same list shows the result: a later one, or any if cursors led to the page. */
  readonly isKnown: boolean;
}

/** What the readings of all lists show together. */
export type Agreement = ReturnType<typeof agreementOf>;

/** Rows younger than this, or than those that lists lacked at their heads, may not have reached every replica. */
const LAG_MS = 60_000;
/** A lagging replica shows at the head of a list, and no further than this. */
const LONGEST_LAG_MS = 3_600_000;

/** The key of lists under the filter that a list without one has too. */
const LAST_WEEK = JSON.stringify([['timeFilter', 'last7Days']]);

interface Seen {
  readonly row: Row;
  first: Sighting & { readonly n: number };
  last: Sighting & { readonly begun: number };
}

type Readings = Readonly<{ lists: readonly List[]; seen: ReadonlyMap<string, Seen> }>;

const beganAt = (list: List): number => list.pages[0]?.begun ?? 0;
const endedAt = (list: List): number => list.pages.at(-1)?.n ?? Infinity;

/** Compares every list of a history with all others of its agent and caller. */
export function agreementOf(lists: readonly List[], windows: Windows) {
  const ageIn = ({ pages: [first] }: List, { at }: Row): number => {
    if (!at || !first) return Infinity;
    return Math.min(...windows.clock.instants(first.stamp), first.stamp.at) - at.ms;
  };
  const [lost, added]: [Disagreement[], Disagreement[]] = [[], []];
  /** The `n` of lists that lack results which may not have reached every replica. */
  const lagging: number[] = [];
  /** How often a list was compared with two readings of the same list, of which one of the three shows a result. */
  let compared = 0;
  const comparable = lists.filter((list) => !list.open && list.pages.length > 0 && isOrderly(list));
  for (const group of grouping(comparable, ({ of }) => of).values()) {
    const readings = [...grouping(group, ({ selection }) => selection.key)].map(([key, some]) => ({
      key,
      lists: some,
      seen: sightingsIn(some),
    }));
    const missing: Disagreement[] = [];
    const lastWeek = readings.filter(({ key }) => key === LAST_WEEK);
    for (const own of readings)
      for (const list of own.lists) {
        const possible = windows.boundsOf(list)?.possible;
        // Where something undocumented decides what belongs to a list, nothing of another one is missing.
        const others = list.selection.span === undefined ? [own] : readings;
        for (const other of others) missing.push(...missingFrom(list, own, other, possible));
        for (const other of own.key === '[]' ? [own, ...lastWeek] : [own]) {
          const around = bracket(list, other.lists);
          if (!around) continue;
          if (other === own && [list, ...around].some(({ rows }) => rows.length > 0)) compared++;
          const foreign = foreignIn(list, around, other === own, ageIn);
          // What another reading of the other list shows is at home there: the two around this one lost it.
          added.push(...foreign.filter(({ row }) => other === own || !other.seen.has(row.id)));
        }
      }
    // How old rows may be that a replica lacks: what is missing at the heads of lists shows it.
    const ages = missing.filter(({ position }) => position === 'head').map(({ list, row }) => ageIn(list, row));
    const lag = Math.max(LAG_MS, ...ages.filter((age) => age <= LONGEST_LAG_MS));
    for (const some of grouping(missing, ({ row }) => row.id).values()) {
      const keys = neverIn(some, readings);
      for (const one of some)
        if (ageIn(one.list, one.row) > lag || keys.has(one.list.selection.key)) lost.push(one);
        else lagging.push(endedAt(one.list));
    }
  }
  // A list that lacks results makes those that hold them look wrong.
  const short = new Set(lost.map(({ list }) => list));
  const strange = added.filter(({ isSame, witnesses }) => !isSame || !witnesses.some(({ list }) => short.has(list)));
  return { disagreements: [...lost, ...strange], compared, lagging };
}

/** So many lists of one selection that lack a result, and of another that show it. */
const OFTEN = 3;

/**
 * The selections that never show a result, while others always do: a replica lags behind whatever is asked of it, so that some
 * selection shows the result now and then.
 */
function neverIn(missing: readonly Disagreement[], readings: readonly Readings[]): ReadonlySet<string> {
  const id = missing[0]?.row.id ?? '';
  const lacking = new Set(missing.map(({ list }) => list));
  const counts = readings.map(({ lists }) => ({
    key: lists[0]?.selection.key ?? '',
    lacks: lists.filter((list) => lacking.has(list)).length,
    shows: lists.filter(({ place }) => place.has(id)).length,
  }));
  const isMixed = counts.some(({ lacks, shows }) => lacks > 0 && shows > 0);
  if (isMixed || !counts.some(({ shows }) => shows >= OFTEN)) return new Set();
  return new Set(counts.filter(({ lacks }) => lacks >= OFTEN).map(({ key }) => key));
}

function sightingsIn(lists: readonly List[]): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const list of lists)
    for (const [page, { rows, n, begun }] of list.pages.entries())
      for (const row of rows) {
        const known = seen.get(row.id);
        if (!known) seen.set(row.id, { row, first: { list, page, n }, last: { list, page, begun } });
        else if (n < known.first.n) known.first = { list, page, n };
        if (known && begun > known.last.begun) known.last = { list, page, begun };
      }
  return seen;
}

/** Results that readings before and after a list both show, and that the list lacks although it went past them. */
function missingFrom(list: List, own: Readings, other: Readings, possible: Span | undefined): readonly Disagreement[] {
  const [began, ended] = [beganAt(list), endedAt(list)];
  const positionOf = positionsIn(list);
  const isSame = own === other;
  return [...other.seen.values()].flatMap(({ row, first, last }): readonly Disagreement[] => {
    if (first.n > began || last.begun < ended || list.place.has(row.id)) return [];
    if (!isSame && possible && row.at && !within(row.at.ms, possible)) return [];
    const position = positionOf(row);
    if (position === 'beyond') return [];
    const isKnown = (own.seen.get(row.id)?.last.begun ?? -1) > (list.pages.length > 1 ? -1 : ended);
    return [{ kind: 'missing', list, row, position, witnesses: [first, last], isSame, isKnown }];
  });
}

/** The last reading that ended before a list began, and the first that began after it ended; complete ones first. */
function bracket(list: List, all: readonly List[]): readonly [List, List] | undefined {
  const before = all.filter((one) => endedAt(one) < beganAt(list));
  const after = all.filter((one) => beganAt(one) > endedAt(list));
  const earlier = before.findLast(hasEnded) ?? before.at(-1);
  const later = after.find(hasEnded) ?? after[0];
  return earlier && later && [earlier, later];
}

/** Results that a list shows, and that readings of the same list before and after it lack although both went past them. */
function foreignIn(
  list: List,
  around: readonly [List, List],
  isSame: boolean,
  ageIn: (list: List, row: Row) => number,
): readonly Disagreement[] {
  const [before, after] = around;
  const newest = before.rows[0]?.at?.ms ?? -Infinity;
  const positions = around.map(positionsIn);
  const witnesses = [
    { list: before, page: before.pages.length - 1 },
    { list: after, page: after.pages.length - 1 },
  ] as const;
  return list.rows.flatMap((row): readonly Disagreement[] => {
    if (around.some(({ place }) => place.has(row.id)) || positions.some((of) => of(row) === 'beyond')) return [];
    if (row.at && (row.at.ms >= newest || ageIn(before, row) <= LAG_MS)) return [];
    if (!row.at && !list.rows.slice(0, list.place.get(row.id)).some(({ id }) => before.place.has(id))) return [];
    return [{ kind: 'foreign', list, row, position: 'unknown', witnesses, isSame, isKnown: true }];
  });
}
