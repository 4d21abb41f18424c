import { stampOf } from './clock.ts';
import type { Answered } from '../../http/exchange.ts';
import { digestOf } from '../../content/abridge.ts';
import { arrayAt, field, isObject, stringAt, type JsonObject } from '../../json.ts';
import { oncePer, present } from '../../collections.ts';
import { readSelection } from './selection.ts';
import { parseTimestamp } from '../../content/timestamps.ts';

/** What a result has on every page. All but the date of a young one may still change. */
export const MEMBERS = ['createdAt', 'answers', 'variables', 'isCompleted', 'hasStarted', 'isArchived'] as const;

/** The parts of a result that relations between results need. */
export type Row = ReturnType<typeof rowOf>;

export type ResultsPage = Exclude<ReturnType<typeof readResultsPage>, string>;

/** A page of results, or why it cannot be read: another check judges its shape. */
export function readResultsPage(exchange: Answered) {
  const { answer, n, begun, query, excerpt } = exchange;
  if (answer.problem !== undefined) return `a page was ${answer.problem}`;
  const { json } = answer;
  const results = field(json, 'results');
  if (!Array.isArray(results)) return 'an answer holds no array of results';
  return {
    /** The order of the exchange: see {@link Answered}. */
    n,
    begun,
    query,
    selection: readSelection(query),
    /** The number of answered results, readable or not. */
    count: results.length,
    ...rowsOf(results),
    /** `undefined` if it is neither a usable cursor nor null: another check judges its shape. */
    nextCursor: cursorIn(json),
    /** Whether it is an empty text, which stands for null here: another check judges that it is not null. */
    hasBlankCursor: field(json, 'nextCursor') === '',
    stamp: stampOf(exchange),
    excerpt,
  };
}

const rowsOf = oncePer((results: readonly unknown[]) => {
  const rows: readonly Row[] = results.slice(0, 1_000).flatMap((result) => {
    const id = stringAt(result, 'id');
    if (id === undefined || id.length > 1_000) return [];
    return [rowOf(result, id)];
  });
  /** Whether every result has an identifier, so that `rows` is complete. */
  const isWhole = rows.length === results.length;
  return { rows, span: spanOf(rows), isWhole };
});

/** The oldest and the newest time, in epoch milliseconds; `undefined` if one is unknown, or if there is none. */
function spanOf(rows: readonly Row[]) {
  const times = present(...rows.map(({ at }) => at?.ms));
  if (times.length < rows.length || times.length === 0) return undefined;
  return { from: Math.min(...times), to: Math.max(...times) };
}

function rowOf(result: unknown, id: string) {
  const createdAt = field(result, 'createdAt');
  return {
    id,
    at: parseTimestamp(createdAt),
    createdAt: small(createdAt),
    agentId: stringAt(result, 'agentId'),
    workspaceId: stringAt(result, 'workspaceId'),
    /** What was answered and stored, in short: equal for equal content, whatever its order. */
    answers: told(result, 'answers', ({ blockId, content, isSecure }) => [blockId, isSecure === true || content]),
    variables: told(result, 'variables', ({ name, value }) => [name, value]),
    isCompleted: stateOf(result, 'isCompleted'),
    hasStarted: stateOf(result, 'hasStarted'),
    isArchived: stateOf(result, 'isArchived'),
    /** Archived, or never started. */
    isIdle: field(result, 'isArchived') === true || field(result, 'hasStarted') === false,
  };
}

function stateOf(result: unknown, name: string): string | undefined {
  const is = field(result, name);
  return typeof is === 'boolean' ? `${name} ${is}` : undefined;
}

function told(result: unknown, part: string, shown: (item: JsonObject) => unknown): string {
  const items = arrayAt(result, part).flatMap((item) => (isObject(item) ? JSON.stringify(shown(item)) : []));
  return `${items.length} ${part} ${digestOf(items.toSorted().join()).slice(0, 12)}`;
}

function cursorIn(json: unknown): string | null | undefined {
  const { nextCursor: cursor } = Object(json) as { nextCursor?: unknown };
  if (cursor === null || cursor === '') return null;
  if (typeof cursor === 'string' && cursor.length <= 8_000) return cursor;
  return undefined;
}

/** As much of a value as a report shows, so that kept pages do not hold what a hostile server sends. */
function small(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 200) return Buffer.from(value.slice(0, 200)).toString();
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  return value;
}
