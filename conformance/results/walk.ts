import type { TimeFilter } from '../../spec/index.ts';
import type { Answer, Exchange } from '../history/exchange.ts';
import type { Api } from '../asking/api.ts';
import { CannotJudge, field, isObject, stringAt } from '../expect.ts';
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
  /** How many results were answered, readable or not. */
  readonly count: number;
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly exchange: Exchange;
}

/**
 * How a walk came to its end: with `nextCursor` null; going round in circles; in empty pages without end; at the bound
 * that was set; refused; at an answer that could not be read.
 */
export type WalkEnd = 'null' | 'loop' | 'empty-pages' | 'bound' | 'refused' | 'unreadable';

/** A list of results, read page by page. */
export interface Walk {
  readonly query: ListQuery;
  readonly pages: readonly Page[];
  /** Every result once, in the order of the first time it came. */
  readonly rows: readonly Row[];
  /** The position of each result in `rows`. */
  readonly place: ReadonlyMap<string, number>;
  readonly end: WalkEnd;
  /** The answer that ended it, where it was refused. */
  readonly refusal: Answer | undefined;
  /** Why the walk is of no use, where it is not. */
  readonly problem: string | undefined;
  /** Epoch milliseconds by the target's clock at the first page; several where it cannot be told which it goes by. */
  readonly instants: readonly number[];
  /** When its first page was asked for, and when it was there, by a clock of our own. */
  readonly begun: number;
  readonly headRead: number;
}

export interface ListQuery {
  readonly agentId: string;
  readonly limit?: number;
  readonly timeFilter?: TimeFilter;
}

export interface WalkBounds {
  readonly maxPages: number;
  /** Pages at the head that show only what this walk does not hold count little: they arrived since it was read. */
  readonly known?: Walk | undefined;
  /** Successive empty pages that are followed. */
  readonly emptyPages: number;
}

const MAX_ARRIVALS = 40;
const MAX_ROWS_READ = 1_000;
const MAX_ID_LENGTH = 1_000;
const MAX_CURSOR_LENGTH = 8_000;

/** Reads a list from its head, page by page. Never throws for what the target answers. */
export async function walk(api: Api, query: ListQuery, bounds: WalkBounds): Promise<Walk> {
  const pages: Page[] = [];
  const rows: Row[] = [];
  const place = new Map<string, number>();
  const cursors = new Set<string>();
  const begun = performance.now();
  let headRead = begun;
  let instants: readonly number[] = [];
  let empty = 0;
  let stale = 0;
  let cursor: string | undefined;

  const done = (end: WalkEnd, rest: { refusal?: Answer; problem?: string } = {}): Walk => ({
    query,
    pages,
    rows,
    place,
    end,
    refusal: rest.refusal,
    problem: rest.problem,
    instants,
    begun,
    headRead,
  });

  let arrivals = 0;
  while (pages.length - arrivals < bounds.maxPages) {
    const { agentId, limit, timeFilter } = query;
    const answer = await api.call('list-results', { agentId, query: { limit, timeFilter, cursor } });
    if (pages.length === 0) [instants, headRead] = [answer.instants, performance.now()];
    if (!answer.accepted)
      return done('refused', { refusal: answer, problem: `a page was refused with ${answer.status}` });
    const read = readPage(answer);
    if (typeof read === 'string') return done('unreadable', { problem: read });
    pages.push(read);
    if (
      bounds.known &&
      arrivals < MAX_ARRIVALS &&
      !rows.concat(read.rows).some(({ id }) => bounds.known?.place.has(id))
    )
      arrivals++;

    let fresh = 0;
    for (const row of read.rows) {
      if (place.has(row.id)) continue;
      place.set(row.id, rows.length);
      rows.push(row);
      fresh++;
    }
    if (read.nextCursor === null) return done('null');
    empty = read.count === 0 ? empty + 1 : 0;
    stale = read.count > 0 && fresh === 0 ? stale + 1 : 0;
    if (cursors.has(read.nextCursor) || stale === 2) return done('loop');
    if (empty > bounds.emptyPages) return done('empty-pages');
    cursors.add(read.nextCursor);
    cursor = read.nextCursor;
  }
  return done('bound');
}

/** A page of results, or why it cannot be read: its shape is judged elsewhere. */
export function readPage(answer: Answer): Page | string {
  if (answer.problem !== undefined) return `a page was ${answer.problem}`;
  const results = field(answer.json, 'results');
  if (!Array.isArray(results)) return 'an answer holds no array of results';
  const nextCursor = isObject(answer.json) ? answer.json['nextCursor'] : undefined;
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
  return { count: results.length, rows, nextCursor, exchange: answer.exchange };
}

/** As much of a value as is shown of it: walks are kept, and what a hostile server sends must not be kept with them. */
function small(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? Buffer.from(value.slice(0, 200)).toString() : value;
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

/** @throws CannotJudge where the walk broke off, or is of no use. */
export function usable(walked: Walk): Walk {
  if (walked.problem === undefined) return walked;
  throw new CannotJudge(`${describeQuery(walked.query)}: ${walked.problem}.`);
}

/** `limit=7&timeFilter=allTime`, or `without parameters`. */
export function describeQuery({ limit, timeFilter }: ListQuery): string {
  const parts = [
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(timeFilter === undefined ? [] : [`timeFilter=${timeFilter}`]),
  ];
  return parts.length === 0 ? 'without parameters' : parts.join('&');
}

/** The page on which a result came first, and its position there. */
export function find(walked: Walk, id: string): { readonly page: number; readonly index: number } | undefined {
  for (const [page, { rows }] of walked.pages.entries()) {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) return { page, index };
  }
  return undefined;
}
