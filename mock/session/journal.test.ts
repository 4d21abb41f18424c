import { testMock } from '../test-client.ts';
import { createJournal, createJournalBudget } from './journal.ts';
import type { Exchange } from './journal-entry.ts';
import type { RequestPattern } from './request-pattern.ts';

const exchange = (n: number, body = ''): Exchange => ({
  request: { method: 'GET', target: `/${n}`, headers: {} },
  endpoint: undefined,
  agentId: '',
  wire: { status: 404, headers: {}, body },
  at: n,
  violations: [],
  applied: [],
  plan: undefined,
});

test('keeps the latest, by number and by size', () => {
  const journal = createJournal('', { entries: 3, characters: 100 });
  for (let n = 1; n <= 10; n++) journal.record(exchange(n));
  expect(journal.entries().map(({ id }) => id)).toEqual([8, 9, 10]);
  expect([journal.count(), journal.dropped, journal.next]).toEqual([3, 7, 11]);
  journal.record(exchange(11, 'x'.repeat(90)));
  journal.record(exchange(12, 'x'.repeat(90)));
  expect(journal.entries().map(({ id }) => id)).toEqual([12]);
  expect(journal.entry(11)).toBeUndefined();
  expect(journal.entry(12)?.url).toBe('/12');
});

test('journals that share a budget lose the oldest entry of all, and what is gone counts no more', () => {
  const budget = createJournalBudget({ entries: 4, characters: 100 });
  const [one, two] = ['one', 'two'].map((id) => createJournal(id, { entries: 10, characters: 1000 }, budget));
  for (const n of [1, 2, 3]) one?.record(exchange(n));
  for (const n of [1, 2]) two?.record(exchange(n));
  expect([one?.entries().map(({ id }) => id), two?.entries().map(({ id }) => id)]).toEqual([
    [2, 3],
    [1, 2],
  ]);
  two?.record(exchange(3, 'x'.repeat(99)));
  expect([one?.entries().map(({ id }) => id), two?.count()]).toEqual([[3], 3]);
  two?.clear();
  one?.record(exchange(4, 'x'.repeat(99)));
  expect(one?.entries().map(({ id }) => id)).toEqual([3, 4]);
});

test('tells those who listen, until they do not', () => {
  const journal = createJournal('s');
  const heard: number[] = [];
  const stop = journal.subscribe(({ id }) => heard.push(id));
  journal.record(exchange(1));
  stop();
  journal.record(exchange(2));
  expect(heard).toEqual([1]);
});

test('shows request and answer, and no secret', () => {
  const { mock, call } = testMock();
  const { workspaceId, token } = mock.target;
  call(`/api/v1/agents?x=${token}`, {
    body: { workspaceId, agent: { name: token } },
    headers: { cookie: 'session=secret-cookie', 'x-api-key': 'secret-key', 'x-other': `a ${token} b` },
  });
  const [entry] = mock.journal.entries();
  expect(entry).toMatchObject({
    id: 1,
    wasMatched: true,
    endpoint: 'create-agent',
    method: 'POST',
    url: '/api/v1/agents?x=$TOKEN',
    query: { x: '$TOKEN' },
    headers: { authorization: 'Bearer $TOKEN', cookie: '$SECRET', 'x-api-key': '$SECRET', 'x-other': 'a $TOKEN b' },
    body: { agent: { name: '$TOKEN' } },
    response: { status: 201, body: { agent: { name: '$TOKEN' } } },
  });
  const everything = call('/__admin/requests').text + call('/__admin/requests/1').text;
  for (const secret of [token, 'secret-cookie', 'secret-key']) expect(everything).not.toContain(secret);
});

test('patterns', () => {
  const { mock, call } = testMock();
  const { agentId, workspaceId } = mock.target;
  call(`/api/v1/agents/${agentId}/results?limit=5&timeFilter=today`);
  call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A', tags: ['x'] } } });
  call('/api/v1/agent');
  const count = (pattern?: RequestPattern): number => mock.journal.count(pattern);
  expect(count()).toBe(3);
  expect(count({ endpoint: 'list-results' })).toBe(1);
  expect(count({ endpoint: 'list-results', agentId, queryParameters: { limit: '5' } })).toBe(1);
  expect(count({ queryParameters: { limit: '6' } })).toBe(0);
  expect(count({ queryParameters: { limit: { absent: true } } })).toBe(2);
  expect(count({ method: 'any', url: { contains: 'timeFilter=today' } })).toBe(1);
  expect(count({ urlPath: { matches: '/api/v1/agents?' } })).toBe(2);
  expect(count({ headers: { Authorization: { contains: 'Bearer' } } })).toBe(3);
  expect(count({ body: { agent: { name: 'A' } } })).toBe(1);
  expect(count({ body: { agent: { tags: [] } } })).toBe(0);
  expect(count({ status: 201 })).toBe(1);
  expect(count({ wasMatched: false })).toBe(1);
  expect(count({ after: 1 })).toBe(2);
});

test('an entry as curl and as a test stands for the same request', async () => {
  const { mock, call } = testMock();
  const { workspaceId } = mock.target;
  call('/api/v1/agents', { body: { workspaceId, agent: { name: "It's `$HOME`" } } });
  const { json } = call('/__admin/requests/1');
  expect(json.curl).toContain(`-H "authorization: Bearer $TOKEN"`);
  expect(json.curl).toContain(String.raw`It'\''s`);
  const sent: { url: string; init: { method: string; headers: Record<string, string>; body: string } }[] = [];
  // oxlint-disable-next-line typescript/no-implied-eval -- that it runs is what is tested
  const run = new Function('test', 'fetch', 'expect', 'baseUrl', 'token', json.test);
  await new Promise<void>((resolve, reject) => {
    run(
      (_name: string, body: () => Promise<void>) => void body().then(resolve, reject),
      async (url: string, init: never) => {
        sent.push({ url, init });
        return { status: 201, json: async () => json.response.body };
      },
      expect,
      'http://host',
      'my-token',
    );
  });
  expect(sent[0]).toMatchObject({
    url: 'http://host/api/v1/agents',
    init: { method: 'POST', headers: { authorization: 'Bearer my-token' } },
  });
  expect(JSON.parse(sent[0]?.init.body ?? '')).toEqual({ workspaceId, agent: { name: "It's `$HOME`" } });
});

test('requests that belong nowhere, with what they are most like', () => {
  const { call } = testMock();
  call('/api/v1/agents/x/result');
  const { json } = call('/__admin/requests/unmatched/near-misses');
  expect(json.nearMisses).toHaveLength(1);
  expect(json.nearMisses[0].endpoints[0]).toMatchObject({
    endpoint: 'list-results',
    differences: ['segment 5 is "result", not "results"'],
  });
});
