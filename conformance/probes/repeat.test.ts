import type { EndpointId } from '../../spec/index.ts';
import type { RecordedExchange, Report } from '../report/report.ts';
import type { CallParameters } from './api/request.ts';
import type { Run } from './probe.ts';
import { repeating } from './repeat.ts';

const base = 'http://a.test/base';
const bearer = { accept: 'application/json', authorization: 'Bearer $TOKEN', 'x-form': 'odd' };
const secrets = [
  { value: 'tok', placeholder: '$TOKEN' },
  { value: 'toK', placeholder: '$TOKEN in the other case' },
];
const exchange = (method: string, path: string, more: Partial<RecordedExchange> = {}): RecordedExchange => ({
  curl: '',
  method,
  url: base + path,
  requestHeaders: bearer,
  ...more,
});
const creation = exchange('POST', '/api/v1/agents', {
  requestBody: '{"workspaceId":"w-old","agent":{"name":"agent-contract check abcdefg created","publicId":"p-abcdefg"}}',
  body: '{"agent":{"version":"6","id":"old","groups":[{"id":"cut o',
});

interface Options {
  readonly tokens?: typeof secrets;
  readonly failsAt?: number;
  readonly created?: Report['created'];
}

async function repeat(
  exchanges: readonly RecordedExchange[],
  { tokens = secrets, failsAt = -1, created = [] }: Options = {},
) {
  const calls: [EndpointId, CallParameters][] = [];
  const call = (endpoint: EndpointId, parameters: CallParameters = {}) => {
    if (calls.length === failsAt) return Promise.reject(new Error('No answer.'));
    calls.push([endpoint, parameters]);
    const json = endpoint === 'list-results' ? { nextCursor: `c${calls.length}` } : { agent: { id: 'new' } };
    return Promise.resolve({ answer: { json } });
  };
  const ids = new Map([['w-old', 'w-new']]);
  const recorded = { target: { baseUrl: `${base}/` }, created };
  const { probe, repetition } = repeating(exchanges, { recorded, ids, secrets: tokens });
  const error = await probe.send({ call, tag: 'hijklmn' } as unknown as Run).catch(String);
  return { calls, repetition, error };
}

test('a creation is sent with new identifiers and the mark of this run, and what follows uses its new id', async () => {
  const { calls, repetition } = await repeat([creation, exchange('GET', '/api/v1/agents/old')]);
  expect(calls).toMatchObject([
    [
      'create-agent',
      {
        authorization: 'Bearer tok',
        headers: { accept: 'application/json', 'x-form': 'odd' },
        body: '{"workspaceId":"w-new","agent":{"name":"agent-contract check hijklmn created","publicId":"p-hijklmn"}}',
      },
    ],
    ['get-agent', { agentId: 'new' }],
  ]);
  expect(repetition).toEqual({ answered: 2, of: 2 });
});

test('a walk uses the cursors of the present answers, and reads are repeated three times', async () => {
  const path = '/api/v1/agents/a%20b/results';
  const { calls } = await repeat([exchange('GET', `${path}?limit=2`), exchange('GET', `${path}?cursor=old&limit=2`)]);
  expect(calls).toHaveLength(6);
  expect(calls.slice(0, 2)).toMatchObject([
    ['list-results', { agentId: 'a b', query: [['limit', '2']] }],
    [
      'list-results',
      {
        agentId: 'a b',
        query: [
          ['cursor', 'c1'],
          ['limit', '2'],
        ],
        differs: 'as in the report',
      },
    ],
  ]);
});

test.each([
  ['no credential', {}, null],
  ['a similar token', { authorization: 'Bearer $TOKEN in the other case' }, 'Bearer toK'],
  ['a numbered one of a recording', { authorization: 'Bearer $TOKEN_3' }, 'Bearer tok'],
  ['an invented one', { authorization: 'Bearer agent-contract-unknown-1' }, 'Bearer agent-contract-unknown-1'],
])('a request with %s is sent so', async (_, requestHeaders, authorization) => {
  const { calls } = await repeat([exchange('GET', '/api/v1/agents/x', { requestHeaders })]);
  expect(calls[0]?.[1].authorization).toBe(authorization);
});

test.each<[string, RecordedExchange[], Options, object]>([
  ['no token', [creation], { tokens: [] }, { answered: 0, of: 1, why: 'This needs the token of the recorded run.' }],
  ['gets no answer', [creation, creation], { failsAt: 1 }, { answered: 1, of: 2, why: 'No answer.' }],
  [
    'has an unknown path',
    [exchange('GET', '/other')],
    {},
    { answered: 0, of: 1, why: `GET ${base}/other is no request to a documented path` },
  ],
])('what %s is not repeated, and says why', async (_, exchanges, options, expected) => {
  expect((await repeat(exchanges, options)).repetition).toEqual(expected);
});

test('an id that was cut off is found by the name of what was created', async () => {
  const cut = { ...creation, body: '{"agent":{"groups":[' };
  const created = [{ kind: 'agent', id: 'old', name: 'agent-contract check abcdefg created' }] as const;
  const { calls } = await repeat([cut, exchange('GET', '/api/v1/agents/old')], { created });
  expect(calls.map(([, { agentId }]) => agentId)).toEqual([undefined, 'new']);
});
