import type { Excerpt } from '../http/exchange.ts';
import { recorderWithout } from './recorded.ts';
import type { Secret } from './redact.ts';

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

test.each([
  ['a token', 'Bearer token-1-of-the-user', 'Bearer $TOKEN'],
  ['another', 'Bearer token-2-of-a-guest', 'Bearer $GUEST_TOKEN'],
  ['a token without a scheme', 'token-1-of-the-user', '$TOKEN'],
  ['a value derived from a token', 'Bearer token-1-of-the-user-x', 'Bearer $TOKEN-x'],
  ['a credential of the run', 'Bearer agent-contract-unknown-1', 'Bearer agent-contract-unknown-1'],
  ['an empty credential', 'Bearer ', 'Bearer '],
])('with %s as a secret the record shows none of it', (_what, authorization, shown) => {
  const headers = { accept: 'application/json', 'x-one': 'token-1-of-the-user', authorization };
  const { requestHeaders, curl } = record(exchange({ headers }));
  expect(requestHeaders).toEqual({ accept: 'application/json', 'x-one': '$TOKEN', authorization: shown });
  expect(curl).not.toMatch(/of-the-user(?!-x)|of-a-guest/);
});

test.each([
  ['authorization', 'Bearer $TOKEN', '-H "authorization: Bearer $TOKEN"'],
  ['authorization', '$TOKEN_12', '-H "authorization: $TOKEN_12"'],
  ['cookie', '$COOKIE_2', '-H "cookie: $COOKIE_2"'],
  ['x-price', 'a $TOKEN b', `-H 'x-price: a $TOKEN b'`],
  ['x-price', '$HOME', `-H 'x-price: $HOME'`],
])('a credential named in %s as %j becomes a shell variable', (name, value, words) => {
  expect(recorderWithout([])(exchange({ headers: { [name]: value } })).curl).toContain(words);
});

test.each<[string, string, string, boolean]>([
  ['accept', 'application/json', 'json', true],
  ['accept', 'text/plain', 'text', false],
  ['content-type', 'application/json', 'json', true],
  ['content-type', 'text/plain', 'text', true],
  ['content-type', 'text/html', 'text', false],
  ['x-one', 'application/json', 'json', false],
  ['authorization', 'Bearer null', 'null', true],
  ['authorization', 'Bearer undefined', 'undefined', true],
  ['authorization', 'Bearer json', 'json', false],
])('the header %s: %s, with %s as a secret, stays as it is in the record: %s', (name, value, secret, isShown) => {
  const { requestHeaders } = recorderWithout([{ value: secret }])(exchange({ headers: { [name]: value } }));
  expect(requestHeaders?.[name] === value).toBe(isShown);
});

test.each([
  ['the id of an agent', 'x/api/v1/agents/token-1-of-the-user/results', 'x/api/v1/agents/$TOKEN/results'],
  ['a cursor', 'x/api/v1/agents/a/results?cursor=token-1-of-the-user', 'x/api/v1/agents/a/results?cursor=$TOKEN'],
  ['a base path', 'x/token-1-of-the-user/api/v1/agents', 'x/$TOKEN/api/v1/agents'],
  ['another path', 'x/token-1-of-the-user', 'x/$TOKEN'],
  ['a host', 'token-1-of-the-user/api/v1/agents/import', 'token-1-of-the-user/api/v1/agents/import'],
])('the URL keeps what it may if %s is a secret', (_what, url, shown) => {
  expect(record(exchange({ url: `http://${url}` })).url).toBe(`http://${shown}`);
});

test('in a body only the workspace is not ours', () => {
  const bodyOf = (body: string): string | undefined => record(exchange({ method: 'POST', body })).requestBody;
  expect(bodyOf('{"workspaceId":"token-1-of-the-user","a":1}')).toBe('{"workspaceId":"$TOKEN","a":1}');
  for (const same of ['{"workspaceId": "w"}', '{"a": "b"}', 'no JSON', '["token"]']) expect(bodyOf(same)).toBe(same);
});
