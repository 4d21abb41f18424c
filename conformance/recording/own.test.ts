import type { HttpExchange } from '../../http/exchange.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { createOwn, readRun } from './own.ts';
import { ownOf } from './write-har.ts';

test.each<[string, unknown, unknown]>([
  ['its target and time', { target: { agentId: 'a' }, now: 7 }, { target: { agentId: 'a' }, now: 7 }],
  ['no time', { target: {} }, { target: {}, now: undefined }],
  ['a time of another type', { target: {}, now: '7' }, { target: {}, now: undefined }],
  [
    'only texts for the target',
    { target: { agentId: 'a', workspaceId: 5, publishedAgentId: null, v5AgentId: ['a'] } },
    { target: { agentId: 'a' }, now: undefined },
  ],
  ['no target', { now: 7 }, undefined],
  ['an invalid target', { target: 'a', now: 7 }, undefined],
  ['nothing', undefined, undefined],
])('a recording that says %s', (_, member, expected) => {
  expect(readRun(member)).toEqual(expected);
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

test.each<[string | undefined, unknown]>([
  [undefined, undefined],
  ['no JSON', undefined],
  ['[1]', [1]],
])('the body %j was sent as %j', (body, json) => {
  expect(readOwn({ request: { ...sent.request, body } }, own)?.sent).toEqual(json);
});

test.each([{ twin: '7' }, { differs: 7 }, { open: 'yes' }, { agentId: 7 }])(
  'a value of another type, as in %j, is ignored',
  (more) => {
    const read = readOwn({}, { ...own, ...more });
    expect(read).toMatchObject({ open: false, agentId: undefined, twin: undefined, differs: undefined });
  },
);

test('no duration is negative, even if a clock went back', () => {
  expect(readOwn({ answeredAt: 900 }, own)?.excerpt.durationMs).toBe(0);
});
