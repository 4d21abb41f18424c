import { createMock, readSeed, type Mock, type Seed } from '../../mock/index.ts';
import { harOf } from '../../conformance/testing/har-of.ts';
import { testFolder } from '../testing/test-io.ts';
import { withoutPasswords } from '../../text/secret-names.ts';

const { run, read: readFile, write } = testFolder();
const now = Date.UTC(2026, 4, 20, 15, 30);
const SECRET = 'a-token-of-somebody';

interface Read {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

const read = async (mock: Mock, target: string, init: RequestInit = {}): Promise<Read> => {
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
  const answer = await mock.fetch(target, { headers, ...init });
  return { method: init.method ?? 'GET', path: target, status: answer.status, body: await answer.text() };
};

/** Everything that a client reads about an agent. */
async function readAll(mock: Mock, id: string): Promise<readonly Read[]> {
  const reads = [await read(mock, `/api/v1/agents/${id}`), await read(mock, `/api/v1/agents/${id}/publishedAgent`)];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(mock, `/api/v1/agents/${id}/results?timeFilter=allTime&limit=100${query}`);
    reads.push(page);
    cursor = (JSON.parse(page.body) as { nextCursor: string | null }).nextCursor;
  }
  return reads;
}

const har = (reads: readonly Read[]): string => {
  const headers = { Authorization: `Bearer ${SECRET}` };
  const url = 'https://api.example.com/base';
  return harOf(reads.map((one, i) => ({ ...one, url: url + one.path, headers, at: now - 60_000 + i })));
};

const options = { now, frozen: true, tokens: { [SECRET]: 'write' } } as const;

async function recorded(persona: 'demo' | 'legacy') {
  const mock = createMock({ ...options, persona });
  const made = await read(mock, '/api/v1/workspaces', { method: 'POST', body: '{"name":"Made"}' });
  const { workspace } = JSON.parse(made.body) as { workspace: { id: string } };
  const body = JSON.stringify({ workspaceId: workspace.id, agent: { name: `Mail me: ann@firm.example ${SECRET}` } });
  const agent = await read(mock, '/api/v1/agents', { method: 'POST', body });
  const { id } = (JSON.parse(agent.body) as { agent: { id: string } }).agent;
  const ids = [...Array.from({ length: 4 }, (_, i) => mock.store.agentId(i)), id];
  const reads = [made, agent];
  for (const one of ids) reads.push(...(await readAll(mock, one)));
  return { reads, ids };
}

test.each(['demo', 'legacy'] as const)(
  'a mock that starts with it gives the recorded answers to reads of %s',
  async (persona) => {
    const { reads, ids } = await recorded(persona);
    const { status, stderr } = await run(['seed', write('traffic.har', har(reads)), '--output', 'seed.json']);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('mock --persona empty --seed-file seed.json --now 2026-05-20T15:29'),
    ]);
    const text = readFile('seed.json');
    expect(text).not.toContain(SECRET);
    const seedData = readSeed(text, 'seed.json');
    const again = createMock({ ...options, persona: 'empty', seedData });
    for (const id of ids) {
      const before = reads.filter(({ method, path: target }) => method === 'GET' && target.includes(id));
      const shown = (one: Read): unknown => {
        const { nextCursor: _, ...rest } = JSON.parse(
          withoutPasswords(one.body.replaceAll(SECRET, '$TOKEN')),
        ) as Record<string, unknown>;
        return one.status < 300 ? rest : undefined;
      };
      expect((await readAll(again, id)).map(shown)).toEqual(before.map(shown));
    }
    // Links stay valid: the workspace accepts new agents.
    const workspaceId = seedData.workspaces?.[0]?.['id'];
    const body = JSON.stringify({ workspaceId, agent: {} });
    expect((await read(again, '/api/v1/agents', { method: 'POST', body })).status).toBe(201);
  },
);

test('replaces personal data and nothing else, repeatably and with links intact', async () => {
  const { reads } = await recorded('demo');
  write('personal.har', har(reads));
  const make = async (...flags: string[]): Promise<string> => (await run(['seed', 'personal.har', ...flags])).stdout;
  const plain = await make();
  const first = await make('--replace-personal-data');
  expect(await make('--replace-personal-data', '--seed', '1')).toBe(first);
  expect(await make('--replace-personal-data', '--seed', '2')).not.toBe(first);
  const [before, after] = [JSON.parse(plain) as Seed, readSeed(first, 'seed')];
  const results = (of: Seed) => Object.values(of.results ?? {}).flat() as unknown as Result[];
  interface Result {
    readonly id: string;
    readonly createdAt: string;
    readonly metadata?: { readonly ip?: string };
    readonly answers: readonly { readonly blockId: string; readonly content: string }[];
  }
  const links = (of: Seed): unknown => ({
    agents: of.agents?.map(({ id, workspaceId, groups, edges }) => [
      id,
      workspaceId,
      JSON.stringify([groups, edges]).match(/"\w*[iI]d":"[^"]*"/g),
    ]),
    results: results(of).map(({ id, createdAt, answers }) => [id, createdAt, answers.map(({ blockId }) => blockId)]),
  });
  expect(links(after)).toEqual(links(before));
  // No text that somebody wrote is left, and equal texts have equal replacements.
  const contents = (of: Seed) => results(of).flatMap(({ answers }) => answers.map(({ content }) => content));
  const became = new Map(contents(before).map((content, i) => [content, contents(after)[i]]));
  expect(contents(after)).toEqual(contents(before).map((content) => became.get(content)));
  for (const { metadata } of results(after)) expect(metadata?.ip ?? '192.0.2.').toMatch(/^192\.0\.2\./);
  const emails = [...plain.matchAll(/[\w.]+@[\w.-]+\.\w+/g)].map(([email]) => email);
  expect(emails).toContain('ann@firm.example');
  expect(emails.filter((email) => first.includes(email))).toEqual([]);
  expect(first).toMatch(/@example\.com/);
  const names = before.agents?.map(({ name }) => JSON.stringify(name)).filter(({ length }) => length > 6) ?? [];
  expect(names.filter((name) => first.includes(name))).toEqual([]);
});

test('leaves out what a seed cannot hold, and says so', async () => {
  const entry = (target: string, body: unknown, status = 200): Read => ({
    method: 'GET',
    path: target,
    status,
    body: JSON.stringify(body),
  });
  const agent = { id: 'a', version: '6', name: 'A', icon: null, events: [], groups: [], edges: [], variables: [] };
  const traffic = har([
    entry('/api/v1/agents/a', { agent, currentUserMode: 'read' }),
    entry('/api/v1/agents/b', { agent: { ...agent, id: 'b', groups: 'none' }, currentUserMode: 'read' }),
    entry('/api/v1/agents/c/results', {
      results: [{ id: 'r', createdAt: '2026-05-20T10:00:00Z', workspaceId: 'w' }, { id: 's', createdAt: 'soon' }, {}],
      nextCursor: null,
    }),
    entry('/api/v1/agents/d', { error: 'no' }, 404),
    entry('/api/v1/folders', {}),
  ]);
  const { status, stdout, stderr } = await run(['seed', write('odd.har', traffic)]);
  const { agents, workspaces } = JSON.parse(stdout) as Seed;
  expect([status, agents?.map(({ id }) => id), workspaces?.map(({ id }) => id)]).toEqual([0, ['c', 'a'], ['w']]);
  for (const said of [
    /left out: agents\/b\/groups must be/,
    /results\/s\/createdAt is not an instant/,
    /1 results have no id/,
    /1 null value/,
    /path that is not in the specification/,
  ])
    expect(stderr).toMatch(said);
});

test.each([
  ['an empty recording', har([]), 1, /0 agents/],
  ['half a file', har([]).slice(0, -3), 1, /has no end: it was cut short, or is still being written/],
])('%s', async (_, text, status, message) => {
  const ended = await run(['seed', write('bad.har', text)]);
  expect(ended).toEqual({ status, stdout: '', stderr: expect.stringMatching(message) });
});

test('names an output that cannot be written', async () => {
  const { reads } = await recorded('demo');
  expect(await run(['seed', write('some.har', har(reads)), '--output', 'no/such/folder.json'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/--output: \S*no\/such\/folder\.json cannot be written/),
  });
});
