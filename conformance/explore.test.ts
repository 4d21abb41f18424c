import { explorationCheck } from './explore.ts';
import type { CheckReport, Report } from './report/report.ts';
import { runConformance, type RunOptions } from './run.ts';
import { tinyService, type TinyAnswer, type TinyOptions, type TinyRequest } from './tiny-service.ts';
import { TransportError } from './http/transport.ts';
import { UsageError } from './usage-error.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);

type Before = NonNullable<TinyOptions['before']>;

async function explore(
  options: Partial<RunOptions> = {},
  before?: Before,
): Promise<{ readonly report: Report; readonly check: CheckReport; readonly service: ReturnType<typeof tinyService> }> {
  const service = tinyService({ now, ...(before ? { before } : {}) });
  const report = await runConformance({
    baseUrl: 'http://tiny.test',
    token: 'good',
    workspaceId: 'w',
    agentId: 'main',
    publishedAgentId: 'main',
    transport: service.transport,
    now,
    seed: 7,
    sleep: () => Promise.resolve(),
    only: [explorationCheck.id],
    explore: 30,
    ...options,
  });
  const check = report.checks.find(({ id }) => id === explorationCheck.id);
  if (!check) throw new Error('nothing was explored');
  return { report, check, service };
}

const creates = ({ method, path }: TinyRequest): boolean => method === 'POST' && path.startsWith('/api/v1/agents');
const idRead = ({ method, path }: TinyRequest): string | undefined =>
  method === 'GET' ? /^\/api\/v1\/agents\/([^/]+)$/.exec(path)?.[1] : undefined;
const agentIn = ({ body }: TinyAnswer): Record<string, unknown> => (body as { agent: Record<string, unknown> }).agent;

describe('a service that keeps to the contract', () => {
  test('is explored only where that is asked for', async () => {
    const { transport } = tinyService({ now });
    const report = await runConformance({ baseUrl: 'http://tiny.test', token: 'good', transport, now, only: ['4.3'] });
    expect(report.checks.map(({ id }) => id)).not.toContain(explorationCheck.id);
    expect(report.options?.explore).toBeUndefined();
  });

  test('passes, and has everything that was created in the report', async () => {
    const { report, check, service } = await explore();
    expect(check.status).toBe('pass');
    expect(report.outcome).toBe('conformant');
    expect(report.options?.explore).toBe(30);
    const posted = service.requests.filter(creates);
    expect(posted.length).toBeGreaterThan(30);
    expect(report.created.length).toBe(posted.length);
    expect(report.created.every(({ name }) => name.startsWith('agent-contract check '))).toBe(true);
    expect(new Set(report.created.map(({ name }) => name)).size).toBe(posted.length);
    expect(report.requests).toBeLessThan(30 * 16);
  });

  test('is asked everything that there is, in another order each time', async () => {
    const { service } = await explore();
    const kinds = service.requests.map(
      ({ method, path }) => `${method} ${path.replace(/\/agents\/a\d+/, '/agents/x')}`,
    );
    expect(new Set(kinds)).toEqual(
      new Set([
        'POST /api/v1/agents',
        'POST /api/v1/agents/import',
        'GET /api/v1/agents/x',
        'GET /api/v1/agents/x/results',
        'GET /api/v1/agents/x/publishedAgent',
        'GET /api/v1/agents/main',
        'GET /api/v1/agents/main/results',
        'GET /api/v1/agents/main/publishedAgent',
      ]),
    );
  });

  test('is asked the same with the same seed, and other things with another', async () => {
    const wires = async (seed: number): Promise<unknown> => {
      const { service } = await explore({ seed, explore: 5 });
      return service.wires.map(({ method, url, body }) => [method, url, body]);
    };
    const [one, again, other] = [await wires(1), await wires(1), await wires(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test.each<[string, Before]>([
    [
      'finds an agent a moment late',
      (() => {
        const seen = new Set<string>();
        return (request) => {
          const id = idRead(request);
          if (id === undefined || id === 'main' || seen.has(id)) return undefined;
          seen.add(id);
          return { status: 404 };
        };
      })(),
    ],
    [
      'creates no more than it has room for',
      (() => {
        let made = 0;
        return (request) => (creates(request) && ++made > 9 ? { status: 402, body: {} } : undefined);
      })(),
    ],
    [
      'answers null for an agent that is not published',
      ({ path }) =>
        path.endsWith('/publishedAgent') && !path.includes('/main/')
          ? { status: 200, body: { publicAgent: null } }
          : undefined,
    ],
    [
      'shows but the identifier of a new agent',
      (request, answer) =>
        creates(request) ? { status: 200, body: { agent: { id: agentIn(answer())['id'], version: '6' } } } : undefined,
    ],
    ['cannot list results', ({ path }) => (path.endsWith('/results') ? { status: 500 } : undefined)],
  ])('is not blamed where it %s', async (_, before) => {
    const { check, report } = await explore({ only: [explorationCheck.id, '*-answer-shape'] }, before);
    expect(check.status).toBe('pass');
    expect(report.counts.fail).toBe(0);
  });
});

describe('a service that breaks it', () => {
  test('is shown the shortest sequence that does, as curl lines', async () => {
    const imported: Record<string, unknown>[] = [];
    const place = (id: unknown): number => Number(String(id).slice(1));
    const { check, report } = await explore({}, (request, answer) => {
      const answered = answer();
      const id = idRead(request);
      if (request.path.endsWith('/import')) imported.push(agentIn(answered));
      const later = imported.find((agent) => place(agent['id']) > place(id));
      return id === undefined || !later
        ? answered
        : { status: 200, body: { ...Object(answered.body), agent: { ...later, id } } };
    });
    expect(check).toMatchObject({ status: 'fail', failure: { at: '/agent/name' } });
    const { expected = '', actual = '', exchanges = [] } = check.failure ?? {};
    expect(expected).toMatch(/^of the agent A the name as it was answered: /);
    // Reading an agent that was created, once another was imported after it.
    expect(actual).toMatch(/, after this: create A, import B, read A \(found in sequence \d+, and shortened\)$/);
    expect(exchanges.map(({ method, url }) => `${method} ${url.replace(/\/a\d+$/, '/x')}`)).toEqual([
      'POST http://tiny.test/api/v1/agents',
      'POST http://tiny.test/api/v1/agents/import',
      'GET http://tiny.test/api/v1/agents/x',
    ]);
    for (const { curl } of exchanges) expect(curl).toMatch(/^(printf|curl) .*"authorization: Bearer \$TOKEN"/);
    expect(report.requests).toBeLessThan(30 * 16 + 220);
  });

  test.each<[string, Before, { readonly steps: string; readonly actual: string }]>([
    [
      'forgets an agent',
      (request) => (/^a\d/.test(idRead(request) ?? '') ? { status: 404 } : undefined),
      { steps: 'create A, read A', actual: 'Get agent answered 404' },
    ],
    [
      'gives an identifier twice',
      (request, answer) =>
        creates(request) ? { status: 200, body: { agent: { ...agentIn(answer()), id: 'a7' } } } : undefined,
      { steps: 'create A', actual: 'which Create agent or its like answered before' },
    ],
    [
      'shows the public form of another',
      ({ path }) =>
        path.endsWith('/publishedAgent')
          ? { status: 200, body: { publicAgent: { id: 'p', agentId: 'other', version: '6' } } }
          : undefined,
      { steps: 'read public form of', actual: 'that of "other"' },
    ],
    [
      'lists the same results for all',
      ({ path }) =>
        path.endsWith('/results')
          ? { status: 200, body: { results: [{ id: 'r', createdAt: '2026-05-20T00:00:00Z' }], nextCursor: null } }
          : undefined,
      { steps: 'list', actual: 'lists too' },
    ],
  ])('one that %s is found', async (_, before, { steps, actual }) => {
    const { check } = await explore({}, before);
    expect(check.status).toBe('fail');
    expect(check.failure?.actual).toContain(actual);
    expect(check.failure?.actual).toContain(`, after this: ${steps}`);
  });

  test('costs few requests more, however hard it is to shorten', async () => {
    // Reads otherwise now and then, so that nothing shorter seems to show it.
    let [requests, reads, first] = [0, 0, 0];
    const before: Before = (request, answer) => {
      requests++;
      const id = idRead(request);
      if (id === undefined || id === 'main' || ++reads % 13 !== 0) return undefined;
      first ||= requests;
      return { status: 200, body: { ...Object(answer().body), agent: { ...agentIn(answer()), name: 'Another' } } };
    };
    const { check } = await explore({ explore: 1000 }, before);
    expect(check.status).toBe('fail');
    expect(requests - first).toBeGreaterThan(100);
    expect(requests - first).toBeLessThan(230);
  });
});

describe('what cannot be explored', () => {
  test('read-only: nothing is sent', async () => {
    const { check, service } = await explore({ readOnly: true });
    expect(check).toMatchObject({ status: 'not-judged', supply: 'a run without --read-only' });
    expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
  });

  test('a token that ends in the middle is no reason to blame anybody', async () => {
    let left = 60;
    const { check } = await explore({}, () => (--left < 0 ? { status: 401 } : undefined));
    expect(check).toMatchObject({ status: 'not-judged' });
    expect(check.reason).toMatch(/^Only \d+ of 30 sequences came to an end\. Get agent answered 401/);
  });

  test.each([
    ['one that never came costs no more than its sequence', [20], /^Only 29 of 30 .* Answers were missing\.$/],
    ['three end it', [20, 40, 60], /^Only ([1-9]|1\d) of 30 sequences came to an end\. It closed\.$/],
  ])('nor are answers missing: %s', async (_, missing, reason) => {
    let n = 0;
    const { check } = await explore({}, () => {
      if (missing.includes(++n)) throw new TransportError('reset', 'It closed.');
      return undefined;
    });
    expect(check.status).toBe('not-judged');
    expect(check.reason).toMatch(reason);
  });

  test('a run whose time is over says how far it came', async () => {
    const { check } = await explore({ explore: 10_000, maxTimeMs: 300 });
    expect(check.status).toBe('not-judged');
    expect(check.reason).toMatch(/^Only \d+ of 10000 sequences came to an end\. The time for the run was over\.$/);
  });

  test('agents that cannot be read', async () => {
    const { check } = await explore({}, (request) => (idRead(request) === undefined ? undefined : { status: 500 }));
    expect(check).toMatchObject({ status: 'not-judged' });
  });
});

test.each<[string, Partial<RunOptions>]>([
  ['no sequences', { explore: 0 }],
  ['half a sequence', { explore: 1.5 }],
  ['the check without leave to explore', { explore: undefined }],
])('%s: that makes no sense', async (_, options) => {
  await expect(explore(options)).rejects.toThrow(UsageError);
});
