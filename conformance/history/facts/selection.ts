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

const read = new WeakMap<QueryPairs, Selection>();

/** Reads the query of List results; results are cached. */
export function readSelection(query: QueryPairs): Selection {
  const selection = read.get(query) ?? selectionOf(query);
  read.set(query, selection);
  return selection;
}

function selectionOf(query: QueryPairs): Selection {
  const limits = valuesOf(query, 'limit');
  const cursors = valuesOf(query, 'cursor');
  const sentFilter = onlyOf(valuesOf(query, 'timeFilter'));
  const selecting = query.filter(([name]) => name !== 'limit' && name !== 'cursor');
  const known = timeFilters.find((filter) => filter === sentFilter);
  const isPlain = selecting.length === 0 || (selecting.length === 1 && known !== undefined);
  const limit = limitIn(onlyOf(limits));
  return {
    key: JSON.stringify(selecting.toSorted(([one], [other]) => Number(one > other) - Number(one < other))),
    filter: isPlain ? (known ?? 'last7Days') : undefined,
    sentFilter,
    limit,
    hasLimit: limits.length > 0,
    cursor: onlyOf(cursors),
    isDocumented: isPlain && (limits.length === 0 || limit !== undefined) && cursors.length <= 1,
  };
}

function valuesOf(query: QueryPairs, name: string): readonly string[] {
  return query.filter(([key]) => key === name).map(([, value]) => value);
}

function onlyOf(values: readonly string[]): string | undefined {
  if (values.length === 1) return values[0];
  return undefined;
}

/** A limit from 1 to 100. */
function limitIn(text: string | undefined): number | undefined {
  if (text !== undefined && /^(?:[1-9]\d?|100)$/.test(text)) return Number(text);
  return undefined;
}

/** `limit=7&timeFilter=allTime`, or `without parameters`; never with a cursor. */
export function describeQuery(query: QueryPairs): string {
  const parts = query.filter(([name]) => name !== 'cursor');
  return parts.map(([name, value]) => `${name.slice(0, 40)}=${value.slice(0, 40)}`).join('&') || 'without parameters';
}
