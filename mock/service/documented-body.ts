import type { BodySchemaName, SchemaError, TypedLocation } from '../../spec/index.ts';
import { typedLocations, validate } from '../../spec/index.ts';
import { escapeToken, pointerTokens, templateOf, valueAt, withoutPlace } from '../../spec/json-pointer.ts';
import { isObject, withFields, type Json, type JsonObject } from '../../text/json.ts';
import { refuse, type Call, type Refusal, type RequestError } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { asType, orMeant, quote, slipOf } from '../wording/slips.ts';

type RequestSchema = 'create-agent-request' | 'import-agent-request' | 'create-workspace-request';
type AnswerSchema = 'create-agent-response' | 'import-agent-response';

export type BodyRules = ReturnType<typeof bodyRules>;

/** Fields that only the schema of the `answer`, which will hold the body's agent, documents must match that schema too. */
export function bodyRules(schema: RequestSchema, answer?: AnswerSchema) {
  const documented = typedLocations[answer ?? schema];
  const inRequest = new Set(typedLocations[schema].map(({ pointer, type }) => `${pointer} ${type}`));
  const others = documented.filter(({ pointer, type }) => !inRequest.has(`${pointer} ${type}`));
  const onlyInAnswer = new Set(others.map(({ pointer }) => pointerTokens(pointer)[1] ?? ''));
  // Where null counts as absent, and the places around them; `*` stands for array items.
  const places = new Set(documented.map(({ pointer }) => pointer));
  return { schema, answer, onlyInAnswer, places };
}

export interface BodyChange {
  readonly transform?: (body: JsonObject) => JsonObject;
  /** Maps a place in the changed body to its place in the sent one; both are JSON Pointers. */
  readonly sentPlace?: (sent: JsonObject, changed: JsonObject, at: string) => string;
}

/** Validates a body, and lists every error. `body` beside a refusal is what was read so far. */
export function readDocumentedBody(
  call: Call,
  rules: BodyRules,
  { transform = (body) => body, sentPlace = (_sent, _changed, at) => at }: BodyChange = {},
): { readonly body: JsonObject } | { readonly refusal: Refusal; readonly body?: JsonObject } {
  if (call.body && 'refusal' in call.body) return { refusal: call.body.refusal };
  if (call.body === undefined) return { refusal: invalid([{ location: 'body', message: 'A JSON body is required.' }]) };
  if (!isObject(call.body.value)) {
    const { value } = call.body;
    const twice = asType('object', value) === undefined ? '' : ' The string holds JSON: call JSON.stringify only once.';
    return { refusal: invalid([{ location: 'body', message: `Must be an object; it is ${kindOf(value)}.${twice}` }]) };
  }

  const { value: raw, text = 'null' } = call.body;
  const withoutNulls = text.includes('null') ? (dropNulls(raw, rules.places) as JsonObject) : raw;
  if (withoutNulls !== raw && !chosen(call.profile, 'null-in-body'))
    return { refusal: refusalFor(errorsOf(raw, rules), call, raw, rules), body: raw };

  let body = transform(withoutNulls);
  let errors = errorsOf(body, rules);
  if (chosen(call.profile, 'mistyped-body-field'))
    for (let round = 0; round < 20 && errors.some((e) => e.keyword === 'type'); round++) {
      for (const { at, keyword } of errors) if (keyword === 'type') body = withoutPlace(body, at);
      errors = errorsOf(body, rules);
    }
  if (errors.length === 0) return { body };
  const refusal = refusalFor(errors, call, body, rules, (at) => sentPlace(withoutNulls, body, at));
  return { refusal, body };
}

export const invalid = (errors: readonly RequestError[]): Refusal =>
  refuse('invalid', `The request has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}.`, ...errors);

function refusalFor(
  errors: readonly SchemaError[],
  call: Call,
  body: JsonObject,
  rules: BodyRules,
  place = (at: string): string => at,
): Refusal {
  // One sent place may have become two places of the changed body.
  const byPlace = new Map(errors.map((error) => [`body${place(error.at)}`, error]));
  return invalid(
    Array.from(byPlace, ([location, error]) => {
      if (error.keyword === 'required') return fieldMissing(call, location, body);
      const value = valueAt(body, error.at) as Json | undefined;
      const type = typeAt(rules.answer ?? rules.schema, error.at) ?? typeAt(rules.schema, error.at);
      const { hint, meant } = conversion(type, value);
      return { location, message: `Must be ${error.expected}; it is ${error.actual}.${hint}`, meant };
    }),
  );
}

const LONGEST_MEANT = 80;

/** What a value of the wrong type becomes when it is converted, if that is what was meant. */
function conversion(type: string | undefined, value: Json | undefined): { hint: string; meant?: string } {
  const converted = type !== undefined && value !== undefined ? asType(type, value) : undefined;
  if (converted === undefined) return { hint: '' };
  const meant = JSON.stringify(converted);
  if (meant.length <= LONGEST_MEANT) return { hint: orMeant(meant), meant };
  if (typeof value === 'string') return { hint: ' The string holds JSON: send the JSON itself.' };
  return { hint: ' Put it into an array.' };
}

/** A missing field, and where the sent object has it instead: under another spelling, too deep, or in the query. */
export function fieldMissing(call: Call, location: string, around: JsonObject): RequestError {
  const name = location.slice(location.lastIndexOf('/') + 1);
  const keys = Object.keys(around).slice(0, 50);
  const spelling = keys.find((key) => key !== name && slipOf(key, [name]) !== undefined);
  if (spelling !== undefined)
    return { location, message: `Is required; there is ${quote(spelling)}.${orMeant(name)}`, meant: name };
  const holder = keys.find((key) => {
    const held = around[key];
    return isObject(held) && Object.hasOwn(held, name);
  });
  if (holder !== undefined)
    return { location, message: `Is required here, but is under ${quote(holder)}, one level too deep.` };
  if (call.query.some(([key]) => key === name))
    return { location, message: 'Is required in the body, but is in the query.' };
  return { location, message: 'Is required.' };
}

export const typeAt = (schema: BodySchemaName, at: string): TypedLocation['type'] | undefined => {
  const template = templateOf(at);
  return typedLocations[schema].find(({ pointer }) => pointer === template)?.type;
};

/** One error per place; those of the request's own schema come first. */
function errorsOf(body: JsonObject, { schema, answer, onlyInAnswer }: BodyRules): readonly SchemaError[] {
  const errors = validate(schema, body);
  const { agent } = body;
  if (answer === undefined || !isObject(agent)) return errors;
  if (!Object.keys(agent).some((name) => onlyInAnswer.has(name))) return errors;
  const known = new Set(errors.map(({ at }) => at));
  const inAnswer = validate(answer, { agent }).filter(({ at, keyword }) => keyword !== 'required' && !known.has(at));
  return [...errors, ...inAnswer];
}

/** Without documented fields that are null; the same value if there are none. Goes only as deep as the schema. */
function dropNulls(value: Json, places: ReadonlySet<string>, at = ''): Json {
  if (Array.isArray(value)) {
    if (!places.has(`${at}/*`)) return value;
    const kept = value.map((item: Json) => dropNulls(item, places, `${at}/*`));
    return kept.some((item, i) => item !== value[i]) ? kept : value;
  }
  if (!isObject(value)) return value;
  const changes: Record<string, Json | undefined> = {};
  for (const [key, before] of Object.entries(value)) {
    const place = `${at}/${escapeToken(key)}`;
    if (!places.has(place)) continue;
    const after = before === null ? undefined : dropNulls(before, places, place);
    if (after !== before) changes[key] = after;
  }
  return Object.keys(changes).length > 0 ? withFields(value, changes) : value;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
}
