import { harOf, sourceOf } from '../../conformance/testing/har-of.ts';
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
  await traffic.add(sourceOf(har(['a', 'b', 'c'])));
  const { seed, leftOut: left } = traffic.end();
  expect(seed.agents?.map(({ id }) => id)?.toSorted()).toEqual(kept);
  expect(left.reduce((sum, { count }) => sum + count, 0)).toBe(leftOut);
});

test.each([
  ['authorization', 'Bearer 12345678', ['12345678']],
  ['Authorization', 'Api-Key  12345678', ['12345678']],
  ['authorization', '12345678', ['12345678']],
  ['authorization', 'key=12345678 87654321', ['key=12345678', '87654321']],
  ['authorization', 'Bearer 1234567', []],
  ['authorization', 'Bearer $TOKEN_OF_MINE', []],
  ['proxy-authorization', 'Basic 12345678', ['12345678']],
  ['x-api-key', '12345678', ['12345678']],
  ['x-other', '12345678', []],
  ['cookie', 'a=0123456789abcdef; b=0123456789abcde;c=x=0123456789abcd', ['0123456789abcdef', 'x=0123456789abcd']],
])('finds in the header %s: %s the credentials %j', async (name, value, expected) => {
  const traffic = gatherTraffic(undefined);
  await traffic.add(sourceOf(har(['a'], { [name]: value })));
  expect([...traffic.end().tokens]).toEqual(expected);
});
