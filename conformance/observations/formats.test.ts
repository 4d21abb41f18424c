import { noteIdentifier, noteTimestamp } from './formats.ts';
import type { Observe } from './observe.ts';
import cases from '../testing/observed.json';

/** What is recorded of a value: the gap, the choice and the description. */
function noted(note: (observe: Observe, value: unknown) => void, value: unknown): readonly unknown[] {
  const calls: unknown[][] = [];
  note((...call: unknown[]) => void calls.push(call), value);
  return calls.flat();
}

test.each(cases.timestamps as [unknown, string | null][])('the timestamp %j is %p', (value, choice) => {
  expect(noted(noteTimestamp, value)).toEqual([
    'timestamp-format',
    choice ?? undefined,
    `such as ${JSON.stringify(value)}`,
  ]);
});

test.each(cases.identifiers as [unknown, string | null][])('the identifier %j is %p', (value, choice) => {
  expect(noted(noteIdentifier, value)).toEqual([
    'identifier-format',
    choice ?? undefined,
    `such as ${JSON.stringify(value)}`,
  ]);
});

test('records nothing about absent values', () => {
  expect(noted(noteTimestamp, undefined)).toEqual([]);
});
