import type { ErrorObject } from 'ajv';
import type { Schema } from '../../spec/openapi/document.ts';
import type { Json, JsonObject } from '../../text/json.ts';
import { didYouMean } from '../../text/nearest.ts';
import { abridged } from './slips.ts';
import typesInWords from './types-in-words.json';
import type { Validators } from './validators.ts';

/** What is wrong with a value by its schema, as sentences; `at` is its place, with which they begin. */
export function errorsOf(value: Json, schema: Schema, at: string, validators: Validators): readonly string[] {
  const validate = validators(schema);
  validate(value);
  const errors = validate.errors ?? [];
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
  const isWithin = ({ schemaPath }: ErrorObject): boolean =>
    choices.some((choice) => schemaPath.startsWith(`${choice.schemaPath}/`));
  return errors
    .filter((error) => !isWithin(error))
    .flatMap((error) => {
      const place = `${at}${error.instancePath.slice(0, 200)}`;
      if (error.keyword === 'anyOf')
        return errorsOfChoice(error.data as Json, error.schema as readonly Schema[], place, validators);
      return [messageOf(error, place)];
    });
}

/** The errors according to the one of several schemas that was meant. */
function errorsOfChoice(
  value: Json,
  schemas: readonly Schema[],
  at: string,
  validators: Validators,
): readonly string[] {
  const ofType = schemas.filter(({ type }) => [type].flat().includes(typeOf(value)));
  const [only] = ofType;
  if (only === undefined) {
    const types = schemas.flatMap(({ type }) => type as string | readonly string[]);
    return [`${at} must be ${wordsOf(types)}; it is ${shown(value)}.`];
  }
  if (ofType.length === 1) return errorsOf(value, only, at, validators);
  // What distinguishes a schema from its alternatives: the constant of its `type`.
  const kinds = ofType.map(({ properties }) => String((properties as Kind | undefined)?.type?.const));
  const kind = (Object(value) as JsonObject)['type'];
  const meant = typeof kind === 'string' ? ofType[kinds.indexOf(kind)] : undefined;
  if (meant) return errorsOf(value, meant, at, validators);
  return [`${at}/type must be one of ${kinds.join(', ')}; it is ${shown(kind)}.${suggestion(kind, kinds)}`];
}

interface Kind {
  readonly type?: { readonly const?: unknown };
}

function messageOf({ keyword, params, parentSchema, data, message }: ErrorObject, at: string): string {
  const { limit } = params as { readonly limit?: number };
  switch (keyword) {
    case 'required':
      return `${at}/${String(params['missingProperty'])} is required.`;
    case 'additionalProperties': {
      const name = String(params['additionalProperty']).slice(0, 100);
      const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
      return `${at}/${name} is not known.${didYouMean(name, known) || ` There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`}`;
    }
    case 'type':
      return `${at} must be ${wordsOf([params['type']].flat() as readonly string[])}; it is ${shown(data)}.`;
    case 'enum': {
      const values = (params['allowedValues'] as readonly unknown[]).map(String);
      return `${at} must be one of ${values.join(', ')}; it is ${shown(data)}.${suggestion(data, values)}`;
    }
    case 'minProperties':
      return `${at} is empty; it must have one of ${Object.keys(parentSchema?.['properties'] as object).join(', ')}.`;
    case 'minItems':
    case 'maxItems':
      return `${at} must hold at ${keyword === 'minItems' ? 'least' : 'most'} ${limit}; it holds ${(data as readonly unknown[]).length}.`;
    case 'pattern': {
      const description = parentSchema?.['description'];
      const what = typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : '';
      return `${at} must match ${String(params['pattern'])}${what}; it is ${shown(data)}.`;
    }
    default:
      return `${at} ${message ?? 'does not fit'}; it is ${shown(data)}.`;
  }
}

const suggestion = (value: unknown, known: readonly string[]): string => {
  if (typeof value === 'string') return didYouMean(value.slice(0, 100), known);
  return '';
};

const TYPES: Readonly<Record<string, string>> = typesInWords;

const wordsOf = (types: readonly string[]): string =>
  [...new Set(types.map((type) => TYPES[type] ?? type))].join(' or ');

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

const shown = (value: unknown): string => (value === undefined ? 'missing' : abridged(value, 60));
