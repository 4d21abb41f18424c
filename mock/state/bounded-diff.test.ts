import { applyPatch, createPatch } from 'rfc6902';
import { testMock } from '../testing/test-client.ts';
import { boundedDiff } from './bounded-diff.ts';

const items = (length: number, sign: number): object[] => Array.from({ length }, (_, i) => ({ a: sign * (i + 1) }));
const nested = (levels: number, width: number, leaf: number): unknown =>
  levels === 0 ? leaf : Array.from({ length: width }, (_, i) => nested(levels - 1, width, leaf + i));
const deep = (levels: number, leaf: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner, _, i) => (i % 2 === 0 ? [inner] : { a: inner }), leaf);
const wide = (members: number, value: number): object =>
  Object.fromEntries(Array.from({ length: members }, (_, i) => [`k${i}`, { value }]));

// Without bounds each would take minutes, or overflow the stack.
test.each<[string, unknown, unknown]>([
  ['1,000 items that differ', items(1000, 1), items(1000, -1)],
  ['one item against 10,000', items(1, 1), items(10_000, -1)],
  ['lists within lists', nested(4, 8, 0), nested(4, 8, 100)],
  ['deep lists of one', deep(900, 1), deep(900, 2)],
  ['20,000 members', wide(20_000, 1), wide(20_000, 2)],
])('the difference of %s is found in bounded time, and turns one into the other', (_, before, after) => {
  const patch = createPatch({ x: before }, { x: after }, boundedDiff());
  const changed = { x: structuredClone(before) };
  expect(applyPatch(changed, patch).filter(Boolean)).toEqual([]);
  expect(JSON.stringify(changed.x)).toBe(JSON.stringify(after));
});

test('small differences are listed item by item, and equal values not at all', () => {
  const before = { few: [{ a: 1 }, { a: 2 }], many: items(500, 1), same: 1 };
  const after = { few: [{ a: 1 }, { a: 3 }], many: items(500, 1), same: 1 };
  expect(createPatch(before, after, boundedDiff())).toEqual([{ op: 'replace', path: '/few/1/a', value: 3 }]);
});

test('a value of another type is replaced', () => {
  const kinds = [null, 1, 'a', { a: 1 }, [1]];
  for (const before of kinds)
    for (const after of kinds)
      expect(createPatch({ x: before }, { x: after }, boundedDiff())).toEqual(
        before === after ? [] : [{ op: 'replace', path: '/x', value: after }],
      );
});

test('a snapshot of an agent with 1,000 odd items can be compared with the present', () => {
  const { mock, call } = testMock();
  const { workspaceId } = mock.target;
  const put = (sign: number): void =>
    mock.store.putAgent('many', { id: 'many', workspaceId, odd: items(1000, sign) as never }, 'create');
  put(1);
  call('/__admin/snapshots/one', { method: 'PUT' });
  put(-1);
  const { status, json } = call('/__admin/snapshots/one/diff');
  expect([status, json.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`)]).toEqual([
    200,
    ['replace /agents/many/odd'],
  ]);
});
