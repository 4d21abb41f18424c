import { validate, type SchemaError, type SchemaName } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../text/json.ts';

export const wrongWith = (schema: SchemaName, id: string, value: JsonObject): readonly SchemaError[] =>
  validate(schema, { ...value, id });

/** The errors in results to be added, which may leave out what is filled in; each place begins with `/results`. */
export const wrongWithResults = (results: readonly JsonObject[]): readonly SchemaError[] =>
  results.flatMap((result, i) => {
    const errors = [...validate('result', result)];
    if ('createdAt' in result) errors.push(...wrongInstant(result['createdAt']));
    return errors.map((error) => ({ ...error, at: `/results/${i}${error.at}` }));
  });

/** Results are ordered by their instants, so each needs a readable one. */
export function wrongInstant(createdAt: Json | undefined): readonly SchemaError[] {
  if (createdAt !== undefined && (typeof createdAt !== 'string' || !Number.isNaN(Date.parse(createdAt)))) return [];
  return [
    {
      at: '/createdAt',
      keyword: 'format',
      expected: 'an instant such as 2026-05-20T15:30:00Z',
      actual: JSON.stringify(createdAt?.slice(0, 60)) ?? 'nothing',
      schemaPath: 'urn:agent-contract:result#/properties/createdAt',
    },
  ];
}

export const wrongWithResult = (id: string, result: JsonObject): readonly SchemaError[] => [
  ...wrongWith('result', id, result),
  ...wrongInstant(result['createdAt']),
];
