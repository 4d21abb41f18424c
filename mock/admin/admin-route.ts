import type { Json, JsonObject } from '../json.ts';
import type { MockCore } from '../mock-core.ts';
import { MockError } from '../mock-error.ts';
import type { Session } from '../session/session.ts';
import { didYouMean } from '../../text/nearest.ts';

/** JSON Schema (2020-12) as an object. */
export type Schema = Readonly<Record<string, unknown>>;

/** A request to the mock itself, understood. */
export interface AdminCall {
  readonly mock: MockCore;
  /** The session that it is about. */
  readonly session: Session;
  /** What stands for `{name}` in the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Fits the schema of the route. */
  readonly body: Json;
}

/** What to answer as JSON, and with which status. */
export interface AdminAnswer {
  readonly json: unknown;
  readonly status: number;
}

/** One operation under `/__admin`; its own description in the OpenAPI document of the admin API. */
export interface AdminRoute {
  readonly id: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/__admin`. */
  readonly path: string;
  readonly summary: string;
  readonly body?: Schema;
  /** Descriptions of query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Answered by the host and not by {@link run}: an endless stream. */
  readonly isStream?: true;
  readonly run: (call: AdminCall) => AdminAnswer;
}

export const json = (value: unknown, status = 200): AdminAnswer => ({ json: value, status });
export const notFound = (error: string): AdminAnswer => json({ error }, 404);

/** How many of the things that there are an answer names. */
const SOME = 10;

/** Says that there is no such thing, which one was probably meant, and, where none is near, some that there are. */
export function noneOf(what: string, id: string, known: Iterable<string>): AdminAnswer {
  const ids = [...known];
  const meant = didYouMean(id.slice(0, 128), ids);
  const more = ids.length > SOME ? `, and ${ids.length - SOME} more` : '';
  const some = ids.length === 0 ? ' There is none yet.' : ` There are ${ids.slice(0, SOME).join(', ')}${more}.`;
  return notFound(`There is no ${what} ${JSON.stringify(id.slice(0, 128))}.${meant || some}`);
}

/** The member of a body that the route's schema promises. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema of the route vouches for the type
export const member = <T>(body: Json, name: string): T => (body as JsonObject)[name] as unknown as T;

export const object = (properties: Schema, required: readonly string[] = [], more: Schema = {}): Schema => ({
  ...more,
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** A whole number out of a query, or a default where it is missing. @throws MockError for what is none. */
export function wholeNumber(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name) ?? '';
  if (text === '') return otherwise;
  if (/^\d{1,9}$/.test(text)) return Math.min(most, Number(text));
  throw new MockError(`${name} is ${JSON.stringify(text.slice(0, 60))}; it must be a whole number of up to 9 digits.`);
}
