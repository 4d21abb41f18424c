import { feedRecordings } from '../../conformance/recording/judge-recording.ts';
import { harOf, sourceOf } from '../../conformance/testing/har-of.ts';
import credentials from '../testing/credentials.json';
import { gatherTraffic } from './from-traffic.ts';

const agent = (id: string): string =>
  JSON.stringify({ agent: { id, version: '6', name: 'A', events: [], groups: [], edges: [], variables: [] } });
const har = (ids: readonly string[], headers: Readonly<Record<string, string>> = {}): string =>
  harOf(ids.map((id) => ({ url: `https://service.test/api/v1/agents/${id}`, headers, body: agent(id) })));

test.each([
  [3, ['a', 'b', 'c'], 0],
  [2, ['a', 'b'], 1],
  [1, ['a'], 2],
])('with room for %d answers, %j are kept', async (room, kept, leftOut) => {
  const traffic = gatherTraffic(undefined, room * agent('a').length);
  await feedRecordings([sourceOf(har(['a', 'b', 'c']))], traffic);
  const { seed, leftOut: left } = traffic.end();
  expect(seed.agents?.map(({ id }) => id)?.toSorted()).toEqual(kept);
  expect(left.reduce((sum, { count }) => sum + count, 0)).toBe(leftOut);
});

test.each(credentials)('finds in the header $header: $value the credentials $found', async (row) => {
  const traffic = gatherTraffic(undefined);
  await feedRecordings([sourceOf(har(['a'], { [row.header]: row.value }))], traffic);
  expect([...traffic.end().tokens]).toEqual(row.found);
});
