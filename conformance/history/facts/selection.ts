import { timeFilters, type TimeFilter } from '../../../spec/index.ts';

/** Decoded pairs of a query, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** What a list request selects, and its page size. */
export interface Selection {
  /** Identifies the selected list, whatever the page size. */
  readonly key: string;
  /** The filter that decides what belongs to the list; `undefined` if something undocumented decides too. */
  readonly filter: TimeFilter | undefined;
  /** `timeFilter` as it was sent. */
  readonly sentFilter: string | undefined;
  /** The sent limit, from 1 to 100; `undefined` if there is none, or if it is invalid. */
  readonly limit: number | undefined;
  readonly hasLimit: boolean;
  readonly cursor: string | undefined;
  /** It asks only for what section 4.5 documents. */
  readonly isDocumented: boolean;
}

const isTimeFilter = (value: string): value is TimeFilter => timeFilters.some((known) => known === value);

const read = new WeakMap<QueryPairs, Selection>();

/** Reads the query of List results; results are cached. */
export function readSelection(query: QueryPairs): Selection {
  const selection = read.get(query) ?? selectionOf(query);
  read.set(query, selection);
  return selection;
}

function selectionOf(query: QueryPairs): Selection {
  const all = (name: string): readonly string[] => query.flatMap(([key, value]) => (key === name ? [value] : []));
  const only = (name: string): string | undefined => (all(name).length === 1 ? all(name)[0] : undefined);
  const limitText = only('limit');
  const limit = limitText !== undefined && /^[1-9]\d{0,2}$/.test(limitText) ? Number(limitText) : undefined;
  const sentFilter = only('timeFilter');
  const selecting = query.filter(([name]) => name !== 'limit' && name !== 'cursor');
  const isPlain =
    selecting.length === 0 || (selecting.length === 1 && sentFilter !== undefined && isTimeFilter(sentFilter));
  const filter = sentFilter !== undefined && isTimeFilter(sentFilter) ? sentFilter : 'last7Days';
  const inBounds = limit !== undefined && limit <= 100 ? limit : undefined;
  return {
    key: JSON.stringify(selecting.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))),
    filter: isPlain ? filter : undefined,
    sentFilter,
    limit: inBounds,
    hasLimit: all('limit').length > 0,
    cursor: only('cursor'),
    isDocumented: isPlain && (all('limit').length === 0 || inBounds !== undefined) && all('cursor').length <= 1,
  };
}

/** `limit=7&timeFilter=allTime`, or `without parameters`; never with a cursor. */
export function describeQuery(query: QueryPairs): string {
  const parts = query.flatMap(([name, value]) =>
    name === 'cursor' ? [] : [`${name.slice(0, 40)}=${value.slice(0, 40)}`],
  );
  return parts.length === 0 ? 'without parameters' : parts.join('&');
}
