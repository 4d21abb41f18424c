import type { Secret } from '../report/redact.ts';
import { readEntry } from './har-entry.ts';
import { exchangeFrom, type FlatExchange } from '../testing/flat-exchange.ts';
import { createPersonal } from './personal.ts';
import { createHarWriter, type Recorded, type RecordedRun } from './write-har.ts';

const row: FlatExchange = {
  method: 'GET',
  url: 'http://x.test/a?b=1',
  requestHeaders: {},
  requestBody: undefined,
  status: 200,
  headers: {},
  body: Buffer.from('{}'),
  sentAt: Date.UTC(2026, 4, 20, 12),
  answeredAt: Date.UTC(2026, 4, 20, 12) + 20,
};

interface Har {
  readonly log: { readonly [name: string]: unknown; readonly entries: readonly Entry[] };
}
interface Entry {
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

type Change = Partial<FlatExchange> & Pick<Recorded, 'own'>;

function written(all: readonly Change[], secrets: readonly Secret[] = [], run?: RecordedRun): Har['log'] {
  const pieces: string[] = [];
  const writer = createHarWriter((text) => void pieces.push(text), secrets, { run });
  for (const { own, ...one } of all) writer.add({ ...exchangeFrom({ ...row, ...one }), own });
  writer.end();
  return (JSON.parse(pieces.join('')) as Har).log;
}

const entryOf = (change: Change, secrets: readonly Secret[] = []): Entry =>
  written([change], secrets).entries[0] ?? { request: {}, response: {} };

test.each([0, 1, 3])('a file of %d entries is JSON', (count) => {
  const { entries, version } = written(Array.from({ length: count }, () => ({})));
  expect([entries.length, version]).toEqual([count, '1.2']);
});

test('the head names the run, if there is one', () => {
  expect(written([], [], { target: { agentId: 'a' }, now: 7 })['_agentContract']).toEqual({
    target: { agentId: 'a' },
    now: 7,
  });
  expect(written([])).not.toHaveProperty('_agentContract');
});

test.each<[string, Partial<FlatExchange>]>([
  ['of a list', {}],
  ['with a body', { method: 'POST', requestBody: '{"name":"é"}', requestHeaders: { 'content-type': 'text/plain' } }],
  ['with headers', { headers: { 'content-type': 'application/json', date: 'today' } }],
  ['without an answer', { status: 0, body: undefined }],
  ['without its body', { body: undefined }],
  ['with an empty body', { body: Buffer.from('') }],
  ['with text', { body: Buffer.from('é "quoted"') }],
  ['with bytes that are not text', { body: Buffer.from([0xff, 0x00, 0x7b]) }],
  ['with a byte order mark', { body: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]) }],
])('an exchange %s is read back as it was written', (_, change) => {
  const { request, answer, sentAt } = exchangeFrom({ ...row, ...change });
  const read = readEntry(entryOf(change));
  if (typeof read === 'string') throw new Error(read);
  expect(read.exchange).toMatchObject({ request, sentAt, isRetold: answer?.body === undefined });
  expect(read.exchange.answer).toEqual(answer && { ...answer, body: answer.body && Buffer.from(answer.body) });
});

const named = (headers: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries((headers as readonly { name: string; value: string }[]).map(({ name, value }) => [name, value]));

test.each<[string, string, string | undefined]>([
  ['accept', 'text/plain', 'text/plain'],
  ['authorization', 'Bearer hush', 'Bearer $TOKEN'],
  ['authorization', 'Bearer unknown-to-us', 'Bearer $TOKEN_OTHER'],
  ['authorization', 'unknown-to-us', '$TOKEN_OTHER'],
  ['authorization', 'Bearer null', 'Bearer null'],
  ['authorization', 'Bearer\tagent-contract-unknown-1', 'Bearer\tagent-contract-unknown-1'],
  ['authorization', 'Bearer agent-contract-unknown-1', 'Bearer agent-contract-unknown-1'],
  ['authorization', 'Bearer', 'Bearer'],
  ['authorization', '', ''],
  ['cookie', 'a=b', '$TOKEN_OTHER'],
  ['x-api-key', 'unknown-to-us', '$X_API_KEY'],
  ['x-mock-session', 'one', 'one'],
  ['idempotency-key', 'k', 'k'],
  ['set-cookie', 'a=b', undefined],
  ['content-encoding', 'gzip', undefined],
  ['content-length', '2', undefined],
  ['x-echo', 'it was hush', 'it was $TOKEN'],
])('the header %s: %s is written as %s', (name, value, expected) => {
  const secrets = [{ value: 'hush', placeholder: '$TOKEN' }];
  const headers = { [name]: value };
  const { request, response } = entryOf({ requestHeaders: headers, headers }, secrets);
  expect([named(request['headers'])[name], named(response['headers'])[name]]).toEqual([expected, expected]);
});

test.each<[string, Partial<FlatExchange>]>([
  ['a URL', { url: 'http://x.test/hush-hush-123?c=hush-hush-123' }],
  ['a body that is sent', { requestBody: '{"a":"hush-hush-123"}' }],
  ['an answer', { body: Buffer.from('{"a":"hush-hush-123"}') }],
  ['a redirect', { headers: { location: 'http://x.test/hush-hush-123' } }],
])('writes no secret in %s', (_, change) => {
  const text = JSON.stringify(entryOf(change, [{ value: 'hush-hush-123', placeholder: '$TOKEN' }]));
  expect(text).toContain('$TOKEN');
  expect(text).not.toContain('hush');
});

const token = 'real-token-4711+/=';
test.each<[string, Change]>([
  ['the type of an answer', { headers: { 'content-type': `text/${token}` } }],
  ['the type of a request', { requestHeaders: { 'content-type': token }, requestBody: '{}' }],
  ['a body with a byte order mark', { body: Buffer.from(`\ufeff{"a":"${token}"}`) }],
  ['a body that is no text', { body: Buffer.concat([Buffer.from([0xff]), Buffer.from(token)]) }],
  ['a body in Base64', { body: Buffer.from(JSON.stringify(Buffer.from(`x${token}`).toString('base64'))) }],
  ['a body in hexadecimal', { body: Buffer.from(JSON.stringify(Buffer.from(token).toString('hex'))) }],
  ['the name of a header', { headers: { [`x-key-${token}`]: 'a' } }],
  ['the value of a header', { headers: { 'x-other': `=${encodeURIComponent(token)}` } }],
  ['a parameter', { url: `http://x.test/a?${encodeURIComponent(token)}=${encodeURIComponent(token)}` }],
  ['a redirect', { headers: { location: `/a?b=${encodeURIComponent(token)}` } }],
  ['what our own run knew', { own: { agentId: token } }],
])('shows a token nowhere that a server repeats it: %s', (_, change) => {
  const text = JSON.stringify(entryOf(change, [{ value: token, placeholder: '$TOKEN' }]));
  const plain = token.replaceAll(/\W/g, '');
  expect(decodeURIComponent(text.replaceAll('%', '%25')).replaceAll(/\W/g, '').toLowerCase()).not.toContain(plain);
  expect(text).not.toContain(Buffer.from(`x${token}`).toString('base64').slice(2, 18));
  expect(text).not.toContain(Buffer.from(token).toString('hex'));
});

test('parameters that hold secrets have placeholders, wherever they come from', () => {
  const { request, response } = entryOf({
    url: 'http://x.test/a?access_token=abc&limit=5&sig=def',
    headers: { location: '/b?api_key=ghi#x' },
  });
  expect(request['url']).toBe('http://x.test/a?access_token=$ACCESS_TOKEN&limit=5&sig=$SIG');
  expect(request['queryString']).toContainEqual({ name: 'access_token', value: '$ACCESS_TOKEN' });
  expect(response['redirectURL']).toBe('/b?api_key=$API_KEY#x');
});

test('personal data have other values, equal where they were equal, and types, identifiers and instants stay', () => {
  const personal = createPersonal();
  const json =
    '{"results":[{"id":"r1","createdAt":"2026-05-20","metadata":{"ip":"203.0.113.7","bot":false,"url":""},' +
    '"variables":[{"value":"Jane"}],"answers":[{"content":"Jane","attachedFileUrls":["https://x.test/jane"]}]}],' +
    '"nextCursor":"c"}';
  const hidden = personal.body('http://x.test/agents/a/results?limit=1', json);
  expect(hidden).not.toMatch(/Jane|jane|203/);
  const text = expect.stringMatching(/^hidden-/) as string;
  const [value, content] = ['value', 'content'].map((name) => new RegExp(`"${name}":"([^"]*)`).exec(hidden)?.[1]);
  expect(JSON.parse(hidden)).toEqual({
    results: [
      {
        id: 'r1',
        createdAt: '2026-05-20',
        metadata: { ip: text, bot: false, url: '' },
        variables: [{ value: text }],
        answers: [{ content: text, attachedFileUrls: [text] }],
      },
    ],
    nextCursor: 'c',
  });
  expect(content).toBe(value);
  expect(createPersonal().body('http://x.test/agents/a/results', json)).not.toBe(hidden);
  expect(personal.body('http://x.test/agents/a', json)).toBe(json);
  expect(['x-forwarded-for', 'CF-Connecting-IP', 'accept'].map((name) => personal.header(name, 'jane'))).toEqual([
    text,
    text,
    'jane',
  ]);
});

test('an identifier that begins like a token stays as it is', () => {
  const { request } = entryOf({ url: 'http://x.test/agents/real-1' }, [{ value: 'real-token', placeholder: '$TOKEN' }]);
  expect(request['url']).toBe('http://x.test/agents/real-1');
});

test.each<[string, string, string]>([
  ['a number', '{"a":12345678,"b":"12345678"}', '{"a":12345678,"b":"$TOKEN"}'],
  ['a text', '{"a":"12345678"}', '{"a":"$TOKEN"}'],
])('a body stays JSON if %s is the secret', (_, body, expected) => {
  const { response } = entryOf({ body: Buffer.from(body) }, [{ value: '12345678', placeholder: '$TOKEN' }]);
  expect(response['content']).toMatchObject({ text: expected, size: expected.length });
});

test('a secret that is learned while the file is written appears in no later entry', () => {
  const secrets: Secret[] = [];
  const pieces: string[] = [];
  const writer = createHarWriter((text) => void pieces.push(text), secrets);
  writer.add(exchangeFrom(row));
  secrets.push({ value: 'hush-hush-123', placeholder: '$TOKEN' });
  writer.add(exchangeFrom({ ...row, url: 'http://x.test/hush-hush-123' }));
  expect(pieces.join('')).not.toContain('hush');
});
