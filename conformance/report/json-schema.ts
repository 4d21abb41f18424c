import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import baselineSchema from '../baseline.schema.json';
import reportSchema from '../report.schema.json';

const ajv = addFormats(new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }));
const schemas = { report: reportSchema, baseline: baselineSchema };

/** Where a document does not match, as JSON Pointers, and what it `says`, a phrase after the place; empty if it does. */
export const misfits = (kind: 'report' | 'baseline', document: unknown) => misfitsOf(schemas[kind], document);

/** The same for any schema, which is compiled once. */
export function misfitsOf(schema: object, document: unknown) {
  const validate = ajv.compile(schema);
  if (validate(document)) return [];
  // The error of an "if" ("must match then") only repeats the one beside it.
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(misfit);
}

function misfit({ keyword, instancePath: at, params, message = 'is wrong' }: ErrorObject) {
  const quoted = (name: string): string => JSON.stringify(params[name]);
  const format = String(params['format']);
  const words: Readonly<Partial<Record<string, string>>> = {
    additionalProperties: `must have no property ${quoted('additionalProperty')}`,
    enum: `must be one of ${quoted('allowedValues')}`,
    const: `must be ${quoted('allowedValue')}`,
    format: `must be ${FORMATS[format] ?? `a ${format}`}`,
    'false schema': 'does not belong here',
  };
  return { at, keyword, says: words[keyword] ?? message };
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day such as 2026-12-31',
  'date-time': 'a date and time such as 2026-12-31T12:00:00Z',
  'json-pointer': 'a JSON Pointer such as /results/*/createdAt',
  uri: 'a URI',
};
