import { hasEnded, type List, type Lists } from '../history/facts/lists.ts';
import type { Row } from '../history/facts/page.ts';
import { within, type Windows } from './windows.ts';
import { isOrderly, positionsIn, type Position } from './relations.ts';

/** A list that shows a result. */
export interface Sighting {
  readonly list: List;
  readonly page: number;
}

/** How a list disagrees with two readings: one that ended before it began, and one that began after it ended. */
export interface Disagreement {
  /** It lacks a result that both show, or shows one that both lack. */
  readonly kind: 'missing' | 'foreign';
  readonly list: List;
  readonly row: Row;
  /** The page of `list` where it is missing. */
  readonly position: Position;
  /** The readings before and after. */
  readonly witnesses: readonly [Sighting, Sighting];
  /** Whether the witnesses are readings of the same list, or of one with another filter. */
  readonly isSame: boolean;
  /** Whether a reading of the same list shows the result: a later one, or any if cursors led to the page. */
  readonly isKnown: boolean;
}

/** What the readings of all lists show together. */
export interface Agreement {
  readonly disagreements: readonly Disagreement[];
  /** How often a list was compared with two readings of the same list, of which one of the three shows a result. */
  readonly compared: number;
}

/**
 * Rows younger than this may not have reached every replica. The same holds for rows younger than the ones that lists
 * lacked at their heads.
 */
const LAG_MS = 60_000;
/** A lagging replica shows at the head of a list, and no further than this. */
const LONGEST_LAG_MS = 3_600_000;

/** The first and the last sighting of a result in the lists of one key. */
interface Seen {
  readonly row: Row;
  first: Sighting & { readonly n: number };
  last: Sighting & { readonly begun: number };
}

/** Readings of one list: same agent, same caller, same selection. */
interface Readings {
  readonly key: string;
  readonly lists: readonly List[];
  readonly seen: ReadonlyMap<string, Seen>;
}

/** Compares every list of a history with all others of its agent and caller. */
export function agreementOf(lists: Lists, windows: Windows): Agreement {
  const disagreements: Disagreement[] = [];
  let compared = 0;
  const comparable = lists.all.filter((list) => !list.open && list.pages.length > 0 && isOrderly(list));
  for (const group of groupedBy(comparable, ({ of }) => of).values()) {
    const readings = [...groupedBy(group, ({ selection }) => selection.key)].map(([key, some]) =>
      readingsOf(key, some),
    );
    const missing: Disagreement[] = [];
    const lastWeek = readings.filter(({ lists: [one] }) => one?.selection.sentFilter === 'last7Days');
    for (const own of readings)
      for (const list of own.lists) {
        for (const other of readings) missing.push(...missingFrom(list, own, other, windows));
        for (const other of own.key === '[]' ? [own, ...lastWeek] : [own]) {
          const around = bracket(list, other.lists);
          if (!around) continue;
          if (other === own && [list, ...around].some(({ rows }) => rows.length > 0)) compared++;
          disagreements.push(...foreignIn(list, around, other === own, windows));
        }
      }
    const lag = lagSeen(missing, windows);
    disagreements.push(...missing.filter((one) => ageOf(one, windows) > lag));
  }
  return { disagreements, compared };
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function readingsOf(key: string, lists: readonly List[]): Readings {
  const seen = new Map<string, Seen>();
  for (const list of lists)
    for (const [page, { rows, n, begun }] of list.pages.entries())
      for (const row of rows) {
        const known = seen.get(row.id);
        if (!known) seen.set(row.id, { row, first: { list, page, n }, last: { list, page, begun } });
        else if (n < known.first.n) known.first = { list, page, n };
        if (known && begun > known.last.begun) known.last = { list, page, begun };
      }
  return { key, lists, seen };
}

const beganAt = (list: List): number => list.pages[0]?.begun ?? 0;
const endedAt = (list: List): number => list.pages.at(-1)?.n ?? Infinity;

/** Results that readings before and after a list both show, and that the list lacks although it went past them. */
function missingFrom(list: List, own: Readings, other: Readings, windows: Windows): readonly Disagreement[] {
  const [began, ended] = [beganAt(list), endedAt(list)];
  const positionOf = positionsIn(list);
  const possible = windows.boundsOf(list)?.possible;
  const found: Disagreement[] = [];
  for (const { row, first, last } of other.seen.values()) {
    if (first.n > began || last.begun < ended || list.place.has(row.id)) continue;
    if (own !== other && possible && row.at && !within(row.at.ms, possible)) continue;
    const position = positionOf(row);
    if (position === 'beyond') continue;
    found.push({
      kind: 'missing',
      list,
      row,
      position,
      witnesses: [first, last],
      isSame: own === other,
      isKnown: (own.seen.get(row.id)?.last.begun ?? -1) > (list.pages.length > 1 ? -1 : ended),
    });
  }
  return found;
}

/** How old a missing result was when the list was read. */
const ageOf = ({ list, row }: Pick<Disagreement, 'list' | 'row'>, windows: Windows): number => {
  const stamp = list.pages[0]?.stamp;
  if (row.at && stamp) return Math.min(...windows.clock.instants(stamp), stamp.at) - row.at.ms;
  return Infinity;
};

/** How old rows may be that a replica lacks: what is missing at the heads of lists shows it. */
function lagSeen(missing: readonly Disagreement[], windows: Windows): number {
  const ages = missing.filter(({ position }) => position === 'head').map((one) => ageOf(one, windows));
  return Math.max(LAG_MS, ...ages.filter((age) => age <= LONGEST_LAG_MS));
}

/** The last reading that ended before a list began, and the first that began after it ended; complete ones first. */
function bracket(list: List, all: readonly List[]): readonly [List, List] | undefined {
  const before = all.filter((one) => endedAt(one) < beganAt(list));
  const after = all.filter((one) => beganAt(one) > endedAt(list));
  const earlier = before.findLast(hasEnded) ?? before.at(-1);
  const later = after.find(hasEnded) ?? after[0];
  if (earlier && later) return [earlier, later];
  return undefined;
}

/**
 * Results that a list shows, and that readings of the same list before and after it lack although both went past them.
 */
function foreignIn(
  list: List,
  around: readonly [List, List],
  isSame: boolean,
  windows: Windows,
): readonly Disagreement[] {
  const [before, after] = around;
  const newest = before.rows[0]?.at?.ms;
  const isPast = around.map((one) => {
    const positionOf = positionsIn(one);
    return (row: Row): boolean => positionOf(row) !== 'beyond';
  });
  return list.rows.flatMap((row): readonly Disagreement[] => {
    if (around.some(({ place }) => place.has(row.id)) || !isPast.every((is) => is(row))) return [];
    if (row.at && (newest === undefined || row.at.ms >= newest || ageOf({ list: before, row }, windows) <= LAG_MS))
      return [];
    if (!row.at && !list.rows.slice(0, list.place.get(row.id)).some(({ id }) => before.place.has(id))) return [];
    const witnesses = [before, after].map((one) => ({ list: one, page: one.pages.length - 1 })) as [Sighting, Sighting];
    return [{ kind: 'foreign', list, row, position: 'unknown', witnesses, isSame, isKnown: true }];
  });
}
