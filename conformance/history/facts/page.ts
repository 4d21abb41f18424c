import { stampOf, type Stamp } from './clock.ts';
import type { Answered, Excerpt } from '../../http/exchange.ts';
import { field, isObject, stringAt } from '../../json.ts';
import { oncePer } from '../../once-per.ts';
import { readSelection, type Selection } from './selection.ts';
import { parseTimestamp, type Timestamp } from '../../content/timestamps.ts';

/** The parts of a result that relations between results need. */
export interface Row {
  readonly id: string;
  readonly at: Timestamp | undefined;
  /** `createdAt` as it was answered. */
  readonly createdAt: unknown;
  readonly agentId: string | undefined;
  readonly workspaceId: string | undefined;
  /** Archived, or never started. */
  readonly isIdle: boolean;
}

export interface ResultsPage {
  /** The order of the exchange: see {@link Answered}. */
  readonly n: number;
  readonly begun: number;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly selection: Selection;
  /** The number of answered results, readable or not. */
  readonly count: number;
  readonly rows: readonly Row[];
  /** Its oldest and its newest time, in epoch milliseconds; `undefined` if one is unknown, or if it is empty. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
  /** Whether every result has an identifier, so that `rows` is complete. */
  readonly isWhole: boolean;
  /** `undefined` if it is neither a usable cursor nor null: another check judges its shape. */
  readonly nextCursor: string | null | undefined;
  readonly stamp: Stamp;
  readonly excerpt: Excerpt;
}

const MAX_ROWS_READ = 1_000;
const MAX_ID_LENGTH = 1_000;
const MAX_CURSOR_LENGTH = 8_000;

/** A page of results, or why it cannot be read: another check judges its shape. */
export function readResultsPage(exchange: Answered): ResultsPage | string {
  const { answer, n, begun, query, excerpt } = exchange;
  if (answer.problem !== undefined) return `a page was ${answer.problem}`;
  const { json } = answer;
  const results = field(json, 'results');
  if (!Array.isArray(results)) return 'an answer holds no array of results';
  return {
    n,
    begun,
    query,
    selection: readSelection(query),
    count: results.length,
    ...rowsOf(results),
    nextCursor: cursorIn(json),
    stamp: stampOf(exchange),
    excerpt,
  };
}

const rowsOf = oncePer((results: readonly unknown[]): Pick<ResultsPage, 'rows' | 'span' | 'isWhole'> => {
  const rows = results.slice(0, MAX_ROWS_READ).flatMap((result): Row[] => {
    const id = stringAt(result, 'id');
    if (id === undefined || id.length > MAX_ID_LENGTH) return [];
    return [rowOf(result, id)];
  });
  return { rows, span: spanOf(rows), isWhole: rows.length === results.length };
});

function spanOf(rows: readonly Row[]): ResultsPage['span'] {
  const times = rows.flatMap(({ at }) => (at ? [at.ms] : []));
  if (times.length < rows.length || times.length === 0) return undefined;
  return { from: Math.min(...times), to: Math.max(...times) };
}

function rowOf(result: unknown, id: string): Row {
  const createdAt = field(result, 'createdAt');
  return {
    id,
    at: parseTimestamp(createdAt),
    createdAt: small(createdAt),
    agentId: stringAt(result, 'agentId'),
    workspaceId: stringAt(result, 'workspaceId'),
    isIdle: field(result, 'isArchived') === true || field(result, 'hasStarted') === false,
  };
}

function cursorIn(json: unknown): string | null | undefined {
  const cursor = isObject(json) ? json['nextCursor'] : undefined;
  if (cursor === null) return null;
  if (typeof cursor === 'string' && cursor.length <= MAX_CURSOR_LENGTH) return cursor;
  return undefined;
}

/** As much of a value as a report shows, so that kept pages do not hold what a hostile server sends. */
function small(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 200) return Buffer.from(value.slice(0, 200)).toString();
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  return value;
}
