import { testMock } from '../testing/test-client.ts';
import { budgetLimits, createJournalBudget } from './journal-budget.ts';
import { createJournal, type Journal } from './journal.ts';
import type { Exchange } from './journal-entry.ts';
import type { RequestPattern } from './request-pattern.ts';
import { sessionLimits } from '../session/sessions.ts';

const exchange = (n: number, body = ''): Exchange => ({
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

const asking = (n: number, sent: string, answered = ''): Exchange => ({
  ...exchange(n, answered),
  request: { method: 'POST', target: `/${n}`, headers: {}, body: new TextEncoder().encode(sent) },
});
const ids = (journal: Journal | undefined): readonly number[] | undefined => journal?.entries().map(({ id }) => id);

test('keeps the latest entries', () => {
  const journal = createJournal('', 3);
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

describe('a budget shared by journals', () => {
  const page = (n: number): string => JSON.stringify({ page: n, text: 'x'.repeat(10_000) });

  test('counts equal answers once, in whichever session they are', () => {
    const budget = createJournalBudget({ requests: 1e6, answers: 50_000 });
    const journals = ['one', 'two'].map((id) => createJournal(id, 1000, budget));
    for (let n = 0; n < 100; n++) for (const journal of journals) journal.record(exchange(n, page(n % 4)));
    expect(budget.held.answers).toBeLessThan(41_000);
    for (const journal of journals)
      expect(journal.entries().every(({ response }) => (response.body as { page: number }).page >= 0)).toBe(true);
  });

  test('drops response bodies first, beginning with those used least recently', () => {
    const budget = createJournalBudget({ requests: 1e6, answers: 35_000 });
    const journal = createJournal('', 1000, budget);
    for (const n of [1, 2, 3, 1, 4]) journal.record(exchange(n, page(n)));
    expect(journal.entries().map(({ dropped, response }) => [dropped, response.body === null])).toEqual([
      [[], false],
      [['response/body'], true],
      [[], false],
      [[], false],
      [[], false],
    ]);
    expect(journal.shortfall({ body: {} })).toEqual({ entries: 0, bodies: 0 });
    expect(budget.held.answers).toBeLessThanOrEqual(35_000);
    expect(createJournal('', 1, createJournalBudget({ requests: 1e6, answers: 10 })).count()).toBe(0);
  });

  test('drops request bodies next, and entries last', () => {
    const budget = createJournalBudget({ requests: 13_500, answers: 1000 });
    const journal = createJournal('', 1000, budget);
    for (let n = 1; n <= 5; n++) journal.record(asking(n, `${n}`.repeat(5000)));
    expect(journal.entries().map(({ dropped }) => dropped.includes('body'))).toEqual([true, true, true, false, false]);
    expect([journal.dropped(), journal.shortfall({ body: 1 }), journal.shortfall({ body: 1, after: 2 })]).toEqual([
      0,
      { entries: 0, bodies: 3 },
      { entries: 0, bodies: 1 },
    ]);
    expect(journal.reproduction(1)).toEqual({ curl: null, test: null });
    for (let n = 6; n <= 60; n++) journal.record(exchange(n));
    expect(journal.dropped()).toBeGreaterThan(0);
    expect(budget.held.requests).toBeLessThanOrEqual(13_500);
    expect(journal.shortfall({ after: journal.dropped() })).toEqual({ entries: 0, bodies: 0 });
    expect(journal.shortfall({ after: journal.dropped() - 2 })).toEqual({ entries: 2, bodies: 0 });
  });

  test('takes from the largest journal, and leaves each its share', () => {
    const budget = createJournalBudget({ requests: 20_000, answers: 1000 });
    const [quiet, loud] = ['quiet', 'loud'].map((id) => createJournal(id, 1000, budget));
    for (let n = 1; n <= 10; n++) quiet?.record(exchange(n));
    for (let n = 1; n <= 500; n++) loud?.record(exchange(1000 + n));
    expect(ids(quiet)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(loud?.dropped()).toBeGreaterThan(400);
    expect(loud?.count()).toBeGreaterThan(10);
    loud?.clear();
    quiet?.clear();
    expect(budget.held.requests).toBe(0);
  });

  test('holds with the maximum of sessions, each of which sends as much as it can', () => {
    const budget = createJournalBudget();
    const { most } = sessionLimits;
    const journals = Array.from({ length: most }, (_, i) => createJournal(`${i}`, 1000, budget));
    for (let round = 0; round < 2; round++)
      for (const [i, journal] of journals.entries())
        journal.record(asking(round, `${i} ${'x'.repeat(i % 100 === 0 ? 50_000 : 500)}`, `${round} ${i}`));
    expect(budget.held.requests).toBeLessThanOrEqual(budgetLimits.requests);
    expect(budget.held.answers).toBeLessThanOrEqual(budgetLimits.answers);
    for (const [i, journal] of journals.entries())
      if (journal.count() !== 2) throw new Error(`Journal ${i} has ${journal.count()} entries.`);
    for (const journal of journals) journal.clear();
    expect(budget.held.requests).toBe(0);
  });
});

test('uses bounded memory for a thousand entries in each of a hundred sessions that list pages of a hundred', () => {
  const budget = createJournalBudget();
  const { mock, call } = testMock({ journalBudget: budget });
  const { agentId } = mock.target;
  const target = `/api/v1/agents/${agentId}/results?limit=100&timeFilter=allTime`;
  const sessions = Array.from({ length: 100 }, (_, i) => `s${i}`);
  for (const [i, id] of sessions.entries()) {
    // Every fourth request gets another page than the others.
    if (i % 4 === 0) mock.session(id).addResults(agentId, 1);
    const wire = call(`/_s/${id}${target}`);
    const { journal } = mock.session(id);
    // One answer stands for all equal ones: to list 100,000 pages would take too long for a test.
    for (let n = 2; n <= 1000; n++)
      journal.record({
        ...exchange(n, wire.text),
        request: { method: 'GET', target: `${target}&n=${n}`, headers: { authorization: 'Bearer some-token' } },
        endpoint: 'list-results',
        wire: { status: 200, headers: { ...wire.headers }, body: wire.text },
      });
  }
  const { json } = call('/_s/s99/__admin/requests/count', { body: { endpoint: 'list-results', status: 200 } });
  expect(json).toEqual({ count: 1000, meta: { total: 1000, dropped: 0 } });
  const journals = sessions.map((id) => mock.session(id).journal);
  expect(journals.filter((journal) => journal.count() !== 1000 || journal.dropped() > 0)).toEqual([]);
  expect(journals.map((journal) => journal.entry(2)?.dropped)).toEqual(sessions.map(() => []));
  expect(budget.held.requests).toBeLessThanOrEqual(budgetLimits.requests);
  // The first thing that each session creates is the same. So there are two pages, and 100,000 entries.
  expect(budget.held.answers).toBeLessThan(3 * 250_000);
});

test('a count, a search and near misses say what was dropped, if it could matter', () => {
  const { call } = testMock();
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
  const journal = createJournal('s');
  const heard: number[] = [];
  const stop = journal.subscribe(({ id }) => heard.push(id));
  journal.record(exchange(1));
  stop();
  journal.record(exchange(2));
  expect(heard).toEqual([1]);
});

test('shows requests and answers without secrets', () => {
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

test.each([
  ['Bearer unknown', 'Bearer $TOKEN'],
  ['Basic dXNlcg== more', 'Basic $TOKEN'],
  ['unknown', '$SECRET'],
  [' unknown more', '$SECRET'],
  ['', '$SECRET'],
])('shows the authorization %j as %j', (authorization, shown) => {
  const { mock, call } = testMock();
  call('/api/v1/agents/x', { authorization });
  expect(mock.journal.entries()[0]?.headers).toHaveProperty('authorization', shown);
});

test.each([
  ['abc', '/api/v1/agents/abc?x=abc'],
  ['abcd', '/api/v1/agents/$TOKEN?x=$TOKEN'],
])('shows the token %s in the path and the query as %s', (token, url) => {
  const { mock, call } = testMock();
  call(`/api/v1/agents/${token}?x=${token}`, { token });
  expect(mock.journal.entries()[0]?.url).toBe(url);
});

test('finds requests by pattern', () => {
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

test('lists requests that match no route, with the nearest endpoint', () => {
  const { call } = testMock();
  call('/api/v1/agents/x/result');
  const { json } = call('/__admin/requests/unmatched/near-misses');
  expect(json.nearMisses).toHaveLength(1);
  expect(json.nearMisses[0].endpoints[0]).toMatchObject({
    endpoint: 'list-results',
    differences: ['segment 5 is "result", not "results"'],
  });
});

describe('the duration and size of an exchange', () => {
  test('are in its entry', () => {
    const { mock, call } = testMock();
    const body = { name: 'é' };
    const answer = call('/api/v1/workspaces', { body, headers: { prefer: 'delay=250' } });
    const entry = mock.journal.entry(1);
    expect(entry).toMatchObject({ size: 13, response: { size: new TextEncoder().encode(answer.text).length } });
    expect(entry?.duration).toBeGreaterThanOrEqual(250);
  });

  test('include the time of a slow body, and nothing of a broken one', () => {
    const { mock, call } = testMock();
    const { text } = call('/api/v1/agents/nobody', { headers: { prefer: 'rate=1000' } });
    call('/api/v1/agents/nobody', { headers: { prefer: 'fault=EMPTY_RESPONSE' } });
    expect(mock.journal.entry(1)?.duration).toBeGreaterThanOrEqual(text.length);
    expect(mock.journal.entry(2)?.response).toMatchObject({ status: null, size: 0 });
  });

  test.each([
    [399, '€', true],
    [400, '€', true],
    [401, '€', false],
    [800, 'x', true],
    [801, 'x', false],
  ])(
    'are known for an answer of %d characters %s, and its body is kept if it fits into the budget: %j',
    (length, character, fits) => {
      // A text has an overhead of 100, and a character beyond Latin-1 counts twice.
      const journal = createJournal('', 10, createJournalBudget({ requests: 9000, answers: 900 }));
      journal.record(exchange(1, character.repeat(length)));
      const size = new TextEncoder().encode(character.repeat(length)).length;
      expect(journal.entry(1)?.response.size).toBe(size);
      expect(journal.entry(1)?.dropped ?? []).toEqual(fits ? [] : ['response/body']);
    },
  );

  test('are kept when the bodies are dropped', () => {
    const journal = createJournal('', 10, createJournalBudget({ requests: 1500, answers: 600 }));
    for (let n = 1; n <= 3; n++) journal.record(asking(n, 'x'.repeat(400), `${n}é`.repeat(100)));
    expect(journal.entry(1)).toMatchObject({ dropped: ['body', 'response/body'], size: 400, duration: 1.5 });
    expect(journal.entry(1)?.response.size).toBe(300);
  });
});
