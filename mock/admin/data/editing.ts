import type { SchemaError, SchemaName } from '../../../spec/index.ts';
import type { JsonObject } from '../../../text/json.ts';
import { MockError } from '../../mock-error.ts';
import { wrongWith } from '../../store/resource-errors.ts';
import { json, member, type AdminAnswer, type AdminCall, type Handlers } from '../admin-route.ts';
import type { Listed } from './paging.ts';

const names = { agent: 'Agent', workspace: 'Workspace' } as const;

export function editing<L extends Listed>(of: L, schema: SchemaName) {
  const name = names[of];
  const handlers = {
    [`replace${name}`]: ({ session, parameters, query, body }: AdminCall) => {
      const id = parameters[`${of}Id`] ?? '';
      const value = member<JsonObject>(body, of);
      if (isCheck(query)) return json({ errors: shownErrors(wrongWith(schema, id, value)) });
      const errors = session.edits[`replace${name}` as const](id, value);
      return replaced(`The ${of} does not fit its schema.`, { [`${of}Id`]: id }, errors);
    },
    [`delete${name}`]: ({ session, parameters }: AdminCall) => {
      const id = parameters[`${of}Id`] ?? '';
      session.store[`remove${name}` as const](id);
      return json({ [`${of}Id`]: id, removed: true });
    },
  };
  return handlers as Handlers<`${'replace' | 'delete'}${(typeof names)[L]}`>;
}

/** What says that something was replaced; 400 with the place of each error if its schema refuses it. */
export function replaced(refusal: string, ids: Readonly<Record<string, string>>, errors: readonly SchemaError[] = []) {
  if (errors.length === 0) return json({ ...ids, errors: [] });
  return unfitAnswer(refusal, errors);
}

/** Whether the request only validates. @throws MockError */
export function isCheck(query: URLSearchParams): boolean {
  const check = query.get('check') ?? 'false';
  if (check === 'true' || check === 'false') return check === 'true';
  throw new MockError(`check is ${JSON.stringify(check.slice(0, 60))}; it must be true or false.`);
}

export function unfitAnswer(what: string, errors: readonly SchemaError[]): AdminAnswer {
  const first = errors.slice(0, 3).map((error) => `${error.at} must be ${error.expected}; it is ${error.actual}.`);
  return json({ error: `${what} ${first.join(' ')}`, errors: shownErrors(errors) }, 400);
}

export const shownErrors = (errors: readonly SchemaError[]) =>
  errors.map(({ at, expected, actual }) => ({ at, expected, actual }));

type Flag = 'isPublished' | 'isArchived' | 'isClosed' | 'isSuspended';

/** State changes: by verb, a flag and its new value. */
export function switches<L extends Listed, V extends string>(
  of: L,
  verbs: Readonly<Record<V, readonly [flag: Flag, value: boolean]>>,
) {
  const handlers = (Object.keys(verbs) as V[]).map((verb) => {
    const [flag, value] = verbs[verb];
    const run = ({ session, parameters }: AdminCall): AdminAnswer => {
      const id = parameters[`${of}Id`] ?? '';
      session.edits[`set${names[of]}` as const](id, { [flag]: value } as Record<Flag, boolean>);
      return json({ [`${of}Id`]: id, [flag]: value });
    };
    return [`${verb}${names[of]}`, run];
  });
  return Object.fromEntries(handlers) as Record<`${V}${(typeof names)[L]}`, Handlers['reset']>;
}
