import { didYouMean } from '../../text/nearest.ts';
import type { Json } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import { errorsOf } from '../wording/schema-errors.ts';
import type { Validators } from '../wording/validators.ts';
import { readAdminBody } from '../service/body.ts';
import type { AdminRoute } from './admin-route.ts';
import type { Schema } from '../../spec/openapi/document.ts';

const MOST_TOLD = 5;

/** The body of a request, validated by the schema of its route. @throws MockError with its errors. */
export function judgedBody(bytes: Uint8Array | undefined, schema: Schema | undefined, validators: Validators): Json {
  if (schema === undefined) return null;
  const body = readAdminBody(bytes);
  const errors = errorsOf(body, schema, 'body', validators);
  if (errors.length === 0) return body;
  const isMissing = bytes === undefined || bytes.length === 0;
  throw new MockError([...(isMissing ? ['No body was sent.'] : []), ...errors.slice(0, MOST_TOLD)].join(' '));
}

/** The query of a request, with only known parameters. @throws MockError */
export function judgedQuery(search: string, { query: known = {} }: AdminRoute): URLSearchParams {
  const query = new URLSearchParams(search);
  const names = Object.keys(known);
  for (const name of query.keys()) {
    if (names.includes(name)) continue;
    const there = names.length === 0 ? ' It has none.' : ` It has ${names.join(', ')}.`;
    const asked = name.slice(0, 100);
    const meant = didYouMean(asked, names) || there;
    throw new MockError(`This route has no query parameter ${JSON.stringify(asked)}.${meant}`);
  }
  return query;
}
