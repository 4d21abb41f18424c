import type { SchemaError, SchemaName } from '../../../spec/index.ts';
import type { JsonObject } from '../../json.ts';
import { MockError } from '../../mock-error.ts';
import { wrongWith } from '../../session/edits.ts';
import type { Session } from '../../session/session.ts';
import { json, member, noneOf, object, type AdminAnswer, type RouteRow } from '../admin-route.ts';
import { left } from './paging.ts';

type Kind = 'agent' | 'workspace';
type Rows = Readonly<Record<string, RouteRow>>;

/** How many generated things are searched for an id that was probably meant. */
const MOST_SEARCHED = 1000;

/** Says that there is no agent, or workspace, with an id. */
export function noneWith(of: Kind, id: string, { store }: Session): AdminAnswer {
  const { universe } = store;
  const things = `${of}s` as const;
  const [count, idAt] =
    of === 'agent'
      ? [universe.agentCount, (i: number) => store.agentId(i)]
      : [universe.workspaceCount, (i: number) => universe.workspace(i).id ?? ''];
  const places = left(count, store.removed()[things]);
  const generated = Array.from({ length: Math.min(places.count, MOST_SEARCHED) }, (_, i) => idAt(places.place(i)));
  return noneOf(of, id, [...store.created()[things], ...store.seeded()[things], ...generated]);
}

export const CHECK = { check: 'true changes nothing, and only says what is wrong.' };

/** What differs between agents and workspaces. */
const kinds = {
  agent: {
    article: 'an agent',
    exists: ({ store }: Session, id: string) => store.agent(id) !== undefined,
    replace: (session: Session, id: string, value: JsonObject) => session.replaceAgent(id, value),
    remove: (session: Session, id: string) => session.store.removeAgent(id),
  },
  workspace: {
    article: 'a workspace',
    exists: ({ store }: Session, id: string) => store.workspace(id) !== undefined,
    replace: (session: Session, id: string, value: JsonObject) => session.replaceWorkspace(id, value),
    remove: (session: Session, id: string) => session.store.removeWorkspace(id),
  },
};

const withKind = (verb: string, of: Kind): string => `${verb}${of.charAt(0).toUpperCase()}${of.slice(1)}`;

/** Routes that replace and remove an agent, or a workspace. */
export function editingRoutes(of: Kind, { schema, removal }: { schema: SchemaName; removal: string }): Rows {
  const { article, exists, replace, remove } = kinds[of];
  const path = `/${of}s/{${of}Id}` as const;
  return {
    [withKind('replace', of)]: {
      on: `PUT ${path}`,
      summary: `Replace ${article}; with check=true only say what is wrong with the new one`,
      query: CHECK,
      body: object({ [of]: { type: 'object' } }, [of]),
      run: ({ session, parameters, query, body }) => {
        const id = parameters[`${of}Id`] ?? '';
        const value = member<JsonObject>(body, of);
        if (!exists(session, id)) return noneWith(of, id, session);
        if (isCheck(query)) return json({ errors: wrongWith(schema, id, value).map(errorJson) });
        return replaced(`The ${of} does not fit its schema.`, { [`${of}Id`]: id }, replace(session, id, value));
      },
    },
    [withKind('delete', of)]: {
      on: `DELETE ${path}`,
      summary: removal,
      run: ({ session, parameters }) => {
        const id = parameters[`${of}Id`] ?? '';
        if (remove(session, id)) return json({ [`${of}Id`]: id, removed: true });
        return noneWith(of, id, session);
      },
    },
  };
}

/** What says that something was replaced; 400 with the place of each error if its schema refuses it. */
export const replaced = (
  refusal: string,
  ids: Readonly<Record<string, string>>,
  errors: readonly SchemaError[] = [],
): AdminAnswer => {
  if (errors.length === 0) return json({ ...ids, errors: [] });
  return unfit(refusal, errors);
};

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

/** How a session sets each flag of an agent or a workspace; false if there is none with the id. */
const setters = {
  isPublished: (session: Session, id: string, value: boolean) => session.setPublished(id, value),
  isArchived: (session: Session, id: string, value: boolean) => session.setArchived(id, value),
  isClosed: (session: Session, id: string, value: boolean) => session.setClosed(id, value),
  isSuspended: (session: Session, id: string, value: boolean) => session.setSuspended(id, value),
};
type Flag = keyof typeof setters;

/** State changes, for which the service has no operation: by verb, what becomes of a flag. */
interface Switch {
  readonly summary: string;
  readonly becomes: Readonly<Partial<Record<Flag, boolean>>>;
}

export const switchRoutes = (of: Kind, switches: Readonly<Record<string, Switch>>): Rows =>
  Object.fromEntries(
    Object.entries(switches).map(([verb, { summary, becomes }]): [string, RouteRow] => [
      withKind(verb, of),
      {
        on: `POST /${of}s/{${of}Id}/${verb}`,
        summary,
        run: ({ session, parameters }) => {
          const id = parameters[`${of}Id`] ?? '';
          const isSet = Object.entries(becomes).every(([flag, value]) => setters[flag as Flag](session, id, value));
          if (isSet) return json({ [`${of}Id`]: id, ...becomes });
          return noneWith(of, id, session);
        },
      },
    ]),
  );
