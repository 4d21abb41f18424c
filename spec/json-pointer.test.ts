import { changedAt, escapeToken, pointerTo, pointerTokens, templateOf, valueAt, withoutPlace } from './json-pointer.ts';

const odd = JSON.parse('{"a/b":{"~1":[1,{"__proto__":2}]},"":3}') as object;

test.each([
  ['', [], odd],
  ['/', [''], 3],
  ['/a~1b/~01/0', ['a/b', '~1', '0'], 1],
  ['/a~1b/~01/1/__proto__', ['a/b', '~1', '1', '__proto__'], 2],
  ['/constructor', ['constructor'], undefined],
  ['/a~1b/~01/0/x', ['a/b', '~1', '0', 'x'], undefined],
])('%j leads through these names to the value', (pointer, names, value) => {
  expect(pointerTokens(pointer)).toEqual(names);
  expect(pointerTo(names)).toBe(pointer);
  expect(valueAt(odd, pointer)).toEqual(value);
});

test('text before the first slash is no name, an escaped name is one, and a template matches every item', () => {
  expect(pointerTokens('body/agent/a~1b')).toEqual(['agent', 'a/b']);
  expect(escapeToken('a/b~1')).toBe('a~1b~01');
  expect(templateOf('/agent/groups/0/blocks/12')).toBe('/agent/groups/*/blocks/*');
  expect(templateOf('/a1/2b')).toBe('/a1/2b');
});

test.each([
  ['/list/0', 'x', { list: ['x', 2], o: { 'a/b': 1 } }],
  ['/list/1', undefined, { list: [1], o: { 'a/b': 1 } }],
  ['/o/a~1b', undefined, { list: [1, 2], o: {} }],
  ['/o/a~1b', 'x', { list: [1, 2], o: { 'a/b': 'x' } }],
  ['', 'x', 'x'],
])('at %j the value becomes %j, or is removed', (pointer, next, expected) => {
  const before = { list: [1, 2], o: { 'a/b': 1 } };
  expect(changedAt<unknown>(before, pointer, () => next)).toEqual(expected);
  expect(before).toEqual({ list: [1, 2], o: { 'a/b': 1 } });
});

test('a missing place is not created, the whole document is never removed, and unchanged parts are shared', () => {
  const before = { list: [1], o: {} };
  for (const pointer of ['/list/1', '/list/-', '/o/none', '/o/toString', '/list/0/x'])
    expect(changedAt(before, pointer, () => 'x')).toEqual(before);
  expect(changedAt(before, '/list/0', () => 2).o).toBe(before.o);
  expect(withoutPlace(before, '')).toEqual(before);
  expect(withoutPlace(before, '/o')).toEqual({ list: [1] });
});

test('a member named __proto__ is a member like others', () => {
  const before = JSON.parse('{"__proto__":1,"a":2}') as object;
  expect(JSON.stringify(changedAt(before, '/a', () => undefined))).toBe('{"__proto__":1}');
  expect(JSON.stringify(changedAt(before, '/a', () => 3))).toBe('{"__proto__":1,"a":3}');
});
