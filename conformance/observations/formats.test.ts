import { noteIdentifier, noteTimestamp } from './formats.ts';
import type { Observe } from './observe.ts';

/** What is recorded of a value: the gap, the choice and the description. */
function noted(note: (observe: Observe, value: unknown) => void, value: unknown): readonly unknown[] {
  const calls: unknown[][] = [];
  note((...call: unknown[]) => void calls.push(call), value);
  return calls.flat();
}

test.each<[unknown, string | undefined]>([
  ['2026-05-20T15:30:00Z', 'rfc3339-utc'],
  ['2026-05-20T15:30:00.123+02:00', 'rfc3339-offset'],
  ['Wed, 20 May 2026 15:30:00 GMT', 'rfc2822'],
  ['2026-05-20 15:30:00', 'sql'],
  ['2026-05-20 15:30:00+00', undefined],
  ['1779291000', 'epoch-seconds'],
  ['1779291000000', 'epoch-milliseconds'],
  ['1779291000.5', undefined],
  [1_779_291_000, undefined],
  ['three days ago', 'words'],
  [null, undefined],
])('the timestamp %j is %p', (value, choice) => {
  expect(noted(noteTimestamp, value)).toEqual(['timestamp-format', choice, `such as ${JSON.stringify(value)}`]);
});

test.each<[unknown, string | undefined]>([
  [`c${'a1'.repeat(12)}`, 'cuid'],
  ['123e4567-e89b-12d3-a456-426614174000', 'uuid'],
  ['123E4567-E89B-12D3-A456-426614174000', 'uuid'],
  ['12', 'numeric'],
  ['agent_Ab1', 'prefixed'],
  ['Agent_Ab1', undefined],
  ['agent-1', undefined],
])('the identifier %j is %p', (value, choice) => {
  expect(noted(noteIdentifier, value)).toEqual(['identifier-format', choice, `such as ${JSON.stringify(value)}`]);
});

test('records nothing about absent values', () => {
  expect(noted(noteTimestamp, undefined)).toEqual([]);
});
