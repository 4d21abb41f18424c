import type { EndpointId } from '../../spec/index.ts';
import { shapeMutants } from './shape.ts';

/** Required or not, nullable or not, an item or not, of a closed set or not. */
test.each<[EndpointId, string, readonly string[]]>([
  ['get-agent', '', ['wrong-type', 'null']],
  ['get-agent', '/agent', ['wrong-type', 'null', 'missing']],
  ['get-agent', '/agent/name', ['wrong-type']],
  ['get-agent', '/agent/groups/*', ['wrong-type', 'null']],
  ['get-agent', '/agent/version', ['wrong-type']],
  ['create-agent', '/agent/version', ['wrong-type', 'outside-closed-set']],
  ['get-published-agent', '/publicAgent/version', ['wrong-type']],
  ['list-results', '/nextCursor', ['wrong-type', 'missing']],
])('in the answers of %s, the place %j can be broken in the ways %j', (endpoint, pointer, ways) => {
  const found = shapeMutants(endpoint).filter((one) => one.pointer === pointer);
  expect(found.map(({ mutation }) => mutation)).toEqual(ways);
});
