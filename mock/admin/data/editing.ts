import type { SchemaError, SchemaName } from '../../../spec/index.ts';
import type { JsonObject } from '../../../text/json.ts';
import { MockError } from '../../mock-error.ts';
import { wrongWith } from '../../store/resource-errors.ts';
import type { Session } from '../../session/session.ts';
import { json, member, noneOf, object, type AdminAnswer, type RouteRow } from '../admin-route.ts';
import { listedIds, type Listed } from './paging.ts';

type Rows = Readonly<Record<string, RouteRow>>;

/** How many things are searched for an id that was probably meant. */
const MOST_SEARCHED = 1000;

/** Says that there is no agent, or workspace, with an id. */
export function noneWith(of: Listed, id: string, { store }: Session): AdminAnswer {
  const { ids } = listedIds(of, store, (total) => ({ offset: 0, length: Math.min(total, MOST_SEARCHED) }));
  return noneOf(of, id, ids);
}

export const CHECK = { check: 'true changes nothing, and only says what is wrong.' };

const names = { agent: 'Agent', workspace: 'Workspace' } as const;

/** Routes that replace and remove an agent, or a workspace. */
export function editingRoutes(of: Listed, { schema, removal }: { schema: SchemaName; removal: string }): Rows {
  const name = names[of];
  const path = `/${of}s/{${of}Id}` as const;
  return {
    [`replace${name}`]: {
      on: `PUT ${path}`,
      summary: `Replace the ${of}; with check=true only say what is wrong with the new one`,
      query: CHECK,
      body: object({ [of]: { type: 'object' } }, [of]),
      run: ({ session, parameters, query, body }) => {
        const id = parameters[`${of}Id`] ?? '';
        const value = member<JsonObject>(body, of);
        if (session.store[of](id) === undefined) return noneWith(of, id, session);
        if (isCheck(query)) return json({ errors: wrongWith(schema, id, value).map(errorJson) });
        const errors = session[`replace${name}` as const](id, value);
        return replaced(`The ${of} does not fit its schema.`, { [`${of}Id`]: id }, errors);
      },
    },
    [`delete${name}`]: {
      on: `DELETE ${path}`,
      summary: removal,
      run: ({ session, parameters }) => {
        const id = parameters[`${of}Id`] ?? '';
        if (session.store[`remove${name}` as const](id)) return json({ [`${of}Id`]: id, removed: true });
        return noneWith(of, id, session);
      },
    },
  };
}

/** What says that something was replaced; 400 with the place of each error if its schema refuses it. */
export function replaced(
  refusal: string,
  ids: Readonly<Record<string, string>>,
  errors: readonly SchemaError[] = [],
): AdminAnswer {
  if (errors.length === 0) return json({ ...ids, errors: [] });
  return unfit(refusal, errors);
}

/** Whether the request only validates. @throws MockError */
export function isCheck(query: URLSearchParams): boolean {
  const check = query.get('check') ?? 'false';
  if (check === 'true' || check === 'false') return check === 'true';
  throw new MockError(`check is ${JSON.stringify(check.slice(0, 60))}; it must be true or false.`);
}

/** Refuses invalid data, with the place of each error. */
export function unfit(what: string, errors: readonly SchemaError[]): AdminAnswer {
  const first = errors.slice(0, 3).map((error) => `${error.at} must be ${error.expected}; it is ${error.actual}.`);
  return json({ error: `${what} ${first.join(' ')}`, errors: errors.map(errorJson) }, 400);
}

export const errorJson = ({ at, expected, actual }: SchemaError): object => ({ at, expected, actual });

/** The method of a session that sets each flag of an agent or a workspace; it returns false if there is none. */
const setters = {
  isPublished: 'setPublished',
  isArchived: 'setArchived',
  isClosed: 'setClosed',
  isSuspended: 'setSuspended',
} as const;

/** State changes, for which the service has no operation: by verb, a flag, its new value and a summary. */
type Switches = Readonly<Record<string, readonly [flag: keyof typeof setters, value: boolean, summary: string]>>;

export function switchRoutes(of: Listed, switches: Switches): Rows {
  const rows = Object.entries(switches).map(([verb, [flag, value, summary]]): [string, RouteRow] => [
    `${verb}${names[of]}`,
    {
      on: `POST /${of}s/{${of}Id}/${verb}`,
      summary,
      run: ({ session, parameters }) => {
        const id = parameters[`${of}Id`] ?? '';
        if (session[setters[flag]](id, value)) return json({ [`${of}Id`]: id, [flag]: value });
        return noneWith(of, id, session);
      },
    },
  ]);
  return Object.fromEntries(rows);
}
