import type { HttpExchange } from '../../http/exchange.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import cases from '../testing/har-entries.json';
import { createOwn, readRecordedRun } from './own.ts';
import { ownOf } from './write-har.ts';

test.each(cases.runs as [string, unknown, object | null][])('a recording that says %s', (_, member, expected) => {
  expect(readRecordedRun(member)).toEqual(expected ?? undefined);
});

const sent: HttpExchange = {
  request: {
    method: 'POST',
    url: 'http://x.test/api/v1/agents?a=1&a=2',
    headers: { accept: 'application/json' },
    body: '{"name":"A"}',
  },
  answer: { status: 200, headers: { date: 'today' }, body: Buffer.from('{"agent":{"id":"a"}}') },
  sentAt: 1000,
  answeredAt: 1020.401,
};
const readOwn = (changes: Partial<HttpExchange>, mark: unknown): Exchange | undefined =>
  createOwn()({ ...sent, ...changes }, mark);
const own = { n: 2, begun: 1, caller: 'valid', endpoint: 'create-agent' };

test('an exchange of our own comes back with everything that the run knew about it', () => {
  const known = { ...own, agentId: 'a', open: true, twin: 7, differs: 'in a thing' };
  expect(readOwn({}, known)).toMatchObject({
    ...known,
    sentAt: 1000,
    answeredAt: 1020,
    method: 'POST',
    query: ['1', '2'].map((value) => ['a', value]),
    sent: { name: 'A' },
    answer: { status: 200, accepted: true, json: { agent: { id: 'a' } }, text: '{"agent":{"id":"a"}}' },
    excerpt: { request: sent.request, status: 200, headers: { date: 'today' }, body: '{"agent":{"id":"a"}}' },
  });
});

test.each<[string, object]>([
  ['everything', { agentId: 'a', open: true, twin: 7, differs: 'in a thing' }],
  ['only the required fields', {}],
])('an exchange with %s is read back as it was written', (_, more) => {
  const exchange = { ...sampleExchange({ n: 2, endpoint: 'create-agent' }), ...more };
  const read = readOwn({}, ownOf(exchange));
  expect(read && ownOf(read)).toEqual(ownOf(exchange));
});

test.each<[string, unknown, Partial<HttpExchange>]>([
  ['nothing', undefined, {}],
  ['an invalid number', { ...own, n: '2' }, {}],
  ['a number with a fraction', { ...own, begun: 1.5 }, {}],
  ['no caller', { ...own, caller: undefined }, {}],
  ['an unknown caller', { ...own, caller: 'admin' }, {}],
  ['no endpoint', { ...own, endpoint: undefined }, {}],
  ['an unknown endpoint', { ...own, endpoint: 'delete-agent' }, {}],
  ['no URL', own, { request: { ...sent.request, url: 'nowhere' } }],
])('an entry with %s is not our own', (_, mark, change) => {
  expect(readOwn(change, mark)).toBeUndefined();
});

test.each<[string, HttpExchange['answer']]>([
  ['it', undefined],
  ['a body', { status: 200, headers: {}, body: undefined }],
])('without %s there was no answer', (_, answer) => {
  const read = readOwn({ answer }, own);
  expect(read).not.toHaveProperty('answer');
  expect(read?.excerpt).toMatchObject({ failure: 'no answer was recorded' });
  expect(read?.excerpt).not.toHaveProperty('status');
});

test('a body was sent as JSON, or as nothing that can be read', () => {
  const sentAs = (body?: string): unknown => readOwn({ request: { ...sent.request, body } }, own)?.sent;
  expect([sentAs(), sentAs('no JSON'), sentAs('[1]')]).toEqual([undefined, undefined, [1]]);
});

test('values of other types are ignored', () => {
  const read = readOwn({}, { ...own, twin: '7', differs: 7, open: 'yes', agentId: 7 });
  expect(read).toMatchObject({ open: false, agentId: undefined, twin: undefined, differs: undefined });
});

test('no duration is negative, even if a clock went back', () => {
  expect(readOwn({ answeredAt: 900 }, own)?.excerpt.durationMs).toBe(0);
});
