import { createRenderings } from './renderings.ts';

const { text } = createRenderings();

const a = { id: 'a', nested: { x: [1, { y: null }] } };
const b = { id: 'b', text: 'ü "quoted" \u2028' };

test.each([
  [{ agent: a, mode: 'read' }],
  [{ mode: 'write', agent: a }],
  [{ agent: b, mode: 'read' }],
  [{ results: [a, b], nextCursor: 'c' }],
  [{ results: [a, b], nextCursor: null }],
  [{ results: [], nextCursor: null }],
  [{ results: [a, 5, 'x', [b, 6]] }],
  [{ results: [a, 7, 'x', [b, 6]] }],
  [{ __proto__: null, a, b, n: 1.5, ok: true, none: null }],
])('%j is written as JSON.stringify writes it, the first time and later', (body) => {
  expect(text(body)).toBe(JSON.stringify(body));
  expect(text(body)).toBe(JSON.stringify(body));
});

test('equal answers share a string, and a replaced object gets a new one', () => {
  const changed = { ...a, id: 'changed' };
  expect(text({ agent: changed })).not.toBe(text({ agent: a }));
  expect(JSON.parse(text({ agent: changed }))).toEqual({ agent: changed });
});
