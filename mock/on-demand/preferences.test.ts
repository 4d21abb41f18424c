import { testMock } from '../testing/test-client.ts';
import { readPreferences } from './preferences.ts';
import rows from '../testing/preferences.json';

test.each(rows.read as [string, object][])('%s', (header, wanted) => {
  expect(readPreferences(header, [])).toEqual({ wanted, refused: [] });
});

test.each(rows.refused as [string, string][])('%s is refused', (header, message) => {
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

  test.each(rows.mistyped as [string, string][])('%s', (prefer, said) => expect(saidOf({ prefer })).toContain(said));

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
