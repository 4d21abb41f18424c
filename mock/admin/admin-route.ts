import { didYouMean } from '../../text/nearest.ts';
import type { Json, JsonObject } from '../../text/json.ts';
import type { MockCore } from '../mock-core.ts';
import { MockError } from '../mock-error.ts';
import type { Session } from '../session/session.ts';
import { schemaOf } from './schema-of.ts';
import type { Schema } from '../../spec/openapi/document.ts';
import operations from './operations.json';

export interface AdminCall {
  readonly mock: MockCore;
  readonly session: Session;
  /** The path at which the mock is mounted; empty for the root. */
  readonly base: string;
  /** The decoded values for `{name}` in the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Matches the schema of the route. */
  readonly body: Json;
}

export interface AdminAnswer {
  readonly json: unknown;
  readonly status: number;
}

export type OperationId = keyof typeof operations;

export type Handlers<Id extends OperationId = OperationId> = Readonly<Record<Id, (call: AdminCall) => AdminAnswer>>;

/** What `operations.json` says of an operation; `on` is its method and its path below `/__admin`. */
interface Described {
  readonly tag: string;
  readonly on: string;
  readonly summary: string;
  readonly body?: Schema | undefined;
  readonly query?: Readonly<Record<string, string>>;
  /** The host answers it, and not its handler: an endless stream. */
  readonly isStream?: boolean;
  /** What its path names need not exist. */
  readonly creates?: boolean;
}

export type AdminRoute = ReturnType<typeof routesOf>[number];

/** Every operation in the order of its description. */
export const routesOf = (handlers: Handlers) =>
  (Object.entries(operations) as readonly [OperationId, Described][]).map(([id, { on, body, ...row }]) => {
    const [method = '', path = ''] = on.split(' ');
    return { id, method, path, ...row, body: body && schemaOf(body), run: handlers[id] };
  });

/** An operation that only shows something. */
export const shows =
  (shown: (call: AdminCall) => unknown, status = 200) =>
  (call: AdminCall): AdminAnswer =>
    json(shown(call), status);

/** Operations that show the same, each after a change. */
export const showing =
  (shown: (call: AdminCall) => unknown) =>
  (change: (call: AdminCall) => unknown = () => undefined, status = 200) =>
    shows((call) => {
      change(call);
      return shown(call);
    }, status);

export const json = (value: unknown, status = 200): AdminAnswer => ({ json: value, status });

const SOME = 10;

/** Says that there is no such thing, with the one that was probably meant or, if none is near, some existing ones. */
export function noneOf(what: string, id: string, known: readonly (string | { readonly id?: string })[]): AdminAnswer {
  const ids = known.map((one) => (typeof one === 'string' ? one : (one.id ?? '')));
  const meant = didYouMean(id.slice(0, 128), ids);
  const more = ids.length > SOME ? `, and ${ids.length - SOME} more` : '';
  const some = ids.length === 0 ? ' There is none yet.' : ` There are ${ids.slice(0, SOME).join(', ')}${more}.`;
  return json({ error: `There is no ${what} ${JSON.stringify(id.slice(0, 128))}.${meant || some}` }, 404);
}

/** The member of a body that the route's schema guarantees. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema of the route vouches for the type
export const member = <T>(body: Json, name: string): T => (body as JsonObject)[name] as unknown as T;

/** A whole number from a query, or a default if it is missing. @throws MockError if it is not a whole number. */
export function wholeNumber(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name) ?? '';
  if (text === '') return otherwise;
  if (/^\d{1,9}$/.test(text)) return Math.min(most, Number(text));
  throw new MockError(`${name} is ${JSON.stringify(text.slice(0, 60))}; it must be a whole number of up to 9 digits.`);
}
