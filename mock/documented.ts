import { typedLocations, validate, type BodySchemaName, type SchemaError } from '../spec/index.ts';
import { isObject, refuse, type Call, type Json, type JsonObject, type Refusal, type RequestError } from './call.ts';
import { chosen } from './choices/index.ts';

/** How a body is judged. */
export interface BodyRules {
  readonly schema: 'create-agent-request' | 'import-agent-request' | 'create-workspace-request';
  /** The schema of the answer that will hold the body's agent: fields that only it documents must fit it too. */
  readonly answer?: 'create-agent-response' | 'import-agent-response';
  /** Changes a body before it is judged. */
  readonly transform?: (body: JsonObject) => JsonObject;
}

/** The documented places of a body as a tree; `*` stands for every item of an array. */
type Places = ReadonlyMap<string, Places>;

/**
 * The body of a call, judged by its schema: every error is listed, null for a documented field counts as absent (or is
 * refused), a field of the wrong type is refused (or ignored), as the profile says. `body` beside a refusal is what was
 * read so far.
 */
export function readDocumented(
  call: Call,
  rules: BodyRules,
): { readonly body: JsonObject } | { readonly refusal: Refusal; readonly body?: JsonObject } {
  if (call.body && 'refusal' in call.body) return { refusal: call.body.refusal };
  if (call.body === undefined) return { refusal: invalid([{ location: 'body', message: 'A JSON body is required.' }]) };
  if (!isObject(call.body.value))
    return {
      refusal: invalid([{ location: 'body', message: `Must be an object; it is ${kindOf(call.body.value)}.` }]),
    };

  const { transform = (body) => body } = rules;
  const raw = call.body.value;
  const withoutNulls = dropNulls(raw, placesOf(rules.answer ?? rules.schema)) as JsonObject;
  if (withoutNulls !== raw && !chosen(call.profile, 'null-in-body'))
    return { refusal: refusalFor(errorsOf(raw, rules)), body: raw };

  let body = transform(withoutNulls);
  let errors = errorsOf(body, rules);
  if (chosen(call.profile, 'mistyped-body-field'))
    for (let round = 0; round < 20 && errors.some((e) => e.keyword === 'type'); round++) {
      for (const { at, keyword } of errors) if (keyword === 'type') body = withoutPlace(body, at) as JsonObject;
      errors = errorsOf(body, rules);
    }
  return errors.length === 0 ? { body } : { refusal: refusalFor(errors), body };
}

export const invalid = (errors: readonly RequestError[]): Refusal =>
  refuse('invalid', `The request has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}.`, errors);

const refusalFor = (errors: readonly SchemaError[]): Refusal =>
  invalid(
    errors.map((error) => ({
      location: `body${error.at}`,
      message: error.keyword === 'required' ? 'Is required.' : `Must be ${error.expected}; it is ${error.actual}.`,
    })),
  );

/** One error a place, those of the request's own schema first. */
function errorsOf(body: JsonObject, { schema, answer }: BodyRules): readonly SchemaError[] {
  const errors = validate(schema, body);
  const { agent } = body;
  if (answer === undefined || !isObject(agent)) return errors;
  const known = new Set(errors.map(({ at }) => at));
  const inAnswer = validate(answer, { agent }).filter(({ at, keyword }) => keyword !== 'required' && !known.has(at));
  return [...errors, ...inAnswer];
}

const trees = new Map<BodySchemaName, Places>();

function placesOf(schema: BodySchemaName): Places {
  const known = trees.get(schema);
  if (known) return known;
  const root = new Map<string, Places>();
  for (const { pointer } of typedLocations[schema]) {
    let places: Map<string, Places> = root;
    for (const key of pointer.split('/').slice(1)) {
      const next = (places.get(key) as Map<string, Places> | undefined) ?? new Map<string, Places>();
      places.set(key, next);
      places = next;
    }
  }
  trees.set(schema, root);
  return root;
}

/** `value` without documented fields that are null; the same object where there are none. As deep as the schema only. */
function dropNulls(value: Json, places: Places): Json {
  if (typeof value !== 'object' || value === null || places.size === 0) return value;
  if (Array.isArray(value)) {
    const items = places.get('*');
    if (!items) return value;
    let changed = false;
    const kept = value.map((item: Json) => {
      const next = dropNulls(item, items);
      changed ||= next !== item;
      return next;
    });
    return changed ? kept : value;
  }
  const object = value as JsonObject;
  let copy: Record<string, Json> | undefined;
  for (const [key, inner] of places) {
    const before = Object.hasOwn(object, key) ? object[key] : undefined;
    if (before === undefined) continue;
    const after = dropNulls(before, inner);
    if (after === before && before !== null) continue;
    copy ??= { ...object };
    if (before === null) delete copy[key];
    else copy[key] = after;
  }
  return copy ?? object;
}

/** `value` without what `pointer` points at; the rest is shared, not copied. */
function withoutPlace(value: Json, pointer: string): Json {
  const [, token, ...rest] = pointer.split('/');
  if (token === undefined || typeof value !== 'object' || value === null) return value;
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  const remaining = rest.map((part) => `/${part}`).join('');
  if (Array.isArray(value))
    return remaining === ''
      ? value.filter((_, index) => String(index) !== key)
      : value.map((item: Json, index) => (String(index) === key ? withoutPlace(item, remaining) : item));
  const object = value as JsonObject;
  if (!Object.hasOwn(object, key)) return value;
  const copy: Record<string, Json> = { ...object };
  if (remaining === '') delete copy[key];
  else copy[key] = withoutPlace(object[key] ?? null, remaining);
  return copy;
}

const kindOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
