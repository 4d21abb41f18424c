import { isObject, withFields, type Json, type JsonObject } from '../../text/json.ts';

/** By its version (section 4.2); older exporters write version 5 with a version from 1 to 5, or none. */
export function agentForm(version: Json | undefined): 'v6' | 'v5' | 'neither' {
  if (version === '6') return 'v6';
  if (version === undefined || version === null) return 'v5';
  if (typeof version === 'string' && /^[1-5](?:\.\d{1,3})*$/.test(version)) return 'v5';
  return 'neither';
}

const sharedFields = ['name', 'version', 'groups', 'events', 'edges', 'variables', 'theme', 'settings'] as const;

/** The public agent (section 2.9) of an agent in either form, published `at` (RFC 3339). */
export function publicForm(agent: JsonObject, id: string, at: string): JsonObject {
  return withFields(
    { id },
    {
      ...Object.fromEntries(sharedFields.map((name) => [name, agent[name]])),
      createdAt: at,
      updatedAt: at,
      agentId: agent['id'],
      workspaceId: agent['workspaceId'],
      domain: agent['customDomain'],
      domainId: agent['domainId'],
      publicId: agent['publicId'],
      url: agent['url'],
    },
  );
}

/** The objects in a list of that name; none if there is no such list. */
export function itemsIn(part: JsonObject, name: string): readonly JsonObject[] {
  const found = part[name];
  if (Array.isArray(found)) return found.filter(isObject);
  return [];
}

/** The start block becomes the start event. Undocumented parts of version 5 (section 4.2) stay as they are. */
export function upgradeToV6(agent: JsonObject): JsonObject {
  const groups = itemsIn(agent, 'groups');
  const edges = Array.isArray(agent['edges']) ? agent['edges'] : [];
  const startGroup = groups.find((group) => itemsIn(group, 'blocks').some((block) => block['type'] === 'start'));
  const start = startGroup && itemsIn(startGroup, 'blocks').find((block) => block['type'] === 'start');
  const upgraded: JsonObject = { ...agent, version: '6' };
  if (!startGroup || !start || Array.isArray(agent['events']))
    return { events: [], groups: [], edges: [], ...upgraded };

  const eventId = startGroup['id'];
  const outgoing = start['outgoingEdgeId'];
  const startEdge = edges.filter(isObject).find((edge) => edge['id'] === outgoing);
  return withFields(upgraded, {
    events: [
      withFields(
        { type: 'start' },
        { id: eventId, outgoingEdgeId: outgoing, graphCoordinates: startGroup['graphCoordinates'] },
      ),
    ],
    groups: groups.flatMap((group) => {
      const blocks = itemsIn(group, 'blocks').filter((block) => block !== start);
      if (blocks.length === 0) return [];
      return [group === startGroup ? { ...group, blocks } : group];
    }),
    edges: [startEdge, ...edges.filter((edge) => edge !== startEdge)]
      .filter((edge) => edge !== undefined)
      .map((edge) => (edge === startEdge ? { ...startEdge, from: withFields({}, { eventId }) } : edge)),
  });
}

// Shared by all agents: a million of them would take most of their memory for what is the same in each.
const none: Json = [];
const nothing = {};
const graphCoordinates = { x: 0, y: 0 };

/** The default flow of an agent: it starts, and does nothing (sections 2.1 and 2.2). */
export function blankFlow(agentId: string): JsonObject {
  const events = [{ id: `${agentId}-start`, type: 'start', graphCoordinates }];
  return { events, groups: none, edges: none, variables: none, theme: nothing, settings: nothing };
}
