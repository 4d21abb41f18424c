import type { BodySchemaName, EndpointId, RequirementId } from '../../spec/index.ts';
import { endpoints, requirementIds, requirements, typedLocations } from '../../spec/index.ts';
import { templateOf } from '../../spec/json-pointer.ts';

/** Places whose requirement is more specific than that of their section. */
const PLACES: Readonly<Record<string, RequirementId>> = {
  '/agent/version': 'agent-version-6',
  '/agent/id': 'agent-id-in-answers',
  '/currentUserMode': 'user-mode-closed-set',
};

const shapeOfSection = new Map(
  requirementIds.filter((id) => id.endsWith('-shape')).map((id) => [requirements[id].section, id]),
);

/** The requirement for a place of an answer (a JSON Pointer): that of the nearest documented place. */
export function requirementAt(endpoint: EndpointId, pointer: string): RequirementId {
  const answer: RequirementId = `${endpoint}-answer`;
  const places = typedLocations[endpoints[endpoint].response as BodySchemaName];
  for (let at = templateOf(pointer); at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.find((one) => one.pointer === at);
    if (place) return PLACES[at] ?? shapeOfSection.get(place.section) ?? answer;
  }
  return answer;
}

/** The documented names directly below a place in the answer of an endpoint (`/results/*`), in its version 6 form. */
export function namesBelow(endpoint: EndpointId, place: string): readonly string[] {
  return typedLocations[endpoints[endpoint].response as BodySchemaName]
    .filter(({ pointer }) => pointer.startsWith(`${place}/`))
    .map(({ pointer }) => pointer.slice(place.length + 1))
    .filter((name) => name !== '*' && !name.includes('/'));
}
