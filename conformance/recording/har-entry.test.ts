import type { ForeignExchange } from '../foreign/foreign-exchange.ts';
import { readEntry } from './har-entry.ts';

type Part = Readonly<Record<string, unknown>>;

const at = '2026-05-20T12:00:00.000Z';
const noon = Date.parse(at);

/** An entry with some members replaced; `undefined` removes one. */
const entry = (change: Part = {}, request: Part = {}, response: Part = {}): unknown => ({
  startedDateTime: at,
  time: 20,
  request: { method: 'GET', url: 'http://x.test/a', headers: [], ...request },
  response: { status: 200, headers: [], content: { size: 2, text: '{}' }, ...response },
  ...change,
});

function exchangeIn(of: unknown): ForeignExchange {
  const read = readEntry(of);
  if (typeof read === 'string') throw new Error(read);
  return read.exchange;
}

test('reads an entry unchanged', () => {
  expect(readEntry(entry({ _agentContract: { n: 2 } }, { method: 'post', postData: { text: '{"a":1}' } }))).toEqual({
    exchange: {
      request: { method: 'POST', url: 'http://x.test/a', headers: {}, body: '{"a":1}' },
      answer: { status: 200, headers: {}, body: Buffer.from('{}') },
      sentAt: noon,
      answeredAt: noon + 20.001,
      leftOut: undefined,
      hasAllHeaders: false,
      isRetold: false,
    },
    own: { n: 2 },
    hasEnd: true,
  });
});

test.each<[string, unknown, string]>([
  ['that is not an object', 'text', 'no-answer'],
  ['without a request', entry({ request: undefined }), 'no-answer'],
  ['without a method', entry({}, { method: 7 }), 'no-answer'],
  ['without a URL', entry({}, { url: undefined }), 'no-answer'],
  ['without a response', entry({ response: null }), 'no-answer'],
  ['without a time', entry({ startedDateTime: undefined }), 'no-time'],
  ['with an invalid time', entry({ startedDateTime: 'yesterday' }), 'no-time'],
  ['with a time of another type', entry({ startedDateTime: noon }), 'no-time'],
  ['from the beginning of time', entry({ startedDateTime: '1970-01-01T00:00:00Z' }), 'no-time'],
])('leaves out an entry %s', (_, given, reason) => {
  expect(readEntry(given)).toBe(reason);
});

test.each<[unknown, number | undefined]>([
  [204, 204],
  [0, undefined],
  ['200', undefined],
  [null, undefined],
  [undefined, undefined],
])('the status %j is %d', (status, expected) => {
  expect(exchangeIn(entry({}, {}, { status })).answer?.status).toBe(expected);
});

test.each<[unknown, boolean, number]>([
  [0, true, 0],
  [20, true, 20],
  [86_399_999, true, 86_399_999],
  [86_400_000, false, 0],
  [-1, false, 0],
  ['20', false, 0],
  [undefined, false, 0],
])('a time of %j has an end: %s', (time, hasEnd, lasts) => {
  const read = readEntry(entry({ time }));
  expect(read).toMatchObject({ hasEnd, exchange: { answeredAt: noon + lasts + 0.001 } });
});

test.each<[string, unknown, Readonly<Record<string, string>>]>([
  ['in lower case', [{ name: 'Content-Type', value: 'a' }], { 'content-type': 'a' }],
  [
    'joined, if a name appears twice',
    ['Vary', 'vary'].map((name, value) => ({ name, value: `${value}` })),
    { vary: '0, 1' },
  ],
  ['without the pseudo-headers of HTTP/2', [{ name: ':status', value: '200' }], {}],
  ['without those that lack a name or a value', [{ name: 'a' }, { value: 'b' }, { name: 1, value: 2 }, null], {}],
  ['empty, if they are not a list', { name: 'a', value: 'b' }, {}],
  ['empty, if they are absent', undefined, {}],
])('headers are %s', (_, headers, expected) => {
  const { request, answer } = exchangeIn(entry({}, { headers }, { headers }));
  expect([request.headers, answer?.headers]).toEqual([expected, expected]);
});

test('reads at most 200 headers', () => {
  const headers = Array.from({ length: 201 }, (_, i) => ({ name: `h${i}`, value: '' }));
  expect(Object.keys(exchangeIn(entry({}, { headers })).request.headers).length).toBe(200);
});

test.each<[string, unknown, string | undefined]>([
  ['text', { size: 2, text: 'é' }, 'é'],
  ['base64', { size: 2, text: Buffer.from('é').toString('base64'), encoding: 'base64' }, 'é'],
  ['of another encoding', { size: 2, text: 'é', encoding: 'utf8' }, 'é'],
  ['that is empty', { size: 0 }, ''],
  ['that was not recorded', { size: 7 }, undefined],
  ['of unknown size', {}, undefined],
  ['that is absent', undefined, undefined],
])('a body %s', (_, content, expected) => {
  const body = exchangeIn(entry({}, {}, { content })).answer?.body;
  expect(body && Buffer.from(body).toString()).toBe(expected);
});

const cut: Part = { content: { size: 2, text: '{}' }, headers: [{ name: 'Content-Length', value: '7523' }] };
test.each<[string, Part, boolean]>([
  ['of its size', { content: { size: 2, text: '{}' } }, false],
  ['of no bytes', { content: { size: 0 } }, false],
  ['that is shorter than its size', { content: { size: 3, text: '{}' } }, true],
  ['that is longer than its size', { content: { size: 1, text: '{}' } }, true],
  ['of no size', { content: { text: '{}' } }, true],
  ['that is shorter than its content-length', cut, true],
  ['of an unknown size', { content: { size: -1, text: '{}' } }, true],
  ['of a size that is not a number', { content: { size: '2', text: '{}' } }, true],
  ['with a comment', { content: { size: 2, text: '{}', comment: 'cut' } }, true],
  ['that is encoded', { headers: [{ name: 'Content-Encoding', value: 'gzip' }] }, true],
])('a body %s may differ from what was sent: %s', (_, response, expected) => {
  expect(exchangeIn(entry({}, {}, response)).isRetold).toBe(expected);
});

const marks = ['_fromCache', '_fromDiskCache', '_fromMemoryCache', '_servedFromCache', '_wasFulfilled', '_wasAborted'];
const ofResponse = ['_fetchedViaServiceWorker', '_fromCache', '_servedFromCache'];
const own = (name: string, value: unknown): [Part, Part] => [{ [name]: value }, {}];

test.each<[Part, Part, boolean]>([
  [{}, {}, false],
  ...marks.map((name): [Part, Part, boolean] => [...own(name, true), true]),
  ...ofResponse.map((name): [Part, Part, boolean] => [{}, { [name]: true }, true]),
  ...[true, 'memory', 'true'].map((value): [Part, Part, boolean] => [...own('_fromCache', value), true]),
  ...[false, 'false', '', 1, null].map((value): [Part, Part, boolean] => [...own('_fromCache', value), false]),
  [...own('_fetchType', 'Memory Cache'), true],
  [...own('_fetchType', 'Network Load'), false],
  [{}, { _fetchType: 'Disk Cache' }, true],
])('%j, and %j of its response, say that no server answered: %s', (change, response, expected) => {
  expect(exchangeIn(entry(change, {}, response)).leftOut).toBe(expected ? 'not-the-server' : undefined);
});
