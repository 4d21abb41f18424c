import { BadValue, DECIMAL, flagName, readDuration, readNumber, variableName } from './flags.ts';
import { mockFlags } from './mock/flags.ts';

const refused = (read: () => unknown): string => {
  try {
    return `it is ${JSON.stringify(read())}`;
  } catch (error) {
    return error instanceof BadValue ? error.message : String(error);
  }
};

const whole = readNumber('a whole number of rounds', 2, 10, 5);
const any = readNumber('a number of rounds', 0.5, 10, 5, DECIMAL);

test.each<[string, number | undefined, number | undefined]>([
  ['2', 2, 2],
  ['10', 10, 10],
  [' 7 ', 7, 7],
  ['1', undefined, 1],
  ['0.5', undefined, 0.5],
  ['0.4', undefined, undefined],
  ['2.5', undefined, 2.5],
  ['11', undefined, undefined],
  ['-3', undefined, undefined],
  ['3e0', undefined, undefined],
  ['0x3', undefined, undefined],
  ['', undefined, undefined],
])('%j as a whole number from 2 to 10 is %p, and as any number from 0.5 up %p', (text, asWhole, asAny) => {
  const says = (kind: string, least: number): string =>
    `this must be ${kind} of rounds from ${least} to 10, for example 5.`;
  expect(refused(() => whole(text))).toBe(asWhole === undefined ? says('a whole number', 2) : `it is ${asWhole}`);
  expect(refused(() => any(text))).toBe(asAny === undefined ? says('a number', 0.5) : `it is ${asAny}`);
});

test.each<[string, number | undefined]>([
  ['1ms', 1],
  ['1.5s', 1500],
  ['1h', 3_600_000],
  [' 60s ', 60_000],
  ['60', undefined],
  ['0s', undefined],
  ['1d', undefined],
  ['1s1', undefined],
])('%j is a time of %p ms', (text, ms) => {
  const says = 'this must be a time with a unit (ms, s, m, h), for example 60s.';
  expect(refused(() => readDuration(text))).toBe(ms === undefined ? says : `it is ${ms}`);
});

const origin = { folder: '/', label: 'x', source: 'flag' } as never;
const read = (name: keyof typeof mockFlags, text: string): unknown => {
  const flag = mockFlags[name] as { read?: (value: string, from: never) => unknown };
  return flag.read?.(text, origin);
};

test.each<[keyof typeof mockFlags, string, unknown]>([
  ['now', '2026-05-20T15:30:00Z', Date.UTC(2026, 4, 20, 15, 30)],
  ['now', '2026-05-20', Date.UTC(2026, 4, 20)],
  ['latency', '0', { type: 'fixed', milliseconds: 0 }],
  ['latency', '50-200', { type: 'uniform', lower: 50, upper: 200 }],
  ['latency', 'lognormal:80,0.4', { type: 'lognormal', median: 80, sigma: 0.4 }],
  ['rateLimit', '100/0.5', { requests: 100, seconds: 0.5 }],
  ['choice', 'error-body=message', ['error-body', 'message']],
  ['token', 'read=a=b', ['a=b', 'read']],
  ['token', 'a=b', ['a=b', 'write']],
  ['profile', 'trpc', { name: 'trpc' }],
])('--%s %s is %j', (name, text, expected) => {
  expect(read(name, text)).toEqual(expected);
});

test.each<[keyof typeof mockFlags, string, RegExp]>([
  ['now', '20-05-2026', /^this must be an instant such as/],
  ['now', '2026-13-01', /^this must be an instant such as/],
  ['latency', '50-', /^this must be a number of milliseconds/],
  ['latency', '80ms', /^this must be a number of milliseconds/],
  ['rateLimit', '100', /^this must be a number of requests/],
  ['choice', 'error-body', /^this must have the form gap=choice/],
  ['choice', 'a=b=c', /^this must have the form gap=choice/],
  ['profile', ' ', /^this must not be empty/],
])('--%s %j is refused', (name, text, message) => {
  expect(refused(() => read(name, text))).toMatch(message);
});

test('the words of a name make its flag and its variable', () => {
  expect([flagName('v5AgentId'), variableName('v5AgentId')]).toEqual(['--v5-agent-id', 'AGENT_CONTRACT_V5_AGENT_ID']);
});
