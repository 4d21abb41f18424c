import { endpoints, schemas, type EndpointId } from '../spec/index.ts';
import { didYouMean } from '../spec/nearest.ts';
import type { MockRequest } from './call.ts';
import type { Violation } from './violations.ts';

/**
 * Slips in a request that break no rule, and are therefore accepted: names of parameters that the specification does not
 * know (section 4.5). Twins of `Prefer` (`__code`) are no slips.
 */
export function violationsOfRequest(
  endpoint: EndpointId,
  _request: MockRequest,
  query: readonly (readonly [name: string, value: string])[],
): readonly Violation[] {
  const { query: schema } = endpoints[endpoint];
  const known = schema === null ? [] : Object.keys(schemas[schema].properties ?? {});
  return query.flatMap(([name]): readonly Violation[] => {
    if (known.includes(name) || name.startsWith('__')) return [];
    return [
      {
        location: ['request', 'query', name],
        severity: 'Warning',
        code: 'unknown-parameter',
        message: `Is not a parameter of ${endpoints[endpoint].title}.${didYouMean(name, known)}`,
      },
    ];
  });
}
