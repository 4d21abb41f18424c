import { endpoints, schemas, validate, type CreatingEndpoint } from '../../spec/index.ts';
import { changedAt, withoutPlace } from '../../spec/json-pointer.ts';
import { isObject, withFields, type Json, type JsonObject } from '../../text/json.ts';
import { typeAt } from '../service/documented-body.ts';
import { asType, slipOf } from '../wording/slips.ts';
import { formOf } from '../store/agent-forms.ts';

const schemaOf = <E extends CreatingEndpoint>(endpoint: E): `${E}-request` => `${endpoint}-request`;

/** The smallest body that an endpoint accepts, in a workspace of the mock. */
export function smallestBody(endpoint: CreatingEndpoint, workspaceId: string): JsonObject {
  const { does, holds } = endpoints[endpoint];
  if (holds === 'workspace') return { name: 'My workspace' };
  const name = 'My agent';
  return { workspaceId, agent: does === 'imports' ? { version: '6', name } : { name } };
}

/** Bodies with more characters than this are too long to be shown again. */
const MOST_CHARACTERS = 600;

/** The fields of an agent (section 2.1). */
export const agentFields: readonly string[] = Object.keys(schemas['agent-v6'].properties ?? {});

/** The fields of a body at the top level. */
export const bodyFields = (endpoint: CreatingEndpoint): readonly string[] =>
  Object.keys(schemas[schemaOf(endpoint)].properties ?? {});

/** The fields of an agent that a body can set. */
const settableFields = (endpoint: CreatingEndpoint): readonly string[] =>
  agentFields.filter((name) => typeAt(schemaOf(endpoint), `/agent/${name}`));

/**
 * The body that was probably meant: misspelt names corrected, fields moved to their places, values converted to their
 * types, and everything else that is wrong or undocumented left out. If too little remains, the smallest body.
 * `isKnown` recognises the ids of workspaces.
 */
export function correctedBody(
  endpoint: CreatingEndpoint,
  sent: Json | undefined,
  workspaceId: string,
  isKnown: (workspaceId: string) => boolean,
): JsonObject {
  const { does, holds } = endpoints[endpoint];
  const smallest = smallestBody(endpoint, workspaceId);
  const body = sent !== undefined && isSmall(sent) && objectOf(sent);
  if (!body) return smallest;
  const whole = placed(unwrapped(body, bodyFields(endpoint)), endpoint);
  let corrected = named(whole, bodyFields(endpoint));
  if (holds === 'agent') {
    const { workspaceId: id, agent } = corrected;
    if (does === 'imports' && isVersion5(agent)) return smallest;
    const fields = isObject(agent) && named(agent, settableFields(endpoint));
    corrected = {
      workspaceId: typeof id === 'string' && isKnown(id) ? id : workspaceId,
      agent: { ...agentOf(smallest), ...fields, ...(does === 'imports' && { version: '6' }) },
    };
  }
  const valid = repaired(endpoint, { ...smallest, ...corrected });
  if (valid !== undefined && isSmall(valid)) return valid;
  return smallest;
}

const agentOf = ({ agent }: JsonObject): JsonObject => (isObject(agent) ? agent : {});

/** Whether an agent is clearly of version 5, by its version, or by a start block where version 6 has a start event. */
function isVersion5(agent: Json | undefined): boolean {
  if (!isObject(agent)) return false;
  const { version, groups = [] } = agent;
  if (typeof version === 'string' && formOf(version) === 'v5') return true;
  return version !== '6' && agent['events'] === undefined && JSON.stringify(groups).includes('"start"');
}

/** An object, also as JSON in a string. */
function objectOf(sent: Json): JsonObject | undefined {
  if (isObject(sent)) return sent;
  return asType('object', sent) as JsonObject | undefined;
}

/** The object with the fields, if a body wraps it: `{"data": {"name": ...}}`. */
function unwrapped(body: JsonObject, fields: readonly string[]): JsonObject {
  if (Object.keys(body).some((key) => slipOf(key, fields) !== undefined)) return body;
  const inner = Object.values(body).find(
    (value) => isObject(value) && fields.some((name) => Object.hasOwn(value, name)),
  );
  if (isObject(inner)) return inner;
  return body;
}

/** Moves an agent's fields from beside `agent` into it, and a workspace's id out of it. */
function placed(body: JsonObject, endpoint: CreatingEndpoint): JsonObject {
  if (endpoints[endpoint].holds !== 'agent') return body;
  const given = Object.entries(body);
  const agentKey = given.map(([key]) => key).find((key) => slipOf(key, ['agent']) !== undefined);
  const agent = objectOf((agentKey !== undefined && body[agentKey]) || {});
  if (agent === undefined) return body;
  const strays = given.filter(
    ([key]) => slipOf(key, bodyFields(endpoint)) === undefined && slipOf(key, agentFields) !== undefined,
  );
  const { workspaceId } = agent;
  const placedBody = Object.fromEntries(
    given.filter(([key]) => key !== agentKey && !strays.some(([stray]) => stray === key)),
  );
  return {
    ...(workspaceId !== undefined && { workspaceId }),
    ...placedBody,
    agent: withFields({ ...Object.fromEntries(strays), ...agent }, { workspaceId: undefined }),
  };
}

/** Only documented fields, each under its right name; a right name takes precedence over a misspelt one. */
function named(object: JsonObject, fields: readonly string[]): JsonObject {
  const known: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    const name = fields.includes(key) ? key : slipOf(key, fields);
    if (name !== undefined && value !== null && (name === key || !Object.hasOwn(object, name))) known[name] = value;
  }
  return known;
}

/** `body` with wrong values converted or removed until its schema accepts it. */
function repaired(endpoint: CreatingEndpoint, body: JsonObject): JsonObject | undefined {
  const schema = schemaOf(endpoint);
  let next = body;
  for (let round = 0; round < 5; round++) {
    const errors = validate(schema, next);
    if (errors.length === 0) return next;
    for (const { at, keyword } of errors) {
      const convert = (found: unknown): Json | undefined => asType(typeAt(schema, at) ?? '', found as Json);
      next = keyword === 'type' ? changedAt(next, at, convert) : withoutPlace(next, at);
    }
  }
  return undefined;
}

const isSmall = (value: Json): boolean => JSON.stringify(value).length <= MOST_CHARACTERS;
