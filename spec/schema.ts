import { escapeToken, valueAt } from './json-pointer.ts';
import locations from './generated/locations.json';
import type { SchemaName } from './generated/schemas.ts';
import { TooManyErrors, validators, type RawError } from './generated/validators.ts';

export { schemas, type JsonSchema, type SchemaName } from './generated/schemas.ts';
export type * from './generated/types.ts';

/** A place in a body whose type the specification documents. */
export interface TypedLocation {
  /** JSON Pointer with `*` for every item of an array; empty for the body itself, which comes first in each list. */
  readonly pointer: string;
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
  /** Whether the object around it must have it. An item of an array is never required. */
  readonly required: boolean;
  /** Whether null is one of its documented types. */
  readonly nullable: boolean;
  /** The closed set of its values, if there is one. */
  readonly enum?: readonly string[];
  /** The schema that declares the place. */
  readonly schema: SchemaName;
  /** The section of the specification that documents it. */
  readonly section: string;
}

/** The schemas of bodies and of the query: those that spec/endpoints.json names. */
export type BodySchemaName = keyof typeof locations;

/** The typed locations of every body. Where an agent may have either form they are those of version 6. */
export const typedLocations = locations as Readonly<Record<BodySchemaName, readonly TypedLocation[]>>;

/** One place where a body does not match its schema. */
export interface SchemaError {
  /** JSON Pointer to the place; for something missing, to where it should be. */
  readonly at: string;
  /** The keyword of JSON Schema that says so: `type`, `required`, `enum` and so on. */
  readonly keyword: string;
  /** What the schema expects there, as words after "expected". */
  readonly expected: string;
  /** What is there: the beginning of its JSON, in printable characters, or `nothing`. */
  readonly actual: string;
  /** The schema and the keyword in it: `urn:agent-contract:group#/properties/title/type`. */
  readonly schemaPath: string;
}

/** `validate` returns no more errors than this. A list of this length may stand for more. */
export const MAX_SCHEMA_ERRORS = 100;

const MAX_ACTUAL_LENGTH = 80;

/**
 * Validates parsed JSON by a schema. There is at most one error per place; none means that the data is valid. No data
 * can make it throw.
 */
export function validate(name: SchemaName, data: unknown): SchemaError[] {
  const raw = rawErrors(name, data);
  const byPlace = new Map<string, RawError>();
  for (const error of raw) {
    if (byPlace.size === MAX_SCHEMA_ERRORS) break;
    // An error without a keyword, or of `if`, only says that a part of a condition failed.
    if (error.keyword === undefined || error.keyword === 'if') continue;
    const at = placeOf(error);
    const known = byPlace.get(at);
    // A closed set says more than a type: "one of guest, read, write" rather than "a string".
    const isClosedSet = error.keyword === 'enum' || error.keyword === 'const';
    if (known === undefined || (known.keyword === 'type' && isClosedSet)) byPlace.set(at, error);
  }
  return Array.from(byPlace, ([at, error]) => ({
    at,
    keyword: error.keyword,
    expected: expectation(error),
    actual: error.keyword === 'required' ? 'nothing' : snippet(valueAt(data, error.instancePath)),
    schemaPath: error.schemaPath,
  }));
}

function rawErrors(name: SchemaName, data: unknown): readonly RawError[] {
  const validator = validators[name];
  try {
    if (validator(data)) return [];
    return validator.errors ?? [];
  } catch (error) {
    if (error instanceof TooManyErrors) return error.errors;
    throw error;
  }
}

function placeOf(error: RawError): string {
  if (error.keyword === 'required')
    return `${error.instancePath}/${escapeToken(String(error.params['missingProperty']))}`;
  return error.instancePath;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const EXPECTATIONS: Readonly<Record<string, string>> = {
  type: '{type}',
  required: 'the property {missingProperty}',
  const: 'the value {allowedValue}',
  enum: 'one of {allowedValues}',
  minimum: 'a number of at least {limit}',
  maximum: 'a number of at most {limit}',
  not: 'a version other than "6"',
};

function expectation({ keyword, params }: RawError): string {
  const template = EXPECTATIONS[keyword] ?? `what the keyword ${keyword} says`;
  return template.replace(/\{(\w+)\}/, (_, name: string) => {
    if (name === 'allowedValue') return JSON.stringify(params[name]);
    const words = [params[name]].flat().map(String);
    if (name === 'type') return words.map((type) => TYPE_WORDS[type] ?? type).join(' or ');
    return words.join(', ');
  });
}

/** The beginning of a value's JSON in printable characters. It reads no more of the value than it prints. */
function snippet(value: unknown): string {
  const text = beginning(value, MAX_ACTUAL_LENGTH + 1);
  if (text.length <= MAX_ACTUAL_LENGTH) return text;
  let shortened = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (shortened.length + token.length >= MAX_ACTUAL_LENGTH) break;
    shortened += token;
  }
  return `${shortened}…`;
}

/** Units that must not be cut: an escape, a surrogate pair, or any other character. */
const TOKENS = /\\u[0-9a-f]{4}|\\.|[\ud800-\udbff][\udc00-\udfff]|[\s\S]/g;

/** At least the first `room` characters of a value's JSON, or all of it if it is shorter. */
function beginning(value: unknown, room: number): string {
  if (room <= 0) return '';
  if (typeof value === 'string') return printable(JSON.stringify(value.slice(0, room)));
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && text.length < room; index++) {
      text += `${index === 0 ? '' : ','}${beginning(value[index], room - text.length - 1)}`;
    }
    return `[${text}]`;
  }
  for (const key in value) {
    if (text.length >= room) break;
    text += `${text === '' ? '' : ','}${beginning(key, room - text.length)}:`;
    text += beginning(Object.getOwnPropertyDescriptor(value, key)?.value, room - text.length - 1);
  }
  return `{${text}}`;
}

/** Characters that a terminal or a browser would interpret instead of showing. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
