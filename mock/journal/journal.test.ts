import { testMock } from '../testing/test-client.ts';
import { createJournals, journalLimits, type Journal, type JournalLimits, type Journals } from './journal.ts';
import type { MockExchange } from './journal-entry.ts';
import type { RequestPattern, TextPattern } from '../generated/patterns.ts';
import rows from '../testing/journal.json';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));

const exchange = (n: number, body = ''): MockExchange => ({
  request: { method: 'GET', target: `/${n}`, headers: {} },
  endpoint: undefined,
  agentId: '',
  wire: { status: 404, headers: {}, body },
  at: n,
  warnings: [],
  duration: 1.5,
  applied: [],
  plan: undefined,
});

const ids = (journal: Journal): readonly number[] => journal.entries().map(({ id }) => id);

test('keeps the latest entries', () => {
  const journal = createJournals({ ...journalLimits, entries: 3 }).open('');
  for (let n = 1; n <= 10; n++) journal.record(exchange(n));
  expect(ids(journal)).toEqual([8, 9, 10]);
  expect([journal.count(), journal.dropped(), journal.next()]).toEqual([3, 7, 11]);
  expect(journal.entry(7)).toBeUndefined();
  expect(journal.entry(8)?.url).toBe('/8');
  expect(journal.entry(11)).toBeUndefined();
  expect([journal.reproduction(7), journal.reproduction(11)]).toEqual([undefined, undefined]);
  expect(journal.reproduction(8)?.curl).toContain('/8');
  journal.clear();
  expect([journal.count(), journal.dropped(), journal.next()]).toEqual([0, 0, 11]);
});

describe('beyond a limit, the oldest entries are dropped', () => {
  const page = 'x'.repeat(10_000);
  const open = (limits: Partial<JournalLimits>): { journals: Journals; one: Journal; other: Journal } => {
    const journals = createJournals({ ...journalLimits, ...limits });
    return { journals, one: journals.open('one'), other: journals.open('other') };
  };

  test('of one session, which says how many', () => {
    const { one, other } = open({ bytes: 40_000 });
    other.record(exchange(0));
    for (let n = 1; n <= 5; n++) one.record(exchange(n, page));
    expect([ids(one), ids(other)]).toEqual([[3, 4, 5], [1]]);
    expect([undefined, 1, 2, 7].map((after) => one.dropped(after))).toEqual([2, 1, 0, 0]);
  });

  test('of all sessions, whichever they belong to', () => {
    const { journals, one, other } = open({ bytesOfAll: 40_000 });
    for (const journal of [one, other, other, one, other]) journal.record(exchange(1, page));
    expect([ids(one), ids(other)]).toEqual([[2], [2, 3]]);
    expect([one.dropped(), other.dropped()]).toEqual([1, 1]);
    other.clear();
    expect([other.dropped(), other.next()]).toEqual([0, 4]);
    one.clear();
    expect(journals.bytes).toBe(0);
  });

  test('by the size of what was sent, its headers and its target', () => {
    const { one } = open({ bytes: 40_000 });
    const { request } = exchange(1);
    const large = { body: new TextEncoder().encode(page) };
    for (const more of [large, large, { headers: { x: page } }, { target: `/${page}` }])
      one.record({ ...exchange(1), request: { ...request, ...more } });
    expect(ids(one)).toEqual([2, 3, 4]);
  });

  test('also an entry that is larger than the limit', () => {
    const { one } = open({ bytes: 5000 });
    one.record(exchange(1, page));
    expect([one.count(), one.dropped(), one.entry(1)]).toEqual([0, 1, undefined]);
  });
});

test('the journals of the maximum of sessions stay within their limit', () => {
  ({ mock, call } = testMock({ journalLimits: { bytesOfAll: 5_000_000 } }));
  for (let n = 0; n < 2000; n++) call(`/_s/s${n}/api/v1/agents/${mock.target.agentId}`);
  const kept = mock.sessions.list().filter(({ journal }) => journal.count() === 1);
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.length).toBeLessThan(1000);
  expect(mock.session('s1999').journal.count()).toBe(1);
});

test('a count, a search and near misses say what was dropped, if it could matter', () => {
  for (let n = 1; n <= 1005; n++) call(`/api/v1/agents/none?n=${n}`);
  const note =
    '5 entries were dropped to make room, the oldest first. Clear the journal before the requests that you look for, or ask only for those after a number.';
  const after = { after: 5 };
  for (const target of ['/__admin/requests/count', '/__admin/requests/find']) {
    expect(call(target, { body: {} }).json.meta).toEqual({ total: 1000, dropped: 5, note });
    expect(call(target, { body: after }).json.meta).toEqual({ total: 1000, dropped: 5 });
  }
  for (const target of ['/__admin/requests', '/__admin/requests/unmatched', '/__admin/requests/unmatched/near-misses'])
    expect(call(target).json.meta.note).toBe(note);
  expect(call('/__admin/requests?after=5').json.meta.note).toBeUndefined();
});

test('notifies its subscribers until they unsubscribe', () => {
  const [journal, heard] = [createJournals().open('s'), [] as number[]];
  const stop = journal.subscribe(({ id }) => heard.push(id));
  journal.record(exchange(1));
  stop();
  journal.record(exchange(2));
  expect(heard).toEqual([1]);
});

test('shows requests and answers without secrets', () => {
  const { workspaceId, token } = mock.target;
  call(`/api/v1/agents?x=${token}`, {
    body: { workspaceId, agent: { name: token, settings: { security: { password: 'secret-word' } } } },
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
  for (const secret of [token, 'secret-cookie', 'secret-key', 'secret-word']) expect(everything).not.toContain(secret);
});

test.each(rows.bodies as [string, unknown][])('shows the body %s as %j', (body, shown) => {
  call('/api/v1/agents', { body });
  expect(mock.journal.entries()[0]?.body).toEqual(shown);
});

test.each(rows.authorizations as [string, string][])('shows the authorization %j as %j', (authorization, shown) => {
  call('/api/v1/agents/x', { authorization });
  expect(mock.journal.entries()[0]?.headers).toHaveProperty('authorization', shown);
});

test('hides a token in the path and the query, unless it is very short', () => {
  for (const token of ['abc', 'abcd']) call(`/api/v1/agents/${token}?x=${token}`, { token });
  const urls = mock.journal.entries().map(({ url }) => url);
  expect(urls).toEqual(['/api/v1/agents/abc?x=abc', '/api/v1/agents/$TOKEN?x=$TOKEN']);
});

test('finds requests by pattern', () => {
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
  expect(count({ headers: { Authorization: { contains: 'Bearer' } } })).toBe(3);
  expect(count({ body: { agent: { name: 'A' } } })).toBe(1);
  expect(count({ body: { agent: { tags: [] } } })).toBe(0);
  expect(count({ status: 201 })).toBe(1);
  expect(count({ wasMatched: false })).toBe(1);
  expect(count({ after: 1 })).toBe(2);
});

test.each(rows.globs as [string, boolean][])('the glob %s matches a path: %j', (glob, expected) => {
  call('/api/v1/agents/x/results');
  expect(mock.journal.count({ urlPath: { glob } })).toBe(expected ? 1 : 0);
});

test('refuses an unknown condition of a text, even if there is nothing to search', () => {
  const matches = { matches: '/a.*' } as TextPattern;
  const refusal = 'A text cannot be matched by "matches". There are equalTo, contains, glob, absent.';
  for (const pattern of [{ url: matches }, { urlPath: matches }, { headers: { url: matches } }])
    expect(() => mock.journal.count(pattern)).toThrow(refusal);
});

test('lists requests that match no route, with the nearest endpoint', () => {
  call('/api/v1/agents/x/result');
  const { json } = call('/__admin/requests/unmatched/near-misses');
  expect(json.nearMisses).toHaveLength(1);
  const expected = { endpoint: 'list-results', differences: ['"result" must be "results".'], distance: 0.05 };
  expect(json.nearMisses[0].endpoints[0]).toMatchObject(expected);
});

describe('the duration and size of an exchange', () => {
  test('are in its entry', () => {
    const body = { name: 'é' };
    const answer = call('/api/v1/workspaces', { body, headers: { prefer: 'delay=250' } });
    const entry = mock.journal.entry(1);
    expect(entry).toMatchObject({ size: 13, response: { size: new TextEncoder().encode(answer.text).length } });
    expect(entry?.duration).toBeGreaterThanOrEqual(250);
  });

  test('include the time of a slow body, and nothing of a broken one', () => {
    const { text } = call('/api/v1/agents/nobody', { headers: { prefer: 'rate=1000' } });
    call('/api/v1/agents/nobody', { headers: { prefer: 'fault=EMPTY_RESPONSE' } });
    expect(mock.journal.entry(1)?.duration).toBeGreaterThanOrEqual(text.length);
    expect(mock.journal.entry(2)?.response).toMatchObject({ status: null, size: 0 });
  });
});
