import { judgeClient } from '../consumer/judge-client.ts';
import type { ClientTests } from '../consumer/runs/run-functions.ts';
import { failing } from '../consumer/report.ts';
import type { Mock } from '../mock/index.ts';
import { gaps, type GapId } from '../spec/index.ts';

interface Page {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

/** A request of a client, and what it is answered. */
async function ask(mock: Mock, path: string, body?: object) {
  const headers = { authorization: `Bearer ${mock.target.token}`, 'content-type': 'application/json' };
  let answer: Response;
  do answer = await mock.fetch(path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
  while (answer.status === 429);
  // Each byte is one character: `text()` would leave out a byte order mark.
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  const type = answer.headers.get('content-type');
  const parsed = () => JSON.parse(Buffer.from(text, 'latin1').toString()) as Page & { agent: Record<string, unknown> };
  return { status: answer.status, type, text, parsed };
}

const agentPath = ({ target }: Mock): string => `/api/v1/agents/${target.agentId}`;
const listPath = (mock: Mock, query: string): string => `${agentPath(mock)}/results?timeFilter=allTime&${query}`;

async function twoPages(mock: Mock, encode: (cursor: string) => string) {
  const first = await ask(mock, listPath(mock, 'limit=7'));
  const cursor = encode(/"nextCursor":"([^"]+)"/.exec(first.text)?.[1] ?? 'none');
  return [first, await ask(mock, listPath(mock, `limit=7&cursor=${cursor}`))] as const;
}

function fail(isWrong: boolean): void {
  if (isWrong) throw new Error('It is not so.');
}

/** Requests that meet much: reads, a list in pages, a creation that is read back, and refusals. */
const requests: Readonly<Record<string, (mock: Mock) => Promise<readonly Awaited<ReturnType<typeof ask>>[]>>> = {
  reads: async (mock) => [
    await ask(mock, agentPath(mock)),
    await ask(mock, `/api/v1/agents/${mock.target.publishedAgentId}/publishedAgent`),
    await ask(mock, `/api/v1/agents/${mock.target.v5AgentId}`),
    await ask(mock, '/api/v1/agents/nobody'),
  ],
  walks: async (mock) => [...(await twoPages(mock, encodeURIComponent)), await ask(mock, listPath(mock, ''))],
  creates: async (mock) => {
    const { workspaceId } = mock.target;
    const made = await ask(mock, '/api/v1/agents', { workspaceId, agent: { name: 'Ünïcode', groups: [] } });
    const id = /"agent":\{[^{}]*?"id":"([^"]+)"/.exec(made.text)?.[1] ?? 'none';
    return [made, await ask(mock, `/api/v1/agents/${id}`), await ask(mock, '/api/v1/workspaces', { name: 'Mine' })];
  },
};

const time = { now: Date.UTC(2026, 4, 20), frozen: true };

/** A suite with the requests above, which asserts what `asserts` does, with what was answered the first time. */
function suite(asserts: (seen: string, first: string) => void): ClientTests {
  const first = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(requests).map(([name, send]) => [
      name,
      async (mock: Mock) => {
        const seen = JSON.stringify((await send(mock)).map(({ status, type, text }) => [status, type, text]));
        if (!first.has(name)) first.set(name, seen);
        asserts(seen, first.get(name) ?? '');
      },
    ]),
  );
}

test('a suite that asserts nothing notices no fault, leans on nothing and needs nothing', async () => {
  const report = await judgeClient({ tests: suite(() => {}), mock: time });
  expect(report.faults?.noticed).toEqual([]);
  expect(report.faults?.unnoticed.length).toBeGreaterThan(60);
  expect(report.findings.filter(({ aspect }) => aspect === 'freedom')).toEqual([]);
  expect(Object.values(report.needs?.endpoints ?? {}).map(({ fields }) => fields)).toEqual([{}, {}, {}, {}, {}]);
  expect([report.open, report.faults?.untried]).toEqual([[], []]);
});

test('a suite that asserts everything it sees notices every fault that it reaches', async () => {
  const everything = suite((seen, first) => fail(seen !== first));
  const report = await judgeClient({ tests: everything, mock: time, only: ['faults'] });
  expect(report.faults?.unnoticed).toEqual([]);
  expect(report.faults?.noticed.length).toBeGreaterThan(60);
});

/** What a client by the letter reads, whatever a server chooses. */
const byTheLetter: ClientTests = {
  'shows the agent': async (mock) => {
    const { status, parsed } = await ask(mock, agentPath(mock));
    const { id, name } = parsed().agent;
    fail(status < 200 || status > 299 || id !== mock.target.agentId || typeof name !== 'string');
  },
  'refuses an agent that is not there': async (mock) => {
    const { status } = await ask(mock, '/api/v1/agents/nobody');
    fail(status >= 200 && status < 300);
  },
  'walks to the end': async (mock) => {
    const seen = new Set<unknown>();
    let cursor: string | null = null;
    let pages = 0;
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { results, nextCursor }: Page = (await ask(mock, listPath(mock, `limit=50${after}`))).parsed();
      for (const { id } of results) fail(seen.size === seen.add(id).size);
      cursor = nextCursor;
    } while (cursor !== null && pages++ < 200);
    fail(seen.size === 0);
  },
  'makes an agent': async (mock) => {
    const { status, parsed } = await make(mock);
    fail(status > 299 || parsed().agent['name'] !== 'Mine');
  },
};

test('a client by the letter is red under no freedom', async () => {
  const mock = { persona: 'tiny', ...time } as const;
  const report = await judgeClient({ tests: byTheLetter, mock, only: ['freedom', 'sent'] });
  expect(report.findings).toEqual([]);
  expect([report.outcome, report.freedoms?.length]).toEqual(['sound', expect.any(Number)]);
  expect(report.freedoms?.length).toBeGreaterThan(25);
});

const agentOf = async (mock: Mock): Promise<Record<string, unknown>> =>
  (await ask(mock, agentPath(mock))).parsed().agent;

/** All choices but the first, with which a mock begins. */
const others = (gap: GapId): readonly string[] =>
  Object.keys(gaps[gap].choices).flatMap((id, at) => (at > 0 ? `${gap}=${id}` : []));

const make = (mock: Mock) =>
  ask(mock, '/api/v1/agents', { workspaceId: mock.target.workspaceId, agent: { name: 'Mine' } });

/** A habit of a client, and the choices, and only those, under which it breaks. */
const habits: Readonly<Record<string, readonly [habit: (mock: Mock) => Promise<void>, breaks: readonly string[]]>> = {
  'relies on 404': [
    async (mock) => fail((await ask(mock, '/api/v1/agents/nobody')).status !== 404),
    others('not-found-status'),
  ],
  // A server that answers with an empty list never says it.
  'relies on no 403 for the list of an agent that is not there': [
    async (mock) => fail((await ask(mock, '/api/v1/agents/nobody/results')).status === 403),
    ['not-found-status=forbidden-403'],
  ],
  'relies on full pages': [
    async (mock) => fail((await ask(mock, listPath(mock, 'limit=20'))).parsed().results.length !== 20),
    ['page-filling=short'],
  ],
  'relies on a result on each page': [
    async (mock) => fail((await twoPages(mock, encodeURIComponent))[1].parsed().results.length === 0),
    ['page-filling=empty'],
  ],
  'relies on cursors that need no encoding': [
    async (mock) => fail((await twoPages(mock, String))[1].status !== 200),
    ['cursor-characters=any'],
  ],
  'relies on the order of keys': [
    async (mock) => fail((await ask(mock, agentPath(mock))).text.search(/"agent".*"currentUserMode"/) < 0),
    ['keys=reversed'],
  ],
  'relies on milliseconds in times': [
    async (mock) => fail(!/\.\d{3}Z$/.test(String((await agentOf(mock))['createdAt']))),
    others('timestamp-format'),
  ],
  'relies on Color': [
    async (mock) => fail(!/"Color"/.test((await ask(mock, agentPath(mock))).text)),
    others('known-values'),
  ],
  'relies on null being absent': [
    async (mock) => fail(Object.values((await make(mock)).parsed().agent).includes(null)),
    ['absent-values=null'],
  ],
  'relies on []': [async (mock) => fail(!('tags' in (await make(mock)).parsed().agent)), ['absent-values=empty-too']],
  'relies on 201': [
    async (mock) => fail((await ask(mock, '/api/v1/workspaces', { name: 'Mine' })).status !== 201),
    others('success-status'),
  ],
  'relies on application/json': [
    async (mock) => fail((await ask(mock, agentPath(mock))).type?.startsWith('application/json') !== true),
    ['answer-content-type=other'],
  ],
  'relies on the detail of an error': [
    async (mock) => fail(!(await ask(mock, '/api/v1/agents/nobody')).text.includes('"detail"')),
    others('error-body'),
  ],
  'relies on the length of identifiers': [
    async (mock) => {
      // An agent that is not there names none of the mock.
      await ask(mock, '/api/v1/agents/nobody');
      fail(String((await agentOf(mock))['id']).length !== 25);
    },
    others('identifier-format'),
  ],
  // Whether such a name comes once or twice.
  'relies on known names': [async (mock) => fail(/_v|_links/.test((await make(mock)).text)), ['extra-fields=some']],
  'relies on the version': [async (mock) => fail((await agentOf(mock))['version'] !== '6'), ['version-field=omitted']],
  'relies on what the server fills in': [
    async (mock) => fail(!('updatedAt' in (await agentOf(mock)))),
    ['server-filled-fields=few'],
  ],
  'relies on a quick answer': [
    async (mock) => {
      // The quickest of some, since a busy machine may be slow once.
      let quickest = Infinity;
      for (let tries = 0; tries < 6 && quickest > 140; tries++) {
        const began = performance.now();
        await ask(mock, agentPath(mock));
        quickest = Math.min(quickest, performance.now() - began);
      }
      fail(quickest > 140);
    },
    ['latency=150'],
  ],
  'relies on the order of two answers': [
    async (mock) => {
      const came: number[] = [];
      await Promise.all([1, 2].map((n) => mock.fetch(listPath(mock, `limit=${n}`)).then(() => came.push(n))));
      fail(came[0] !== 1);
    },
    ['latency=uneven'],
  ],
  'relies on seconds in Retry-After': [
    async (mock) => fail(/\D/.test((await mock.fetch(agentPath(mock))).headers.get('retry-after') ?? '')),
    ['rate-limit=bursts-until'],
  ],
};

test('each planted habit is named, and no other', async () => {
  const tests = Object.fromEntries(Object.entries(habits).map(([name, [habit]]) => [name, habit]));
  const report = await judgeClient({ tests, mock: time, only: ['freedom'] });
  const broken = (name: string): readonly string[] =>
    failing(report)
      .filter((one) => one.tests.includes(name))
      .map(({ id }) => id.replace('freedom:', ''));
  const named = Object.fromEntries(Object.keys(habits).map((name) => [name, broken(name).toSorted()]));
  expect(named).toEqual(Object.fromEntries(Object.entries(habits).map(([name, [, ids]]) => [name, ids.toSorted()])));
});

test('planted needs are recovered exactly', async () => {
  const tests: ClientTests = {
    'the name and a colour': async (mock) => {
      const { name, theme } = (await agentOf(mock)) as { name: string; theme: { general: { font: string } } };
      fail(name === '' || !/^[A-Z][\w ]+[^x]$/.test(theme.general.font));
    },
    'the answers of a visitor': async (mock) => {
      const { results } = (await ask(mock, listPath(mock, 'limit=10'))).parsed();
      for (const { answers } of results as unknown as { answers: readonly { blockId: string }[] }[])
        for (const { blockId } of answers) fail(blockId === undefined);
    },
  };
  expect((await judgeClient({ tests, mock: time, only: ['needs'] })).needs?.endpoints).toEqual({
    'get-agent': {
      parameters: [],
      fields: {
        '/agent': ['absent', 'empty'],
        '/agent/name': ['empty'],
        '/agent/theme': ['absent', 'empty'],
        '/agent/theme/general': ['absent', 'empty'],
        '/agent/theme/general/font': ['absent', 'empty', 'other'],
      },
    },
    'list-results': {
      parameters: ['limit', 'timeFilter'],
      fields: { '/results': ['absent'], '/results/*/answers': ['absent'], '/results/*/answers/*/blockId': ['absent'] },
    },
  });
});
