import { endpoints, typedLocations, type EndpointId } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';

/** The documented fields in the answer of an endpoint, in its version 6 form; none if it is a list. */
export function fieldsHeld(endpoint: EndpointId): readonly string[] {
  const { response, holds } = endpoints[endpoint];
  return typedLocations[response as keyof typeof typedLocations].flatMap(({ pointer }) => {
    const [holder, name, ...below] = pointerTokens(pointer);
    if (holder === holds && name !== undefined && name !== '*' && below.length === 0) return [name];
    return [];
  });
}
