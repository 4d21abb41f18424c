import { testMock } from '../testing/test-client.ts';
import { readPreferences } from './preferences.ts';

test.each([
  ['code=404', { code: 404 }],
  ['code=404, delay=20', { code: 404, delay: 20 }],
  ['Code = "404" ;strict, wait=5, respond-async', { code: 404 }],
  ['example=empty-page, dynamic=true, seed=abc', { example: 'empty-page', dynamic: true, seed: 'abc' }],
  ['dynamic', { dynamic: true }],
  ['dynamic=false', {}],
  ['fault="a-fault:/agent/name=wrong-type", rate=100', { fault: 'a-fault:/agent/name=wrong-type', rate: 100 }],
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
  ['dynamic=constructor', 'dynamic must be true or false; it is "constructor".'],
  ['rate=0', 'rate must be a whole number from 1 to 1000000000; it is "0".'],
  ['example', 'example must be the name of an example; it is "".'],
])('%s is refused', (header, message) => {
  const { wanted, refused } = readPreferences(header, []);
  expect(wanted).toEqual({});
  expect(refused.map((one) => one.message)).toEqual([message]);
});

test('parameters in the query count only without the header', () => {
  const query = Object.entries({ __code: '404', limit: '5' });
  expect(readPreferences(undefined, query).wanted).toEqual({ code: 404 });
  expect(readPreferences('delay=5', query).wanted).toEqual({ delay: 5 });
});

describe('a mistyped preference is reported', () => {
  const { mock, call } = testMock();
  const saidOf = (headers: Record<string, string>, query = ''): string => {
    const answer = call(`/api/v1/agents/${mock.target.agentId}${query}`, { headers });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, undefined]);
    return answer.headers['sl-violations'] ?? '';
  };

  test.each([
    ['cod=503', 'Did you mean code?'],
    ['dealy=100', 'Did you mean delay?'],
    ['Retry_After=1', 'Did you mean retry-after?'],
    ['code:503', String.raw`Did you mean code=\"503\"?`],
    ['Code:="503"', String.raw`Did you mean Code=\"503\"?`],
    ['code="503', '"location":["request","header","prefer"]'],
    ['fault=no-such-fault', 'There is no fault'],
    ['delay=soon', 'delay must be'],
    ['handling=strict; delay=100', 'Separate preferences with commas'],
    ['return=minimal;dealy=100', 'Separate preferences with commas'],
    ['=503, ,;;=, "x", cod', 'Did you mean code?'],
  ])('%s', (prefer, said) => expect(saidOf({ prefer })).toContain(said));

  test('after a semicolon, beside a valid one', () => {
    const { status, headers } = call('/api/v1/agents/x', { headers: { prefer: 'code=503; delay=100' } });
    expect([status, headers['preference-applied']]).toEqual([503, 'code=503']);
    expect(headers['sl-violations']).toContain('code=503, delay=100');
  });

  test.each([
    ['?__cod=503', '"__cod"', 'Did you mean __code?'],
    ['?__whatever=1', '"__whatever"', 'There are code, example'],
  ])('%s', (query, at, said) => {
    expect(saidOf({}, query)).toContain(`"query",${at}`);
    expect(saidOf({}, query)).toContain(said);
  });

  const others = ['respond-async, wait=10', 'return=minimal; foo="some, parameter"', 'odata.track-changes'];
  test.each([...others, 'handling=lenient', ''])('preferences of other software are ignored: %s', (prefer) =>
    expect(saidOf({ prefer })).toBe(''),
  );

  test('in any number', () => {
    expect(saidOf({ prefer: 'cod=1,'.repeat(100_000) }).length).toBeLessThan(5000);
  });
});

describe('a preference is listed as applied if and only if it was', () => {
  const { mock, call } = testMock({ settings: { rateLimit: { requests: 1000, seconds: 1 } } });
  const { agentId } = mock.target;
  const applied = (prefer: string, target = `/api/v1/agents/${agentId}`): string | undefined =>
    call(target, { headers: { prefer } }).headers['preference-applied'];

  test.each([
    ['code=503, retry-after=3, seed=1, rate=9, delay=1', undefined, 'code=503, retry-after=3, rate=9, delay=1'],
    ['code=204, rate=9', undefined, 'code=204'],
    ['code=201', '/api/v1/agents/none', undefined],
    ['code=503, example=none', undefined, undefined],
    ['code=503, delay=1', '/nothing', 'delay=1'],
    ['retry-after=3, seed=x', undefined, undefined],
    ['fault=limit-ignored', undefined, undefined],
    ['fault=limit-ignored', `/api/v1/agents/${agentId}/results`, 'fault=limit-ignored'],
    ['fault=limit-ignored, code=503', `/api/v1/agents/${agentId}/results`, 'code=503'],
    ['fault=none', undefined, undefined],
    ['fault=EMPTY_RESPONSE, rate=9', '/nothing', 'fault=EMPTY_RESPONSE'],
  ])('%s at %s: %s', (prefer, target, expected) => expect(applied(prefer, target)).toBe(expected));

  test('nothing is applied to the refusal of too many requests', () => {
    mock.setSettings({ rateLimit: { requests: 1, seconds: 100 } });
    call('/api/v1/agents/x');
    const prefer = 'code=503, delay=2, fault=limit-ignored';
    const { status, headers } = call('/api/v1/agents/x', { headers: { prefer } });
    expect([status, headers['preference-applied']]).toEqual([429, 'delay=2']);
  });
});
