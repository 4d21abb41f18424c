import { readPreferences } from './preferences.ts';

test.each([
  ['code=404', { code: 404 }],
  ['code=404, delay=20', { code: 404, delay: 20 }],
  ['Code = "404" ;strict, wait=5, respond-async', { code: 404 }],
  ['example=empty-page, dynamic=true, seed=abc', { example: 'empty-page', dynamic: true, seed: 'abc' }],
  ['dynamic', { dynamic: true }],
  ['dynamic=false', {}],
  [
    'fault="get-agent-answer-misshapen:/agent/name=wrong-type", rate=100',
    {
      fault: 'get-agent-answer-misshapen:/agent/name=wrong-type',
      rate: 100,
    },
  ],
  [String.raw`example="a \"quoted\", name"`, { example: 'a "quoted", name' }],
  ['code=404, code=500', { code: 404 }],
  ['retry-after=3, code=503', { code: 503, retryAfter: 3 }],
  ['__proto__=1, constructor=2', {}],
])('%s', (header, wanted) => {
  expect(readPreferences(header, [])).toEqual({ wanted, refused: [] });
});

test.each([
  ['code=abc', 'code must be a whole number from 200 to 599; it is "abc".'],
  ['code=99', 'code must be a whole number from 200 to 599; it is "99".'],
  ['delay=-1', 'delay must be a whole number from 0 to 600000; it is "-1".'],
  ['dynamic=perhaps', 'dynamic must be true or false; it is "perhaps".'],
  ['rate=0', 'rate must be a whole number from 1 to 1000000000; it is "0".'],
  ['example', 'example must be the name of an example; it is "".'],
])('%s is refused', (header, message) => {
  const { wanted, refused } = readPreferences(header, []);
  expect(wanted).toEqual({});
  expect(refused.map((one) => one.message)).toEqual([message]);
});

test('twins in the query count only where there is no header', () => {
  const query = [
    ['__code', '404'],
    ['limit', '5'],
  ] as const;
  expect(readPreferences(undefined, query).wanted).toEqual({ code: 404 });
  expect(readPreferences('delay=5', query).wanted).toEqual({ delay: 5 });
});
