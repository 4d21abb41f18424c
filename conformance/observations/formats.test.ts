import { noteFormats } from './formats.ts';
import cases from '../testing/observed.json';

/** What is recorded of something: the gap, the choice and the description. */
function noted(of: object): readonly unknown[] {
  const calls: unknown[][] = [];
  noteFormats((...call: unknown[]) => void calls.push(call), of);
  return calls.flat();
}

test.each(cases.timestamps as [unknown, string | null][])('the timestamp %j is %p', (value, choice) => {
  expect(noted({ createdAt: value })).toEqual([
    'timestamp-format',
    choice ?? undefined,
    `such as ${JSON.stringify(value)}`,
  ]);
});

test.each(cases.identifiers as [unknown, string | null][])('the identifier %j is %p', (value, choice) => {
  expect(noted({ id: value })).toEqual(['identifier-format', choice ?? undefined, `such as ${JSON.stringify(value)}`]);
});
