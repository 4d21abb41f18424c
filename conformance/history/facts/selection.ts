import { timeFilters } from '../../../spec/index.ts';
import { onlyOf } from '../../collections.ts';
import type { Exchange } from '../../http/exchange.ts';

/** What a list request selects, and its page size. */
export type Selection = ReturnType<typeof readSelection>;

/** Reads the query of List results. A parameter that is given twice has no value. */
export function readSelection(query: Exchange['query']) {
  const valuesOf = (wanted: string): readonly string[] =>
    query.filter(([name]) => name === wanted).map(([, value]) => value);
  const [limits, cursors, filters] = [valuesOf('limit'), valuesOf('cursor'), valuesOf('timeFilter')];
  const sentFilter = onlyOf(filters);
  const selecting = query.filter(([name]) => name !== 'limit' && name !== 'cursor');
  const known = timeFilters.find((filter) => filter === sentFilter);
  const isPlain = selecting.length === 0 || (selecting.length === 1 && known !== undefined);
  const isZoned = known !== undefined && selecting.every(([name]) => name === 'timeFilter' || name === 'timeZone');
  const filter = isPlain ? (known ?? 'last7Days') : undefined;
  const sentLimit = onlyOf(limits) ?? '';
  const limit = /^(?:[1-9]\d?|100)$/.test(sentLimit) ? Number(sentLimit) : undefined;
  return {
    /** Identifies the selected list, whatever the page size. */
    key: JSON.stringify(selecting.toSorted(([one], [other]) => Number(one > other) - Number(one < other))),
    /** The filter that decides what belongs to the list; `undefined` if something undocumented decides too. */
    filter,
    /** The filter whose time span no result may leave: a time zone moves its days, and does nothing else. */
    span: isZoned ? known : filter,
    sentFilter,
    /** The sent limit, from 1 to 100; `undefined` if there is none, or if it is invalid. */
    limit,
    hasLimit: limits.length > 0,
    cursor: onlyOf(cursors),
    isDocumented: isPlain && (limits.length === 0 || limit !== undefined) && cursors.length <= 1,
  };
}

/** `limit=7&timeFilter=allTime`, or `without parameters`; never with a cursor. */
export function describeQuery(query: Exchange['query']): string {
  const parts = query.filter(([name]) => name !== 'cursor');
  return parts.map(([name, value]) => `${name.slice(0, 40)}=${value.slice(0, 40)}`).join('&') || 'without parameters';
}
