import { Interrupted, TransportError, explain } from './explain-failure.ts';
import table from './testing/failures.json';

const asked = { host: 'service.test', origin: 'https://service.test', maxHeaderBytes: 65_536 };
const errorOf = (members: object): Error => Object.assign(new Error(), members);
const reset = errorOf({ code: 'ECONNRESET' });
const cut = 'reset: service.test closed the connection in the middle of its answer.';

const rows = table.flatMap(({ errors, expected }) =>
  errors.map((error): [unknown, string] => [errorOf(error), expected]),
);

test.each<readonly [unknown, string]>([
  ...rows,
  [new Interrupted(reset, { status: 200, headers: {} }), cut],
  ['a mere text', 'other: The request to service.test failed: "a mere text".'],
  [null, 'other: The request to service.test failed: "null".'],
  [undefined, 'other: The request to service.test failed: "undefined".'],
  [new TransportError('tls', 'as it is'), 'tls: as it is'],
])('explains %j', (error, expected) => {
  const { failure, message } = explain(error, asked);
  expect(`${failure}: ${message}`.slice(0, expected.length)).toBe(expected);
});

test('suggests HTTPS only if the request did not use it, and no other name of localhost if localhost refuses', () => {
  const hint = (origin: string): boolean =>
    explain(errorOf({ name: 'HTTPParserError' }), { ...asked, origin }).message.includes('https://');
  expect([hint('http://service.test'), hint('https://service.test')]).toEqual([true, false]);
  const { message } = explain(errorOf({ code: 'ECONNREFUSED', address: '::1', port: 81 }), {
    ...asked,
    host: 'localhost:81',
  });
  expect(message).toMatch(/^Nothing .* at \[::1\]:81\. Is/);
});

test('follows causes to a limited depth, and not in circles', () => {
  const circle: { cause?: unknown } = new Error('round');
  circle.cause = circle;
  expect(explain(circle, asked).message).toBe('The request to service.test failed: "round".');
  const deep = [1, 2, 3].reduce<Error>((cause, i) => new Error(`${i}`, { cause }), reset);
  const expected = ['reset', 'other'];
  expect([explain(deep, asked).failure, explain(new Error('0', { cause: deep }), asked).failure]).toEqual(expected);
});
