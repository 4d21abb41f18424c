import { testMock } from '../testing/test-client.ts';
import { textMatcher } from './text-pattern.ts';

test.each([
  ['/api/v1/agents/\\w+', '/api/v1/agents/x', true],
  ['agents', '/agents/', false],
  ['a.b', 'a\nb', true],
  ['\\/api\\/v1', '/api/v1', true],
  ['\\u0041(?<name>b|c){2}', 'Abc', true],
  ['(?i)ABC', 'abc', true],
  ['\\p{L}+', 'é', true],
  ['.', '\u{1f600}', true],
  ['^/x$', '/x', true],
])('%s for the whole of %j', (pattern, text, expected) => expect(textMatcher(pattern).matches(text)).toBe(expected));

describe.each(['requests/count', 'requests/find'])('%s', (route) => {
  const { mock, call } = testMock();
  for (let i = 0; i < 200; i++) call(`/api/v1/agents/${'a'.repeat(3000)}`);
  const ask = (pattern: unknown): { status: number; json: { error?: string; count?: number } } =>
    call(`/__admin/${route}`, { body: pattern });

  // A backtracking engine would need longer than the sun will shine.
  test.each(['(a+)+', '([a-z]+)*', '(a|aa)+', '(.*a){5}', '(?:a|a)*b', '/api/v1/agents/(a*)*b'])(
    '%s finishes on a long path',
    (matches) => {
      expect(ask({ urlPath: { matches } }).status).toBe(200);
      expect(ask({ headers: { host: { matches } }, queryParameters: { x: { matches } } }).status).toBe(200);
    },
  );

  test.each([
    ['(', /missing closing \)/],
    ['*', /missing argument to repetition/],
    ['[z-a]', /character class range/],
    ['a{2000}', /repeat count/],
    ['((a{30}){30}){30}', /repeat count/],
    ['(?:a?){1000}', /too large/],
    ['(?=a)a', /looks ahead or behind/],
    ['(?<!b)a', /looks ahead or behind/],
    ['(a)\\1', /refers back/],
    ['(?<n>a)\\k<n>', /refers back/],
    ['a'.repeat(1001), /longer than 1000/],
    ['('.repeat(999), /nests too deep|missing closing/],
    ['.*a.{300}', /take too long on so many requests/],
  ])('%s is refused with the reason', (matches, why) => {
    const { status, json } = ask({ urlPath: { matches } });
    expect([status, json.error]).toEqual([400, expect.stringMatching(why)]);
  });

  test('an invalid pattern is refused even if there is nothing to search', () => {
    mock.session('empty');
    const { status } = call(`/_s/empty/__admin/${route}`, { body: { headers: { x: { matches: '(' } } } });
    expect(status).toBe(400);
  });
});

test.each(['urlPath', 'headers'])('the cost of a search includes what is in the %s', (part) => {
  const { call } = testMock();
  const long = 'a'.repeat(3000);
  for (let i = 0; i < 200; i++)
    call(`/api/v1/agents/${part === 'urlPath' ? long : 'a'}`, {
      headers: { 'x-own': part === 'headers' ? long : 'a' },
    });
  const matches = '.*a.{300}';
  const pattern = part === 'urlPath' ? { urlPath: { matches } } : { headers: { 'x-own': { matches } } };
  expect(call('/__admin/requests/count', { body: pattern }).json.error).toContain('take too long on so many requests');
});
