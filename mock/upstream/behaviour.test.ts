import type { EndpointId, ViolationId } from '../../spec/index.ts';
import { endpointIds, endpoints, violationIds, violations } from '../../spec/index.ts';
import type { MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { RATE } from '../answer.ts';
import { createCore } from '../core.ts';
import { faults as allFaults } from '../faults/index.ts';
import type { MockCore, MockOptions } from '../mock-core.ts';
import type { Warning } from '../teaching/warnings.ts';
import { testNow } from '../testing/test-client.ts';
import { createUpstream } from './forward.ts';
import type { Send } from './http/send.ts';
import { readUpstream } from './options.ts';

// The upstream is another mock with another seed, in the same process.

const real = createCore({ seed: 2, now: testNow, frozen: true });
const { agentId, publishedAgentId, workspaceId, token } = real.target;
const asked: MockRequest[] = [];
const sendReal: Send = async (request) => {
  asked.push(request);
  const { status, headers, body } = real.handle(request);
  return Promise.resolve({ status, headers, body: new TextEncoder().encode(body) });
};

function halfReal(options: MockOptions = {}): MockCore {
  asked.length = 0;
  return createCore({ seed: 1, now: testNow, frozen: true, validate: true, ...options }, () =>
    createUpstream(readUpstream({ url: 'http://real.example' }), sendReal),
  );
}

const bodies: Readonly<Partial<Record<EndpointId, object>>> = {
  'create-agent': { workspaceId, agent: { name: 'A' } },
  'import-agent': { workspaceId, agent: { version: '6', name: 'A' } },
  'create-workspace': { name: 'W' },
};

function requestOf(endpoint: EndpointId): Pick<MockRequest, 'method' | 'target' | 'body'> {
  const { method, path, holds } = endpoints[endpoint];
  const query = endpoint === 'list-results' ? '?timeFilter=allTime&limit=10' : '';
  const target = path.replace('{agentId}', (holds === 'publicAgent' ? publishedAgentId : agentId) ?? '') + query;
  const body = bodies[endpoint];
  return { method, target, ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }) };
}

function send(mock: MockCore, endpoint: EndpointId, headers: MockRequest['headers'] = {}, query = ''): Promise<Wire> {
  const { target, ...request } = requestOf(endpoint);
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  return Promise.resolve(mock.respond({ ...request, target: target + query, headers: own }));
}

const get = (mock: MockCore, target: string, bearer = token): Promise<Wire> =>
  Promise.resolve(mock.respond({ method: 'GET', target, headers: { authorization: `Bearer ${bearer}` } }));

const sourceOf = ({ headers }: Wire): string | undefined => headers['x-agent-contract-source'];
const warningsIn = ({ headers }: Wire): readonly Warning[] => JSON.parse(headers['sl-violations'] ?? '[]') as Warning[];

test.each(endpointIds)('%s of the upstream passes unchanged', async (endpoint) => {
  const wire = await send(halfReal(), endpoint);
  expect([sourceOf(wire), wire.status < 300, warningsIn(wire)]).toEqual(['upstream', true, []]);
});

test('latency, rate and broken connections apply', async () => {
  const mock = halfReal({ settings: { latency: { type: 'fixed', milliseconds: 70 } } });
  expect((await send(mock, 'get-agent')).delivery).toEqual({ delay: 70 });
  const wire = await send(mock, 'get-agent', { prefer: 'delay=5, rate=100' });
  const expected = ['upstream', { delay: 5, rate: 100 }, 'delay=5, rate=100'];
  expect([sourceOf(wire), wire.delivery, wire.headers['preference-applied']]).toEqual(expected);
  mock.setFaults(['EMPTY_RESPONSE']);
  expect((await send(mock, 'get-agent')).delivery).toMatchObject({ connection: 'EMPTY_RESPONSE' });
});

test('rate limits of a session and of a profile refuse what would be forwarded', async () => {
  const mock = halfReal({ settings: { rateLimit: { requests: 1, seconds: 60 } } });
  expect((await send(mock, 'get-agent')).status).toBe(200);
  const wire = await send(mock, 'get-agent');
  expect([wire.status, sourceOf(wire), asked.length]).toEqual([429, 'mock', 1]);
  const busy = halfReal({ choices: { 'rate-limit': 'bursts' } });
  const statuses: number[] = [];
  for (let i = 0; i < RATE; i++) statuses.push((await send(busy, 'get-agent')).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('plans and standing answers apply, and name the number of a request in the journal', async () => {
  const mock = halfReal();
  mock.plans.add({ on: 'get-agent', steps: [{ code: 503, retryAfter: 1 }, { delay: 9 }, { code: 203 }] });
  const wires = [await send(mock, 'get-agent'), ...(await Promise.all([1, 2].map(() => send(mock, 'get-agent'))))];
  const shown = wires.map((wire) => `${sourceOf(wire)} ${wire.status} ${wire.delivery?.delay ?? 0}`);
  expect(shown).toEqual(['mock 503 0', 'upstream 200 9', 'upstream 203 0']);
  expect(mock.plans.list()).toMatchObject([{ met: [[1], [2], [3]], isComplete: true }]);
  expect(mock.journal.entries().map(({ plan }) => plan)).toEqual(['plan-1', 'plan-1', 'plan-1']);
  mock.standing.set('get-agent', { code: 401 });
  expect((await send(mock, 'get-agent')).status).toBe(401);
  expect(asked).toHaveLength(2);
});

test.each(['code=404', 'example=version-6', 'dynamic=true'])('%s is answered by the mock', async (prefer) => {
  const wire = await send(halfReal(), 'get-agent', { prefer });
  expect([sourceOf(wire), wire.headers['preference-applied'], asked.length]).toEqual(['mock', prefer, 0]);
});

test('a requested time does not apply to the upstream, and the answer says so', async () => {
  const wire = await send(halfReal(), 'get-agent', { 'x-mock-now': '2026-01-01T00:00:00Z' });
  expect(warningsIn(wire)).toMatchObject([{ code: 'x-mock-now' }]);
});

test('a preferred fault changes the answer of the upstream, and is listed as applied', async () => {
  const wire = await send(halfReal(), 'get-agent', { prefer: 'fault=get-agent-answer-misshapen' });
  const expected = ['upstream', 'fault=get-agent-answer-misshapen'];
  expect([sourceOf(wire), wire.headers['preference-applied']]).toEqual(expected);
  expect(warningsIn(wire).map(({ severity }) => severity)).toContain('Error');
});

describe('triggers', () => {
  const ids = ({ body: text }: Wire): readonly string[] =>
    (JSON.parse(text) as { results: { id: string }[] }).results.map(({ id }) => id);

  test('recognise later pages by the request, and the last page by the answer', async () => {
    const mock = halfReal();
    const first = await send(mock, 'list-results');
    const cursor = `&cursor=${encodeURIComponent((JSON.parse(first.body) as { nextCursor: string }).nextCursor)}`;
    const second = await send(mock, 'list-results', {}, cursor);
    mock.setFaults(['results-ascending']);
    expect(ids(await send(mock, 'list-results'))).toEqual(ids(first).toReversed());
    mock.setFaults(['results-ascending@later-pages']);
    expect(ids(await send(mock, 'list-results'))).toEqual(ids(first));
    expect(ids(await send(mock, 'list-results', {}, cursor))).toEqual(ids(second).toReversed());
    mock.setFaults(['results-ascending@last-page']);
    expect(ids(await send(mock, 'list-results', {}, cursor))).toEqual(ids(second));
    const whole = async (faults: readonly string[]): Promise<Wire> => {
      mock.setFaults(faults);
      return get(mock, `/api/v1/agents/${agentId}/results?timeFilter=today&limit=100`);
    };
    const last = await whole([]);
    expect((JSON.parse(last.body) as { nextCursor: unknown }).nextCursor).toBeNull();
    expect(ids(await whole(['results-ascending@last-page']))).toEqual(ids(last).toReversed());
  });

  test('recognise what was created through the mock, what was read before, and the mode of the token', async () => {
    const mock = halfReal();
    const made = JSON.parse((await send(mock, 'create-agent')).body) as { agent: { id: string } };
    const isBroken = async (id: string, bearer?: string): Promise<boolean> =>
      warningsIn(await get(mock, `/api/v1/agents/${id}`, bearer)).some(({ severity }) => severity === 'Error');
    mock.setFaults(['get-agent-answer-misshapen@created-agents']);
    expect([await isBroken(made.agent.id), await isBroken(agentId)]).toEqual([true, false]);
    mock.setFaults(['get-agent-answer-misshapen@given-agents']);
    expect([await isBroken(made.agent.id), await isBroken(agentId)]).toEqual([false, true]);
    const other = real.store.agentId(3);
    mock.setFaults(['get-agent-answer-misshapen@second-read']);
    expect([await isBroken(other), await isBroken(other)]).toEqual([false, true]);
    mock.setFaults(['get-agent-answer-misshapen@read-tokens']);
    const { readToken = '' } = real.target;
    expect([await isBroken(agentId), await isBroken(agentId, readToken)]).toEqual([false, true]);
  });
});

describe('every fault changes an answer of the upstream and no request, or a warning names it', () => {
  const at = (id: ViolationId): EndpointId => violations[id].at[0] ?? 'get-agent';
  const isAbout = (id: ViolationId): boolean => allFaults[id].about === undefined;

  test.each(violationIds.filter(isAbout))('%s', async (id) => {
    const plain = await send(halfReal(), at(id));
    const unchanged = [...asked];
    const mock = halfReal({ faults: [id] });
    const wire = await send(mock, at(id));
    expect([wire, asked]).toEqual([expect.anything(), unchanged]);
    const named = warningsIn(wire).filter(({ code, message }) => code === 'upstream-fault' && message.includes(id));
    const own = (one: Wire): unknown => ({
      ...one,
      headers: { ...one.headers, 'sl-violations': '' },
      body: withoutIds(id, one),
    });
    expect(named).toHaveLength(JSON.stringify(own(wire)) === JSON.stringify(own(plain)) ? 1 : 0);
  });

  test('and no warning names it for unrelated requests', async () => {
    const mock = halfReal({ faults: ['limit-1-refused', 'cursor-starts-over'] });
    expect(warningsIn(await send(mock, 'list-results'))).toEqual([]);
    const results = (query: string): Promise<Wire> =>
      get(mock, `/api/v1/agents/${agentId}/results?timeFilter=allTime&limit=${query}`);
    expect([(await results('1')).status, (await results('2')).status]).toEqual([400, 200]);
    const { nextCursor } = JSON.parse((await results('2')).body) as { nextCursor: string };
    expect(warningsIn(await results(`2&cursor=${encodeURIComponent(nextCursor)}`))).toMatchObject([
      { message: expect.stringContaining('cursor-starts-over changes what the mock does with a request') as string },
    ]);
  });

  // Those of a workspace's bills end like its own.
  const IDS = /"(?:c[a-z0-9]{20,}(?:-start)?|(?:cus|acct)_[a-z0-9]{12})"/g;
  const withoutIds = (id: ViolationId, { body: text }: Wire): string =>
    endpoints[at(id)].method === 'POST' ? text.replaceAll(IDS, '"id"') : text;
});
