import { personaNames } from '../../fixtures/index.ts';
import { endpointIds } from '../../spec/index.ts';
import { ways } from '../upstream/options.ts';
import { connectionFaults } from '../wire/wire.ts';
import schemas from './schemas.json';
import type { Schema } from '../../spec/openapi/document.ts';

/** Lists of names that stand elsewhere in the code. A schema has the name of a list as its `enum`. */
const lists: Readonly<Record<string, readonly string[]>> = { endpoints: endpointIds, personas: personaNames, ways };

/** The schema of a body, with its lists, and with the members of what it refers to by `$ref`: a name in `schemas.json`. */
export const schemaOf = (described: Schema): Schema =>
  JSON.parse(JSON.stringify(described), (key, value: unknown) => {
    if (key === 'enum' && typeof value === 'string') return lists[value];
    if (typeof value === 'string') return value.replace('{connectionFaults}', connectionFaults.join(', '));
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const { $ref, ...others } = value;
    return { ...schemaOf(schemas[$ref as keyof typeof schemas]), ...others };
  }) as Schema;
