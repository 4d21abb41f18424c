import { BadValue, DECIMAL, flagName, readDuration, readNumber, variableName } from './flags.ts';
import { mockFlags } from './mock/flags.ts';
import values from './testing/flag-values.json';

/** What a text is read as, or how the message begins that refuses it. */
function readAs(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof BadValue) return error.message;
    throw error;
  }
}

test.each(values.numbers)('$text as a whole number from 2 to 10 is $whole, as any from 0.5 up $any', (row) => {
  const says = (kind: string, least: number): string => `this must be ${kind} from ${least} to 10, for example 5.`;
  const { text, whole = says('a whole number', 2), any = says('a number', 0.5) } = row;
  expect(readAs(readNumber('a whole number', 2, 10, 5), text)).toBe(whole);
  expect(readAs(readNumber('a number', 0.5, 10, 5, DECIMAL), text)).toBe(any);
});

test.each(values.times)('$text is a time of $ms ms', ({ text, ms }) => {
  const says = 'this must be a time with a unit (ms, s, m, h), for example 60s.';
  expect(readAs(readDuration, text)).toBe(ms ?? says);
});

test.each(values.ofMock)('--$flag $text is $value', ({ flag, text, value, says = '' }) => {
  const origin = { folder: '/', label: 'x', source: 'flag' } as never;
  const { read } = mockFlags[flag as keyof typeof mockFlags] as { read: (of: string, from: never) => unknown };
  const expected: unknown = value ?? expect.stringMatching(new RegExp(`^${says}`));
  expect(readAs((of) => read(of, origin), text)).toEqual(expected);
});

test('the words of a name make its flag and its variable', () => {
  expect([flagName('v5AgentId'), variableName('v5AgentId')]).toEqual(['--v5-agent-id', 'AGENT_CONTRACT_V5_AGENT_ID']);
});
