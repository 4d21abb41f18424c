import type { SchemaError, SchemaName } from '../../../spec/index.ts';
import type { JsonObject } from '../../json.ts';
import { MockError } from '../../mock-error.ts';
import { wrongWith } from '../../session/edits.ts';
import type { Session } from '../../session/session.ts';
import { json, member, noneOf, object, type AdminAnswer, type AdminCall, type AdminRoute } from '../admin-route.ts';
import { left } from './paging.ts';

type Kind = 'agent' | 'workspace';

/** How many generated things are searched for an id that was probably meant. */
const MOST_LOOKED_AT = 1000;

export function none(of: Kind, id: string, { store }: Session): AdminAnswer {
  const { universe } = store;
  const things = `${of}s` as const;
  const [count, idAt] =
    of === 'agent'
      ? [universe.agentCount, (i: number) => store.agentId(i)]
      : [universe.workspaceCount, (i: number) => universe.workspace(i).id ?? ''];
  const places = left(count, store.removed()[things]);
  const generated = Array.from({ length: Math.min(places.count, MOST_LOOKED_AT) }, (_, i) => idAt(places.place(i)));
  return noneOf(of, id, [...store.created()[things], ...store.seeded()[things], ...generated]);
}

export const CHECK = { check: 'true changes nothing, and only says what is wrong.' };

/** The id of a route, from its verb. */
const routeId = (verb: string, of: Kind): string => `${verb}${of === 'agent' ? 'Agent' : 'Workspace'}`;
const tagOf = (of: Kind): AdminRoute['tag'] => (of === 'agent' ? 'Agents' : 'Workspaces');

export const replaceRoute = (of: Kind, schema: SchemaName): AdminRoute => ({
  id: routeId('replace', of),
  tag: tagOf(of),
  method: 'PUT',
  path: `/${of}s/{${of}Id}`,
  summary: `Replace ${of === 'agent' ? 'an agent' : 'a workspace'}; with check=true only say what is wrong with the new one`,
  query: CHECK,
  body: object({ [of]: { type: 'object' } }, [of]),
  run: (call) => replaced(call, of, schema),
});

/** `remove` returns false if there is none. */
export const removeRoute = (
  of: Kind,
  summary: string,
  remove: (session: Session, id: string) => boolean,
): AdminRoute => ({
  id: routeId('delete', of),
  tag: tagOf(of),
  method: 'DELETE',
  path: `/${of}s/{${of}Id}`,
  summary,
  run: ({ session, parameters }) => {
    const id = parameters[`${of}Id`] ?? '';
    return remove(session, id) ? json({ [`${of}Id`]: id, removed: true }) : none(of, id, session);
  },
});

/** The edited agent or workspace; 400 with the place of each error if its schema refuses it. */
function replaced({ session, parameters, query, body }: AdminCall, of: Kind, schema: SchemaName): AdminAnswer {
  const id = parameters[`${of}Id`] ?? '';
  const value = member<JsonObject>(body, of);
  const isKnown = of === 'agent' ? session.store.agent(id) : session.store.workspace(id);
  if (!isKnown) return none(of, id, session);
  if (isCheck(query)) return json({ errors: wrongWith(schema, id, value).map(errorJson) });
  const errors = of === 'agent' ? session.replaceAgent(id, value) : session.replaceWorkspace(id, value);
  return errors === undefined || errors.length === 0
    ? json({ [`${of}Id`]: id, errors: [] })
    : unfit(`The ${of} does not fit its schema.`, errors);
}

/** Whether the request only validates. @throws MockError */
export function isCheck(query: URLSearchParams): boolean {
  const check = query.get('check') ?? 'false';
  if (check === 'true' || check === 'false') return check === 'true';
  throw new MockError(`check is ${JSON.stringify(check.slice(0, 60))}; it must be true or false.`);
}

/** Refuses invalid data, with the place of each error. */
export function unfit(what: string, errors: readonly SchemaError[]): AdminAnswer {
  const said = errors.slice(0, 3).map((error) => `${error.at} must be ${error.expected}; it is ${error.actual}.`);
  return json({ error: `${what} ${said.join(' ')}`, errors: errors.map(errorJson) }, 400);
}

export const errorJson = ({ at, expected, actual }: SchemaError): object => ({ at, expected, actual });

/** State changes of an agent, or a workspace, for which the service has no operation. */
export interface Switch {
  readonly verb: string;
  readonly summary: string;
  readonly flip: (session: Session, id: string) => boolean;
  readonly becomes: Readonly<Record<string, boolean>>;
}

export const switchRoute = (of: Kind, { verb, summary, flip, becomes }: Switch): AdminRoute => ({
  id: routeId(verb, of),
  tag: tagOf(of),
  method: 'POST',
  path: `/${of}s/{${of}Id}/${verb}`,
  summary,
  run: ({ session, parameters }) => {
    const id = parameters[`${of}Id`] ?? '';
    return flip(session, id) ? json({ [`${of}Id`]: id, ...becomes }) : none(of, id, session);
  },
});
