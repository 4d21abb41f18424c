import { stampOf, type Stamp } from '../history/clock.ts';
import type { Answered, Kept } from '../history/exchange.ts';
import { field, isObject, stringAt } from '../json.ts';
import { parseTimestamp, type Instant } from './timestamps.ts';

/** A result as far as the relations between results need it. */
export interface Row {
  readonly id: string;
  readonly at: Instant | undefined;
  /** `createdAt` as it was answered. */
  readonly createdAt: unknown;
  readonly agentId: string | undefined;
  /** Archived, or never started. */
  readonly isIdle: boolean;
}

export interface Page {
  /** The order of the exchange: see {@link Answered}. */
  readonly n: number;
  readonly begun: number;
  /** The parameters with which it was asked for. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** How many results were answered, readable or not. */
  readonly count: number;
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly stamp: Stamp;
  readonly kept: Kept;
}

const MAX_ROWS_READ = 1_000;
const MAX_ID_LENGTH = 1_000;
const MAX_CURSOR_LENGTH = 8_000;

/** A page of results, or why it cannot be read: its shape is judged elsewhere. */
export function readPage(exchange: Answered): Page | string {
  const { answer, n, begun, query, kept } = exchange;
  if (answer.problem !== undefined) return `a page was ${answer.problem}`;
  const { json } = answer;
  const results = field(json, 'results');
  if (!Array.isArray(results)) return 'an answer holds no array of results';
  const nextCursor = isObject(json) ? json['nextCursor'] : undefined;
  if (nextCursor !== null && typeof nextCursor !== 'string') return 'a nextCursor is neither a string nor null';
  if (typeof nextCursor === 'string' && nextCursor.length > MAX_CURSOR_LENGTH)
    return `a nextCursor is ${nextCursor.length} characters long`;
  const rows: Row[] = [];
  for (const result of results.slice(0, MAX_ROWS_READ)) {
    const id = stringAt(result, 'id');
    if (id === undefined || id.length > MAX_ID_LENGTH) return 'a result has no string as its id';
    const createdAt = field(result, 'createdAt');
    const isIdle = field(result, 'isArchived') === true || field(result, 'hasStarted') === false;
    rows.push({
      id,
      at: parseTimestamp(createdAt),
      createdAt: small(createdAt),
      agentId: stringAt(result, 'agentId'),
      isIdle,
    });
  }
  return { n, begun, query, count: results.length, rows, nextCursor, stamp: stampOf(exchange), kept };
}

/** As much of a value as is shown of it: pages are kept, and what a hostile server sends must not be kept with them. */
function small(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? Buffer.from(value.slice(0, 200)).toString() : value;
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}
