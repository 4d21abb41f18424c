import { nearMissesOf } from './near-misses.ts';

test.each([
  ['GET', '/api/v1/agents/x', [0, 'get-agent']],
  ['PUT', '/api/v1/agents/x', [0.2, 'get-agent']],
  ['GET', '/api/v1/agents/x/result?limit=1', [0.048, 'list-results']],
  ['GET', '/', [0.8, 'get-agent']],
  ['PUT', '/', [1, 'create-agent']],
])('%s %s: the distance and the nearest endpoint are %p', (method, url, expected) => {
  const [nearest, ...others] = nearMissesOf({ method, url });
  expect([nearest?.distance, nearest?.endpoint]).toEqual(expected);
  expect(others.length).toBe(2);
  for (const { distance } of others) expect(distance).toBeGreaterThanOrEqual(nearest?.distance ?? Infinity);
});
