import type { Finding } from '../../../check.ts';
import { parseTimestamp } from '../../../content/timestamps.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import { hasEnded, type List } from '../../../history/facts/lists.ts';
import { describeQuery } from '../../../history/facts/selection.ts';
import { pageOf } from '../../../results/relations.ts';
import { show } from '../../../show.ts';
import { excerptsOf } from '../pages.ts';
import { namedBy, pointerOf } from './windows.ts';

/** Dates without a time, zones and edges move the ends of a span by less. */
const SLACK_MS = 48 * 3_600_000;

const SPANNED = new Set(['limit', 'cursor', 'timeFilter', 'start', 'end']);

/** Lists that begin where their span does, and show what was created days after its end. A server may also ignore both. */
export const beyondEnds = (facts: Facts): readonly Finding[] =>
  facts.lists.all.flatMap((list): readonly Finding[] => {
    const end = instantOf(list, 'end');
    const late = list.rows.find(({ at }) => end !== undefined && at?.zoneKnown === true && at.ms > end + SLACK_MS);
    if (!late || end === undefined) return [];
    const cut = leftOut(facts, list, instantOf(list, 'start') ?? end);
    if (!cut) return [];
    return [
      {
        requirement: 'end-meaning',
        expected: `no result created days after end, since older results are left out (${describeQuery(list.query)})`,
        actual: `one of ${show(late.createdAt)}`,
        at: pointerOf(list, pageOf(list, late.id), late.id),
        exchanges: [...excerptsOf(list, pageOf(list, late.id)), ...cut],
      },
    ];
  });

/** The readings of the same filter, before and after, that show the next older result, if the list was cut at an instant. */
function leftOut({ lists }: Facts, list: List, at: number) {
  const { of, rows, pages, query, selection } = list;
  const isFull = pages.some(({ count }) => count >= (selection.limit ?? 50));
  const oldest = rows.at(-1)?.at?.ms ?? -Infinity;
  if (!hasEnded(list) || isFull || oldest < at - SLACK_MS || !query.every(([name]) => SPANNED.has(name)))
    return undefined;
  const same = lists.all.filter((one) => one.of === of && namedBy(one) === selection.sentFilter);
  const before = same.find((one) => (one.pages.at(-1)?.n ?? Infinity) < (pages[0]?.begun ?? 0));
  const next = before?.rows.find((row) => row.at && row.at.ms < oldest && !list.place.has(row.id));
  if (!before || !next?.at || next.at.ms > at + SLACK_MS) return undefined;
  const after = same.findLast(
    (one) => (one.pages[0]?.begun ?? 0) > (pages.at(-1)?.n ?? Infinity) && one.place.has(next.id),
  );
  return after && [before, after].flatMap((one) => excerptsOf(one, pageOf(one, next.id)));
}

/** The instant of a parameter in the usual form with a zone. */
function instantOf({ query }: List, wanted: string): number | undefined {
  const [value, ...more] = query.flatMap(([name, text]) => (name === wanted ? text : []));
  const at = more.length === 0 && /^\d{4}-\d\d-\d\dT/.test(value ?? '') && parseTimestamp(value);
  return at && at.zoneKnown ? at.ms : undefined;
}
