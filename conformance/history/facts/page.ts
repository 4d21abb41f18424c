import { typedLocations } from '../../../spec/index.ts';
import { stampOf } from './clock.ts';
import type { Answered } from '../../http/exchange.ts';
import { digestOf } from '../../content/abridge.ts';
import { arrayAt, field, isObject, stringAt, type JsonObject } from '../../json.ts';
import { oncePer, present } from '../../collections.ts';
import { readSelection } from './selection.ts';
import { parseTimestamp } from '../../content/timestamps.ts';

const STATES = ['isCompleted', 'hasStarted', 'isArchived'] as const;
export const DETAILS = ['answers', 'attachedFileUrls', 'variables', 'lastChatSessionId', 'metadata'] as const;
/** What a result has on every page. All but the date of a young one may still change. */
export const MEMBERS = ['createdAt', ...DETAILS, ...STATES] as const;

/** Paths of the documented values in the metadata of a result. */
const METADATA: readonly (readonly string[])[] = typedLocations['list-results-response']
  .filter(({ pointer, type }) => pointer.startsWith('/results/*/metadata/') && type !== 'object')
  .map(({ pointer }) => pointer.split('/').slice(3));

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

/** Once for each parsed body, which equal bodies share: otherwise a run takes a third longer. */
const rowsOf = oncePer((results: readonly unknown[]) => {
  const rows: readonly Row[] = results.slice(0, 1_000).flatMap((result) => {
    const id = stringAt(result, 'id');
    if (id === undefined || id.length > 1_000) return [];
    return [rowOf(result, id)];
  });
  const isNamed = rows.length === results.length;
  const unnamed = results.filter((result) => (field(result, 'id') ?? undefined) === undefined);
  /** Whether `rows` is complete: a result without an identifier is none that others show, where its page shows any. */
  const isWhole = isNamed || (rows.length > 0 && rows.length + unnamed.length === results.length);
  return { rows, span: spanOf(rows), isWhole, isNamed };
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
    attachedFileUrls: filesOf(result),
    variables: told(result, 'variables', ({ name, value }) => [name, value]),
    lastChatSessionId: valuesOf(result, 'lastChatSessionId', [['lastChatSessionId']]),
    metadata: valuesOf(result, 'values of metadata', METADATA),
    updatedAt: parseTimestamp(field(result, 'updatedAt'))?.ms,
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
  return inShort(part, items.toSorted());
}

const inShort = (what: string, values: readonly unknown[], { length } = values): string =>
  `${length} ${what} ${digestOf(JSON.stringify(values)).slice(0, 12)}`;

/** The files beside each answer, by the paths of their addresses, since what signs one changes; of no lists of them `undefined`. */
function filesOf(result: unknown): string | undefined {
  const lists = arrayAt(result, 'answers').filter((answer) => Array.isArray(field(answer, 'attachedFileUrls')));
  const files = lists.flatMap((answer) =>
    arrayAt(answer, 'attachedFileUrls').map((url) => stringAt(answer, 'blockId') + String(url).replaceAll(AROUND, '')),
  );
  return lists.length > 0 ? inShort('attachedFileUrls', files.toSorted()) : undefined;
}

/** The scheme and host of a URL, and its query. */
const AROUND = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*|[?#].*/gis;

/** The values at these paths that it has, and that are not empty. */
function valuesOf(result: unknown, what: string, paths: readonly (readonly string[])[]): string | undefined {
  const values = paths.map((path) => field(result, ...path)).map((value) => (value === '' ? undefined : value));
  const known = present(...values);
  return known.length > 0 ? inShort(what, values, known) : undefined;
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
