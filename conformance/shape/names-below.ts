import { endpoints, typedLocations, type BodySchemaName, type EndpointId } from '../../spec/index.ts';

/** The documented names directly below a place in the answer of an endpoint (`/results/*`), in its version 6 form. */
export function namesBelow(endpoint: EndpointId, place: string): readonly string[] {
  return typedLocations[endpoints[endpoint].response as BodySchemaName].flatMap(({ pointer }) => {
    const name = pointer.startsWith(`${place}/`) ? pointer.slice(place.length + 1) : '*';
    if (name === '*' || name.includes('/')) return [];
    return [name];
  });
}
