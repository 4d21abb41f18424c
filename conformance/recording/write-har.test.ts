import type { Secret } from '../report/redact.ts';
import { readEntry } from './har-entry.ts';
import type { HttpAnswer, HttpExchange, HttpRequest } from '../../http/exchange.ts';
import { createPersonal } from './personal.ts';
import { createHarWriter, type RecordedRun } from './write-har.ts';
import cases from '../testing/recorded-headers.json';

interface Change {
  readonly request?: Partial<HttpRequest>;
  readonly answer?: Partial<HttpAnswer> | null;
  readonly own?: { readonly agentId: string };
}
const exchangeOf = ({ request, answer }: Change): HttpExchange => ({
  request: { method: 'GET', url: 'http://x.test/a?b=1', headers: {}, body: undefined, ...request },
  answer: answer === null ? undefined : { status: 200, headers: {}, body: Buffer.from('{}'), ...answer },
  sentAt: Date.UTC(2026, 4, 20, 12),
  answeredAt: Date.UTC(2026, 4, 20, 12) + 20,
});
const answered = (body: string | Buffer): Change => ({ answer: { body: Buffer.from(body as string) } });

interface Har {
  readonly log: { readonly [name: string]: unknown; readonly entries: readonly Entry[] };
}
interface Entry {
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

function written(all: readonly Change[], secrets: readonly Secret[] = [], run?: RecordedRun): Har['log'] {
  const pieces: string[] = [];
  const writer = createHarWriter((text) => void pieces.push(text), secrets, { run });
  for (const change of all) writer.add({ ...exchangeOf(change), own: change.own });
  writer.end();
  return (JSON.parse(pieces.join('')) as Har).log;
}

const entryOf = (change: Change, secrets: readonly Secret[] = []): Entry =>
  written([change], secrets).entries[0] ?? { request: {}, response: {} };

test.each([0, 1, 3])('a file of %d entries is JSON, whose head names the run if there is one', (count) => {
  const run = { target: { agentId: 'a' }, now: 7 };
  const all = Array.from({ length: count }, () => ({}));
  const { entries, ...head } = written(all, [], run);
  expect([entries.length, head]).toMatchObject([count, { version: '1.2', _agentContract: run }]);
  expect(written(all)).not.toHaveProperty('_agentContract');
});

test.each<[string, Change]>([
  ['of a list', {}],
  ['with a body', { request: { method: 'POST', body: '{"name":"é"}', headers: { 'content-type': 'text/plain' } } }],
  ['with headers', { answer: { headers: { 'content-type': 'application/json', date: 'today' } } }],
  ['without an answer', { answer: null }],
  ['without its body', { answer: { body: undefined } }],
  ['with an empty body', answered('')],
  ['with text', answered('é "quoted"')],
  ['with bytes that are not text', answered(Buffer.from([0xff, 0x00, 0x7b]))],
  ['with a byte order mark', answered(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))],
])('an exchange %s is read back as it was written', (_, change) => {
  const { request, answer, sentAt } = exchangeOf(change);
  const read = readEntry(entryOf(change));
  if (typeof read === 'string') throw new Error(read);
  expect(read.exchange).toMatchObject({ request, sentAt, isRetold: answer?.body === undefined });
  expect(read.exchange.answer).toEqual(answer && { ...answer, body: answer.body && Buffer.from(answer.body) });
});

const named = (headers: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries((headers as readonly { name: string; value: string }[]).map(({ name, value }) => [name, value]));

test.each(cases.inRecordings as [string, string, string | null][])(
  'the header %s: %s is written as %s',
  (name, value, expected) => {
    const secrets = [{ value: 'hush', placeholder: '$TOKEN' }];
    const headers = { [name]: value };
    const { request, response } = entryOf({ request: { headers }, answer: { headers } }, secrets);
    expect([named(request['headers'])[name], named(response['headers'])[name]]).toEqual(
      Array(2).fill(expected ?? undefined),
    );
  },
);

const token = 'real-token-4711+/=';
test.each<[string, Change]>([
  ['a URL', { request: { url: `http://x.test/${encodeURIComponent(token)}` } }],
  ['a body that is sent', { request: { body: JSON.stringify({ a: token }) } }],
  ['an answer', answered(JSON.stringify({ a: token }))],
  ['the type of an answer', { answer: { headers: { 'content-type': `text/${token}` } } }],
  ['the type of a request', { request: { headers: { 'content-type': token }, body: '{}' } }],
  ['a body with a byte order mark', answered(`\ufeff{"a":"${token}"}`)],
  ['a body that is no text', answered(Buffer.concat([Buffer.from([0xff]), Buffer.from(token)]))],
  ['a body in Base64', answered(JSON.stringify(Buffer.from(`x${token}`).toString('base64')))],
  ['a body in hexadecimal', answered(JSON.stringify(Buffer.from(token).toString('hex')))],
  ['the name of a header', { answer: { headers: { [`x-key-${token}`]: 'a' } } }],
  ['the value of a header', { answer: { headers: { 'x-other': `=${encodeURIComponent(token)}` } } }],
  ['a parameter', { request: { url: `http://x.test/a?${encodeURIComponent(token)}=${encodeURIComponent(token)}` } }],
  ['a redirect', { answer: { headers: { location: `/a?b=${encodeURIComponent(token)}` } } }],
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
    request: { url: 'http://x.test/a?access_token=abc&limit=5&sig=def' },
    answer: { headers: { location: '/b?api_key=ghi#x' } },
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
  const headers = ['x-forwarded-for', 'CF-Connecting-IP', 'accept'];
  expect(headers.map((name) => personal.header(name, 'jane'))).toEqual([text, text, 'jane']);
});

test('an identifier that begins like a token stays as it is', () => {
  const url = 'http://x.test/agents/real-1';
  expect(entryOf({ request: { url } }, [{ value: 'real-token' }]).request['url']).toBe(url);
});

test('a body stays JSON if a number or a text in it is the secret', () => {
  const { response } = entryOf(answered('{"a":12345678,"b":"12345678"}'), [{ value: '12345678' }]);
  const text = '{"a":12345678,"b":"$TOKEN"}';
  expect(response['content']).toMatchObject({ text, size: text.length });
});

test('a secret that is learned while the file is written appears in no later entry', () => {
  const secrets: Secret[] = [];
  const pieces: string[] = [];
  const writer = createHarWriter((text) => void pieces.push(text), secrets);
  writer.add(exchangeOf({}));
  secrets.push({ value: 'hush-hush-123', placeholder: '$TOKEN' });
  writer.add(exchangeOf({ request: { url: 'http://x.test/hush-hush-123' } }));
  expect(pieces.join('')).not.toContain('hush');
});
