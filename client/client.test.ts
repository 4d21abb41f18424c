import { createAgentBody, importAgentBody } from '../fixtures/requests/index.ts';
import { createMock } from '../mock/index.ts';
import type { ConversationResult, ListResultsResponse, Profile, SchemaName } from '../spec/index.ts';
import { endpoints, endpointIds, validate } from '../spec/index.ts';
import { operations } from './generated/operations.ts';
import type { AnswerInfo, ClientOptions, Fetch, Retry } from './index.ts';
import { createClient, NoAnswerError, PagingError, ServiceError } from './index.ts';
import rows from './testing/client.json';

const TOKEN = 'mock-write-token';
const BASE = 'http://service.test';
const NOW = Date.UTC(2026, 4, 20);

const headersOf = (init: RequestInit): Record<string, string> => Object.fromEntries(new Headers(init.headers));

/** A client of a mock, with the choices on which a test leans on purpose. */
function mocked(choices: Partial<Profile> = {}) {
  const mock = createMock({ now: NOW, frozen: true, choices });
  const asked: string[] = [];
  const fetch: Fetch = (url, init) => {
    asked.push(url.slice(BASE.length));
    return mock.fetch(url, init);
  };
  const sleep = async (milliseconds: number): Promise<void> => mock.clock.advance(milliseconds);
  const clock = { now: () => NOW, sleep };
  return { mock, asked, client: createClient({ baseUrl: BASE, token: TOKEN, fetch, retries: 3, clock }) };
}

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose requests get `answers` in turn, and then the last one again and again. */
function scripted(answers: readonly (() => Response | Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ url, init });
    if (answer === undefined || sent.length > 50) throw new Error('No answer is scripted');
    return answer();
  };
  return { sent, client: createClient({ baseUrl: BASE, token: TOKEN, fetch, ...options }) };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  return () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
};
const page = (nextCursor: unknown, ...ids: string[]) => json({ results: ids.map((id) => ({ id })), nextCursor });
const never = (): Promise<Response> => new Promise(() => {});

async function errorOf<E extends Error>(
  type: abstract new (...args: never[]) => E,
  work: Promise<unknown>,
): Promise<E> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(type);
  return error as E;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

afterEach(() => void jest.useRealTimers().restoreAllMocks());

describe('the methods', () => {
  it('are the endpoints of the contract', () => {
    const found = Object.entries(operations).map(([name, { endpoint, method, path, parameters, input }]) => {
      expect(name).toBe(endpoint.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
      const { request, query } = endpoints[endpoint];
      expect({ method, path }).toEqual({ method: endpoints[endpoint].method, path: endpoints[endpoint].path });
      expect(parameters).toEqual(path.includes('{agentId}') ? ['agentId'] : []);
      expect(input).toBe(request ? 'body' : query ? 'query' : null);
      return endpoint;
    });
    expect(found.toSorted()).toEqual([...endpointIds].toSorted());
  });

  it('get from the mock what the contract promises', async () => {
    // Nobody sends a creation again, so that no rate limit may refuse one.
    const { client, mock } = mocked(rows.choices as Partial<Profile>);
    const { agentId, workspaceId } = mock.target;
    const made = await client.createWorkspace({ name: 'Northwind' });
    const body = createAgentBody({ workspaceId, tag: 'Planner', detail: 'full' });
    const created = await client.createAgent(body);
    const read = await client.getAgent(created.agent.id);
    const moved = importAgentBody({ workspaceId, tag: 'Émile 名 🧭', detail: 'full' });
    const imported = await client.importAgent(moved);
    const published = await client.getPublishedAgent(agentId);
    const results = await client.listResults(agentId, { limit: 3, timeFilter: 'allTime' });
    for (const [schema, answer] of Object.entries({
      'create-workspace-response': made,
      'create-agent-response': created,
      'import-agent-response': imported,
      'get-published-agent-response': published,
      'list-results-response': results,
    }))
      expect([schema, validate(schema as SchemaName, answer)]).toEqual([schema, []]);
    expect(made.workspace.name).toBe('Northwind');
    expect(read).toMatchObject({ agent: { version: '6', ...body.agent, workspaceId }, currentUserMode: 'write' });
    expect(read.agent).toEqual(created.agent);
    expect(imported.agent).toMatchObject({ ...moved.agent, workspaceId });
    expect(published.publicAgent).toMatchObject({ agentId });
    for (const one of results.results) expect(one).toMatchObject({ agentId, workspaceId });
    expect([1, 2, 3]).toContain(results.results.length);
    const bare = await client.listResults(agentId);
    expect(bare).toEqual(await client.listResults(agentId, { limit: 50, timeFilter: 'last7Days' }));
  });

  it('send the token, the headers and a JSON body', async () => {
    const { client, sent } = scripted([json({ workspace: {} })], { headers: { 'X-Trace': '1', Authorization: 'x' } });
    await client.createWorkspace({ name: 'W' });
    await client.getAgent('a');
    const headers = { accept: 'application/json', authorization: `Bearer ${TOKEN}`, 'x-trace': '1' };
    expect(sent.map(({ url, init }) => [`${init.method} ${url}`, headersOf(init), init.body])).toEqual([
      [`POST ${BASE}/api/v1/workspaces`, { ...headers, 'content-type': 'application/json' }, '{"name":"W"}'],
      [`GET ${BASE}/api/v1/agents/a`, headers, undefined],
    ]);
  });

  it.each(['http://h/base', 'http://h/base/', 'http://h/base//'])('append their path to %s', async (baseUrl) => {
    const { client, sent } = scripted([json({})], { baseUrl });
    await client.getAgent('a/b?c#d%ü');
    await client.listResults('a', { cursor: 'x+y&z=', limit: 5 });
    // @ts-expect-error -- null is no cursor, but JavaScript may well pass it
    await client.listResults('a', { cursor: null });
    expect(sent.map(({ url }) => url)).toEqual(rows.targets);
  });

  it.each(['', '.', '..', '\ud800'])('refuse the agent id %j, which no path can carry', async (agentId) => {
    const { client, sent } = scripted([json({})]);
    await expect(client.getAgent(agentId)).rejects.toThrow(/^agentId (is|holds) /);
    await expect(collect(client.results(agentId))).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it('use the global fetch of the time of the call', async () => {
    const client = createClient({ baseUrl: BASE, token: TOKEN });
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(json({ agent: { id: 'global' } })());
    expect(await client.getAgent('a')).toEqual({ agent: { id: 'global' } });
  });
});

describe('an invalid option is refused', () => {
  const notNumbers = (['timeout', 'longestWait'] as const).map((name) => [{ [name]: Number.NaN }, `^${name} is NaN`]);
  it.each([...rows.wrongOptions, ...notNumbers] as [Partial<ClientOptions>, string][])('%j', (options, message) => {
    const create = (): unknown => createClient({ baseUrl: BASE, token: TOKEN, ...options });
    expect(create).toThrow(new RegExp(message));
    expect(create).not.toThrow('secret token');
  });

  it.each<Partial<ClientOptions>>([
    { timeout: 2 ** 31 - 1, longestWait: 2 ** 31 - 1 },
    { timeout: Infinity, longestWait: 0, retries: 1 },
    { baseUrl: 'https://h:8080/base/' },
  ])('and not %j', (options) => {
    expect(() => createClient({ baseUrl: BASE, token: TOKEN, ...options })).not.toThrow();
  });
});

describe('a token from a function', () => {
  it('is requested before each attempt', async () => {
    const tokens = ['first', 'second', 'third'];
    const left = [...tokens];
    const answers = [json({}, 503, { 'retry-after': '0' }), json({ agent: {} }), json({ agent: {} })];
    const { sent, client } = scripted(answers, { retries: 1, token: () => Promise.resolve(left.shift() ?? '') });
    await client.getAgent('a');
    await client.getAgent('a');
    expect(sent.map(({ init }) => headersOf(init)['authorization'])).toEqual(tokens.map((one) => `Bearer ${one}`));
  });

  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['is none', () => 'two words', /^token must be/],
    ['is not available', () => Promise.reject(new Error('log in again')), /^log in again$/],
  ])('rejects the call if it %s, and nothing is sent', async (_, token, message) => {
    const { sent, client } = scripted([json({})], { token });
    expect((await errorOf(Error, client.getAgent('a'))).message).toMatch(message);
    expect(sent).toEqual([]);
  });

  it('is no longer awaited when the call is aborted', async () => {
    const { client } = scripted([json({})], { token: () => new Promise(() => {}) });
    const stop = new AbortController();
    const call = client.getAgent('a', { signal: stop.signal });
    stop.abort(new Error('ended'));
    expect((await errorOf(Error, call)).message).toBe('ended');
  });
});

describe('one call', () => {
  it('has its own headers, which override those of the client, and never another token', async () => {
    const headers = { 'x-a': 'all', 'x-b': 'all', Accept: 'application/problem+json' };
    const { sent, client } = scripted([json({ agent: {} })], { headers });
    await client.getAgent('a', { headers: { 'X-A': 'one', authorization: 'Bearer other' } });
    const expected = { 'x-a': 'one', 'x-b': 'all', accept: headers.Accept, authorization: `Bearer ${TOKEN}` };
    expect(headersOf(sent[0]?.init ?? {})).toEqual(expected);
  });

  it('reports the status and headers of its answer, but not of a refusal', async () => {
    const told: unknown[] = [];
    const { client } = scripted([json({ agent: {} }, 201, { 'x-id': '7' }), json({}, 404)]);
    const onAnswer = ({ request, status, headers }: AnswerInfo): void =>
      void told.push([request.method, request.url, status, headers.get('x-id')]);
    await client.getAgent('a', { onAnswer });
    await errorOf(ServiceError, client.getAgent('a', { onAnswer }));
    expect(told).toEqual([['GET', `${BASE}/api/v1/agents/a`, 201, '7']]);
  });
});

describe('a refusal', () => {
  it.each(rows.listed as [string, unknown, object[]][])('lists the errors of %s', async (_, body, errors) => {
    const { client } = scripted([json(body, 400)]);
    expect((await errorOf(ServiceError, client.getAgent('a'))).errors).toEqual(errors);
  });

  it('of the mock lists every field, in each format of error bodies that has fields', async () => {
    for (const body of ['problem-json', 'trpc'] as const) {
      const { client } = mocked({ 'error-body': body, 'mistyped-body-field': 'refused' });
      const create = client.createAgent({ workspaceId: 7, agent: { name: 7 } } as never);
      const { errors } = await errorOf(ServiceError, create);
      expect(errors.map(({ location }) => location.replace(/^body\//, ''))).toEqual(['workspaceId', 'agent/name']);
    }
  });
});

describe('the list of results', () => {
  it('has every page, and the same results page by page', async () => {
    const { client, mock, asked } = mocked(rows.listing as Partial<Profile>);
    const { agentId, workspaceId } = mock.target;
    const query = { timeFilter: 'last30Days', limit: 7 } as const;
    const all = await collect(client.results(agentId, query));
    expect(all.length).toBeGreaterThan(20);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const timeOf = ({ createdAt }: ConversationResult): number => Date.parse(String(createdAt));
    const times = all.map(timeOf);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    for (const one of all) expect(one).toMatchObject({ agentId, workspaceId });
    // A page may be short, and the last one empty.
    expect(new Set(asked).size).toBeGreaterThanOrEqual(Math.ceil(all.length / 7));
    expect(asked.every((target) => target.includes('timeFilter=last30Days&limit=7'))).toBe(true);
    const pages = await collect(client.results(agentId, query).pages());
    expect(pages.flatMap(({ results }) => results)).toEqual(all);
    expect(pages.at(-1)?.nextCursor).toBeNull();
    expect(await collect(client.results(agentId, { ...query, limit: 100 }))).toEqual(all);
  });

  it('requests no page before it is needed', async () => {
    const { client, sent } = scripted([page('b', '1', '2'), page('c', '3'), page(null, '4')]);
    const list = client.results('a');
    const walk = list[Symbol.asyncIterator]();
    const seen = [`before: ${sent.length}`];
    for (let i = 0; i < 5; i++) {
      const step: IteratorResult<ConversationResult> = await walk.next();
      seen.push(`${step.done === true ? 'end' : step.value.id}: ${sent.length}`);
    }
    expect(seen).toEqual(['before: 0', '1: 1', '2: 1', '3: 2', '4: 3', 'end: 3']);
    for await (const first of list) {
      expect(first.id).toBe('4');
      break;
    }
    expect(sent).toHaveLength(4);
  });

  it('starts at a given cursor, and continues after an empty page', async () => {
    const { client, sent } = scripted([page('c'), page(null, '9')]);
    expect(await collect(client.results('a', { cursor: 'b', limit: 2 }))).toEqual([{ id: '9' }]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?cursor=b&limit=2', '?cursor=c&limit=2']);
  });

  type Row = [string, { cursor?: string }, [unknown, ...string[]][], string];
  it.each<Row>([...(rows.cursors as Row[]), ['is missing', {}, [[undefined, '1']], 'nextCursor of page 1 is missing']])(
    'yields what it has and then refuses a cursor that %s',
    async (_, query, pages, message) => {
      const answers = pages.map((one) => page(...one));
      const { client, sent } = scripted(answers);
      const got: unknown[] = [];
      const walk = async (): Promise<void> => {
        for await (const { id } of client.results('a', query)) got.push(id);
      };
      const error = await errorOf(PagingError, walk());
      expect(error.message).toMatch(new RegExp(message));
      expect(error.page).toHaveProperty('results');
      expect(sent).toHaveLength(answers.length);
      expect(got).toEqual(['1', '2'].slice(0, got.length));
      expect(got.length).toBeGreaterThan(0);
    },
  );

  it('refuses a page without results', async () => {
    const { client } = scripted([json({ nextCursor: null })]);
    await expect(collect(client.results('a'))).rejects.toThrow(PagingError);
  });
});

describe('a ServiceError', () => {
  it('names the request and the answer', async () => {
    const { client } = mocked({ 'not-found-status': 'not-found-404', 'error-body': 'problem-json' });
    const error = await errorOf(ServiceError, client.getAgent('no such'));
    const url = `${BASE}/api/v1/agents/no%20such`;
    expect(error.message.startsWith(`GET ${url} was answered 404 with {"type"`)).toBe(true);
    const body = { status: 404, title: 'Not found' };
    expect(error).toMatchObject({ name: 'ServiceError', status: 404, request: { method: 'GET', url }, body });
    expect(error.headers.get('content-type')).toContain('application/problem+json');
  });

  type Answered = [string, number, string | null, string, unknown];
  it.each(rows.answers as Answered[])('is thrown for %s', async (_, status, text, message, body) => {
    const { client } = scripted([() => new Response(text, { status })]);
    const error = await errorOf(ServiceError, client.getAgent('a'));
    expect(error.message).toMatch(new RegExp(message));
    expect(error.body).toEqual(body);
  });

  it.each([300, 301, 599, 601])('shows of %d characters at most 300', async (length) => {
    const { client } = scripted([() => new Response('x'.repeat(length), { status: 500 })]);
    const { message } = await errorOf(ServiceError, client.getAgent('a'));
    expect(message).toMatch(length === 300 ? /answered 500 with x{300}$/ : /answered 500 with x{300}…$/);
  });

  it('shows neither the token nor a long body', async () => {
    const echo = { echo: `Bearer ${TOKEN}`, rest: 'x'.repeat(1e6) };
    const { client } = scripted([json(echo, 401)], { token: () => TOKEN });
    const error = await errorOf(ServiceError, client.getAgent('a'));
    expect(error.message).toContain('{"echo":"Bearer $TOKEN"');
    expect(error.message.length).toBeLessThan(400);
    expect(JSON.stringify(error.request)).not.toContain(TOKEN);
  });
});

describe('without an answer', () => {
  it('if the network fails, the error says how and keeps its cause', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    const { client } = scripted([() => Promise.reject(cause)]);
    const url = `${BASE}/api/v1/agents/a`;
    const message = `GET ${url} was not answered: fetch failed: connect ECONNREFUSED 127.0.0.1:1`;
    const error = await errorOf(NoAnswerError, client.getAgent('a'));
    expect(error).toMatchObject({ message, cause, request: { method: 'GET', url } });
  });

  it.each([
    ['an answer', never],
    ['a body', () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))],
  ])('times out while it waits for %s', async (_, answer) => {
    const { client, sent } = scripted([answer], { timeout: 5 });
    const error = await errorOf(NoAnswerError, client.getAgent('a'));
    expect(error.message).toMatch(/ was not answered in full within 5 ms$/);
    expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    expect(sent[0]?.init.signal?.aborted).toBe(true);
  });

  it('leaves no timer behind after an answer, which would keep the process alive', async () => {
    jest.useFakeTimers();
    const { client } = scripted([json({}), json({}, 500)]);
    await client.getAgent('a');
    await errorOf(ServiceError, client.getAgent('a'));
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['the client', 'the call'])('if the signal of %s is aborted, its reason is thrown', async (whose) => {
    const stop = new AbortController();
    const { signal } = stop;
    const { client, sent } = scripted([never], whose === 'the client' ? { signal } : {});
    const pending = client.listResults('a', {}, whose === 'the call' ? { signal } : {});
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    await expect(client.getAgent('a', { signal })).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });
});

describe('retries', () => {
  const start = Date.UTC(2026, 0, 1);
  function waiting(answers: (() => Response)[], retries: number, options: Partial<ClientOptions> = {}) {
    const waits: number[] = [];
    const clock = { now: () => start, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
    return { waits, ...scripted(answers, { retries, clock, ...options }) };
  }
  const busy = (after: string | undefined, status = 429) =>
    json({}, status, after === undefined ? {} : { 'retry-after': after });
  const done = json({ agent: {} });

  it('wait as long as Retry-After says', async () => {
    const inFiveSeconds = new Date(start + 5000).toUTCString();
    const past = new Date(start - 5000).toUTCString();
    // The oldest of the three date formats: local here, since it names no zone.
    const oldest = new Date(start + 60_000)
      .toUTCString()
      .replace(/^(\w+), 0?(\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3  $2 $5 $4');
    const asLocal = Math.max(0, Date.parse(oldest) - start);
    const answers = [busy('2'), busy(inFiveSeconds, 503), busy(past), busy(oldest), done];
    const { client, waits, sent } = waiting(answers, 4, { longestWait: 2 ** 31 - 1 });
    expect(await client.getAgent('a')).toEqual({ agent: {} });
    expect(waits).toEqual([2000, 5000, 0, asLocal]);
    expect(sent).toHaveLength(5);
  });

  type Unretried = [string, number, (string | null)[], number, number];
  it.each<Unretried>([...(rows.unretried as Unretried[]), ['after a POST', 5, ['1'], 429, 1]])(
    'do not happen %s',
    async (why, retries, after, status, requests) => {
      const answers = after.map((one) => busy(one ?? undefined, status));
      const { client, sent } = waiting([...answers, done], retries);
      await errorOf(
        ServiceError,
        why === 'after a POST' ? client.createWorkspace({ name: 'W' }) : client.getAgent('a'),
      );
      expect(sent).toHaveLength(requests);
    },
  );

  it('are reported before they are awaited, and wait up to the maximum', async () => {
    const told: unknown[] = [];
    const onRetry = ({ request, error, attempt, wait }: Retry): void =>
      void told.push([request.method, error.status, attempt, wait]);
    const options = { longestWait: 90_000, onRetry };
    const { client, waits } = waiting([busy('90'), busy('61', 503), busy('91'), done], 5, options);
    await errorOf(ServiceError, client.getAgent('a'));
    expect(told).toEqual(rows.told);
    expect(waits).toEqual([90_000, 61_000]);
  });

  it('end when the signal is aborted while they wait', async () => {
    const stop = new AbortController();
    const sleep = async () => void (stop.abort(new Error('enough')), await never());
    const { client, sent } = waiting([busy('1'), done], 1, { clock: { now: () => start, sleep } });
    await expect(client.getAgent('a', { signal: stop.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });
});

describe('the types', () => {
  it('refuse what is not in the contract', () => {
    const { client } = mocked();
    const mistakes = [
      // @ts-expect-error -- the name is required
      () => client.createWorkspace({ icon: 'x' }),
      // @ts-expect-error -- an id is a string
      () => client.getAgent(5),
      // @ts-expect-error -- an unknown window
      () => client.listResults('a', { timeFilter: 'lastWeek' }),
      // @ts-expect-error -- an unknown parameter
      () => client.results('a', { page: 2 }),
      // @ts-expect-error -- the groups of an agent are an array
      () => client.createAgent({ workspaceId: 'w', agent: { groups: {} } }),
      // @ts-expect-error -- an agent has a form
      () => client.importAgent({ workspaceId: 'w', agent: 'x' }),
      // @ts-expect-error -- a token is needed
      () => createClient({ baseUrl: BASE }),
      // @ts-expect-error -- a version 5 agent may be answered, which has no known name
      async () => (await client.getAgent('a')).agent.name,
      // @ts-expect-error -- the list may have ended
      async () => (await client.listResults('a')).nextCursor.length,
    ];
    expect(mistakes).toHaveLength(9);
    const pageOf = (answer: ListResultsResponse): string | null => answer.nextCursor;
    expect(pageOf({ results: [], nextCursor: null })).toBeNull();
  });
});
