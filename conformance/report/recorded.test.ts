import type { Excerpt } from '../http/exchange.ts';
import { recorderWithout } from './recorded.ts';
import type { Secret } from './redact.ts';
import cases from '../testing/recorded-headers.json';

const secrets: readonly Secret[] = [
  { value: 'token-1-of-the-user' },
  { value: 'token-2-of-a-guest', placeholder: '$GUEST_TOKEN' },
];

const record = recorderWithout(secrets);

const exchange = (request: Partial<Excerpt['request']>, rest: Partial<Excerpt> = {}): Excerpt => ({
  request: { method: 'GET', url: 'http://x/api/v1/agents/a', headers: {}, ...request },
  durationMs: 1.2345,
  ...rest,
});

test('an exchange without an answer has no answer in the record', () => {
  expect(record(exchange({}, { failure: 'It was closed.' }))).toEqual({
    curl: expect.stringContaining('http://x/api/v1/agents/a') as string,
    method: 'GET',
    url: 'http://x/api/v1/agents/a',
    requestHeaders: {},
    durationMs: 1.2,
    failure: 'It was closed.',
  });
});

test('the record of an answer has its status, headers and body', () => {
  const answer = { status: 200, headers: { a: 'b' }, body: 'token-1-of-the-user' };
  expect(record(exchange({}, answer))).toMatchObject(answer);
});

test('the record limits the size of a body and of headers, and marks a cut', () => {
  const ofBody = (length: number): string | undefined =>
    record(exchange({ method: 'POST', body: 'x'.repeat(length) })).requestBody;
  expect(ofBody(100_000)).toBe('x'.repeat(100_000));
  expect(ofBody(100_001)).toBe(`${'x'.repeat(100_000)}…`);
  const many = Array.from({ length: 51 }, (_, index) => [`header-${index}`, ''] as const);
  const ofHeaders = (...headers: readonly (readonly [string, string])[]): readonly [string, string][] =>
    Object.entries(record(exchange({}, { headers: Object.fromEntries(headers) })).headers ?? {});
  expect(ofHeaders(...many)).toEqual(many.slice(0, 50));
  expect(ofHeaders(['n'.repeat(100), 'v'.repeat(500)])).toEqual([['n'.repeat(100), 'v'.repeat(500)]]);
  expect(ofHeaders(['n'.repeat(101), 'v'.repeat(501)])).toEqual([[`${'n'.repeat(100)}…`, `${'v'.repeat(500)}…`]]);
});

test.each(cases.credentials as [string, string, string][])(
  'with %s as a secret the record shows none of it',
  (_what, authorization, shown) => {
    const headers = { accept: 'application/json', 'x-one': 'token-1-of-the-user', authorization };
    const { requestHeaders, curl } = record(exchange({ headers }));
    expect(requestHeaders).toEqual({ accept: 'application/json', 'x-one': '$TOKEN', authorization: shown });
    expect(curl).not.toMatch(/of-the-user(?!-x)|of-a-guest/);
  },
);

test.each(cases.variables as [string, string, string][])(
  'a credential named in %s as %j becomes a shell variable',
  (name, value, words) => {
    expect(recorderWithout([])(exchange({ headers: { [name]: value } })).curl).toContain(words);
  },
);

test.each(cases.inReports as [string, string, string, boolean][])(
  'the header %s: %s, with %s as a secret, stays as it is in the record: %s',
  (name, value, secret, isShown) => {
    const { requestHeaders } = recorderWithout([{ value: secret }])(exchange({ headers: { [name]: value } }));
    expect(requestHeaders?.[name] === value).toBe(isShown);
  },
);

test.each(cases.urls as [string, string, string][])(
  'the URL keeps what it may if %s is a secret',
  (_what, url, shown) => {
    expect(record(exchange({ url: `http://${url}` })).url).toBe(`http://${shown}`);
  },
);

test('in a body only the workspace is not ours', () => {
  const bodyOf = (body: string): string | undefined => record(exchange({ method: 'POST', body })).requestBody;
  expect(bodyOf('{"workspaceId":"token-1-of-the-user","a":1}')).toBe('{"workspaceId":"$TOKEN","a":1}');
  for (const same of ['{"workspaceId": "w"}', '{"a": "b"}', 'no JSON', '["token"]']) expect(bodyOf(same)).toBe(same);
});
