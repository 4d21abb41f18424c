import { testMock, testNow } from '../testing/test-client.ts';
import { createPlans, type PlanRequest } from './plans.ts';
import rows from '../testing/preferences.json';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));

const { agentId, workspaceId } = testMock().mock.target;
const path = `/api/v1/agents/${agentId}`;

describe('Prefer', () => {
  const refusals = rows.refusals as [number, string][];
  test.each(refusals)('code=%i answers as the profile writes such refusals', (code, kind) => {
    const answer = call(path, { headers: { prefer: `code=${code}` } });
    expect(answer.status).toBe(code);
    expect(answer.json).toMatchObject({ type: `urn:agent-contract:error:${kind}`, status: code });
    expect(answer.headers['preference-applied']).toBe(`code=${code}`);
    expect(answer.headers['date']).toBe(new Date(testNow).toUTCString());
  });

  test('a request for a status of 400 or higher has no effect', () => {
    const body = { workspaceId, agent: { name: 'A' } };
    expect(call('/api/v1/agents', { body, headers: { prefer: 'code=503' } }).headers['retry-after']).toBe('1');
    expect(mock.store.created().agents).toEqual([]);
    expect(call('/api/v1/agents', { body, headers: { prefer: 'code=202' } }).status).toBe(202);
    expect(mock.store.created().agents).toHaveLength(1);
    // Nor does one for a success hide a refusal.
    expect(call('/api/v1/agents/none', { headers: { prefer: 'code=200' } }).status).toBe(404);
  });

  test('equivalents in the query do the same, and are not reported as unknown parameters', () => {
    ({ mock, call } = testMock({ choices: { 'unknown-parameters': 'refused' } }));
    expect(call(`${path}?__code=404`).status).toBe(404);
    expect(call(`${path}/results?__delay=5`).status).toBe(200);
    expect(mock.journal.entry(2)?.response.delivery).toEqual({ delay: 5 });
  });

  test('can ask for a fault in one request', () => {
    const answer = call(path, { headers: { prefer: 'fault=get-agent-refused' } });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([400, 'fault=get-agent-refused']);
    expect(call(path).status).toBe(200);
  });

  test('leaves connection faults and rates to the host; connections can break during a whole session', () => {
    call(path, { headers: { prefer: 'fault=EMPTY_RESPONSE, rate=100, delay=3' } });
    expect(mock.journal.entry(1)?.response.delivery).toEqual({ connection: 'EMPTY_RESPONSE', rate: 100, delay: 3 });
    mock.session('s').setFaults(['EMPTY_RESPONSE', 'limit-ignored']);
    call('/api/v1/agents/x', { headers: { 'x-mock-session': 's' } });
    call('/api/v1/agents/x');
    expect(mock.session('s').journal.entry(1)?.response.delivery).toEqual({ connection: 'EMPTY_RESPONSE' });
    expect(mock.journal.entry(2)?.response.delivery).toBeNull();
  });
});

describe('plans', () => {
  test('apply in order, list what they answered, and end', () => {
    const steps = [{ code: 503, retryAfter: 7, times: 2 }, {}, { fault: 'get-agent-refused' }];
    const { id } = mock.plans.add({ on: 'get-agent', steps });
    expect([1, 2, 3, 4, 5].map(() => call(path).status)).toEqual([503, 503, 200, 400, 200]);
    expect(mock.plans.get(id)).toMatchObject({ met: [[1, 2], [3], [4]], remaining: 0, isComplete: true });
    expect(mock.journal.entry(1)).toMatchObject({ plan: id, response: { headers: { 'retry-after': '7' } } });
    expect(mock.journal.entry(5)?.plan).toBeNull();
  });

  test('apply only to their endpoint; several apply one after the other', () => {
    mock.plans.add({ on: 'list-results', steps: [{ code: 500 }] });
    mock.plans.add({ on: 'every', steps: [{ code: 501 }] });
    mock.plans.add({ on: 'every', steps: [{ code: 502 }] });
    expect([call(path).status, call(path).status, call(path).status]).toEqual([501, 502, 200]);
    expect(call(`${path}/results`).status).toBe(500);
    expect(mock.plans.list().every(({ isComplete }) => isComplete)).toBe(true);
  });

  test('a preference of a request overrides them', () => {
    mock.plans.add({ on: 'every', steps: [{ code: 500, delay: 5 }] });
    expect(call(path, { headers: { prefer: 'code=404' } }).status).toBe(404);
    expect(mock.journal.entry(1)?.response.delivery).toEqual({ delay: 5 });
  });

  test('an answer that is not yet in the journal is counted, but has no number', () => {
    const plans = createPlans();
    const take = () => plans.take({ endpoint: 'get-agent', agentId: 'a' }, { target: '/', headers: {} });
    const { id } = plans.add({ on: 'every', steps: [{ code: 500, times: 2 }] });
    const first = take();
    expect(plans.get(id)).toMatchObject({ met: [[]], remaining: 1, isComplete: false });
    take()?.metBy(7);
    expect(plans.get(id)).toMatchObject({ met: [[7]], remaining: 0, isComplete: true });
    first?.metBy(6);
    expect(plans.get(id)).toMatchObject({ met: [[6, 7]] });
  });

  const matches = rows.matches as [NonNullable<PlanRequest['match']>, boolean][];
  test.each(matches)('and standing answers for %j answer only such requests', (match, isAnswered) => {
    const ask = (): number => call('/api/v1/agents/a/results?cursor=c', { headers: { 'x-own': '1:2' } }).status;
    mock.plans.add({ on: 'list-results', match, steps: [{ code: 503 }] });
    expect(ask() === 503).toBe(isAnswered);
    mock.plans.clear();
    mock.standing.set('list-results', { code: 502 }, match);
    expect(ask() === 502).toBe(isAnswered);
    const unknown = { agent: 'a' } as PlanRequest['match'];
    expect(() => mock.plans.add({ on: 'every', match: unknown, steps: [{}] })).toThrow(/match: "agent" is not known/);
  });

  test('can be removed', () => {
    const { id } = mock.plans.add({ on: 'every', steps: [{}] });
    expect([mock.plans.remove(id), mock.plans.remove(id)]).toEqual([true, false]);
    expect(() => mock.plans.get(id)).toThrow(`There is no plan "${id}".`);
  });

  test.each(rows.refusedPlans as [string, unknown[], string][])('%s %j is refused', (on, steps, message) => {
    expect(() => mock.plans.add({ on: on as never, steps: steps as never })).toThrow(message);
    expect(mock.plans.list()).toEqual([]);
  });
});

describe('latency', () => {
  const delays = (options: Parameters<typeof testMock>[0], requests = 200): number[] => {
    ({ mock, call } = testMock(options));
    return Array.from({ length: requests }, () => {
      call(path);
      return mock.journal.entry(mock.journal.next() - 1)?.response.delivery?.delay ?? 0;
    });
  };

  test('uniform stays between its bounds and uses the whole range', () => {
    const drawn = delays({ settings: { latency: { type: 'uniform', lower: 10, upper: 20 } } });
    expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([10, 20]);
    expect(new Set(drawn).size).toBe(11);
  });

  test('half of the lognormal values are below the median', () => {
    const latency = { type: 'lognormal', median: 1000, sigma: 0.5 } as const;
    const drawn = delays({ settings: { latency } }, 1000).toSorted((a, b) => a - b);
    expect(drawn[500]).toBeGreaterThan(900);
    expect(drawn[500]).toBeLessThan(1100);
    expect(drawn[999]).toBeGreaterThan(2500);
  });

  test('depends only on the seed and the session', () => {
    const latency = { type: 'uniform', lower: 0, upper: 1000 } as const;
    const first = delays({ settings: { latency } }, 20);
    expect(delays({ settings: { latency } }, 20)).toEqual(first);
    expect(delays({ settings: { latency }, seed: 2 }, 20)).not.toEqual(first);
  });

  test.each(rows.refusedLatency as [object, string][])('%j is refused', (latency, message) => {
    expect(() => mock.setSettings({ latency: latency as never })).toThrow(message);
    expect(mock.settings.latency).toBeUndefined();
  });
});

describe('rate limit', () => {
  test('refuses requests over the limit, says when to retry, and follows the clock of the mock', () => {
    ({ mock, call } = testMock({ settings: { rateLimit: { requests: 2, seconds: 10 } } }));
    const get = () => call(path);
    expect([get().status, get().status]).toEqual([200, 200]);
    mock.clock.advance(4000);
    const refused = get();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '6']);
    expect(refused.text).toContain('The limit is 2 requests in 10 seconds.');
    mock.clock.advance(6000);
    expect(get().status).toBe(200);
    mock.setSettings({ rateLimit: undefined });
    expect([get().status, get().status, get().status]).toEqual([200, 200, 200]);
  });

  test('counts each session separately', () => {
    ({ call } = testMock({ settings: { rateLimit: { requests: 1, seconds: 10 } } }));
    const inSession = (id: string) => call(path, { headers: { 'x-mock-session': id } }).status;
    expect([inSession('a'), inSession('b'), inSession('a')]).toEqual([200, 200, 429]);
  });
});

describe('validation', () => {
  test('reports what a fault changed in an answer, and mistakes in a request', () => {
    ({ mock, call } = testMock({ validate: true, faults: ['get-agent-answer-misshapen:/agent/name=wrong-type'] }));
    const answer = call(path);
    const [violation] = JSON.parse(answer.headers['sl-violations'] ?? '[]');
    const location = ['response', 'body', 'agent', 'name'];
    expect(violation).toMatchObject({ location, severity: 'Error', code: 'type' });
    expect(mock.journal.entry(1)?.violations).toEqual([violation]);
    expect(call(`${path}/results?timefilter=today`).headers['sl-violations']).toContain('timeFilter');
    expect(call(`${path}/results`).headers['sl-violations']).toBeUndefined();
  });

  test('the header is ASCII and complete JSON, however many errors there are', () => {
    ({ call } = testMock({ validate: true }));
    const slips = Array.from({ length: 200 }, (_, i) => `${encodeURIComponent(`naïve→${i}`)}=1`).join('&');
    const header = call(`${path}/results?${slips}`).headers['sl-violations'] ?? '';
    expect(header).toMatch(/^[ -~]+$/);
    expect(header.length).toBeLessThanOrEqual(4000);
    expect(JSON.parse(header)[0].location[2]).toBe('naïve→0');
  });
});
