import type { ForeignExchange } from '../foreign/foreign-exchange.ts';
import cases from '../testing/har-entries.json';
import { readEntry } from './har-entry.ts';

type Part = Readonly<Record<string, unknown>>;

const at = '2026-05-20T12:00:00.000Z';
const noon = Date.parse(at);

/** An entry with some members replaced; null removes one. */
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
  expect(readEntry('no entry')).toBe('no-answer');
});

test.each(cases.leftOut as [string, Part, Part, string][])('leaves out an entry %s', (_, change, request, reason) => {
  expect(readEntry(entry(change, request))).toBe(reason);
});

test.each(cases.statuses as [unknown, number | null][])('the status %j is %d', (status, expected) => {
  expect(exchangeIn(entry({}, {}, { status })).answer?.status ?? null).toBe(expected);
});

test.each(cases.times as [unknown, boolean, number][])('a time of %j has an end: %s', (time, hasEnd, lasts) => {
  expect(readEntry(entry({ time }))).toMatchObject({ hasEnd, exchange: { answeredAt: noon + lasts + 0.001 } });
});

test.each(cases.headers as [string, unknown, object][])('headers are %s', (_, headers, expected) => {
  const { request, answer } = exchangeIn(entry({}, { headers }, { headers }));
  expect([request.headers, answer?.headers]).toEqual([expected, expected]);
});

test('reads at most 200 headers', () => {
  const headers = Array.from({ length: 201 }, (_, i) => ({ name: `h${i}`, value: '' }));
  expect(Object.keys(exchangeIn(entry({}, { headers })).request.headers).length).toBe(200);
});

test.each(cases.bodies as [string, unknown, string | null][])('a body %s', (_, content, expected) => {
  const body = exchangeIn(entry({}, {}, { content })).answer?.body;
  expect(body ? Buffer.from(body).toString() : null).toBe(expected);
});

test.each(cases.retold as [string, Part, boolean][])(
  'a body %s may differ from what was sent: %s',
  (_, response, is) => {
    expect(exchangeIn(entry({}, {}, response)).isRetold).toBe(is);
  },
);

test.each(cases.marks as [Part, Part, boolean][])(
  '%j, and %j of its response, say that no server answered: %s',
  (of, response, isElsewhere) => {
    expect(exchangeIn(entry(of, {}, response)).leftOut === 'not-the-server').toBe(isElsewhere);
  },
);
