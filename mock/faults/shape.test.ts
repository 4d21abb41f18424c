import type { EndpointId } from '../../spec/index.ts';
import { shapeMutants } from './shape.ts';
import rows from '../testing/faults.json';

/** Required or not, nullable or not, an item or not, of a closed set or not. */
const shapes = rows.shapes as [EndpointId, string, string[]][];
test.each(shapes)('in the answers of %s, the place %j can be broken in the ways %j', (endpoint, pointer, ways) => {
  const found = shapeMutants(endpoint).filter((one) => one.pointer === pointer);
  expect(found.map(({ mutation }) => mutation)).toEqual(ways);
});
