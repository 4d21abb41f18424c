import { gapIds } from '../spec/index.ts';
import { checks } from './checks/index.ts';
import type { Report } from './report/report.ts';
import type { Progress, RunOptions } from './run-options.ts';
import type { TinyAnswer, TinyOptions } from './testing/tiny-service.ts';
import { TransportError } from '../http/explain-failure.ts';
import { judgeTiny, now } from './testing/test-run.ts';
import { UsageError } from './usage-error.ts';

let plainly: ReturnType<typeof judgeTiny> | undefined;
/** A run that several tests share. */
const judgedPlainly = (): ReturnType<typeof judgeTiny> => (plainly ??= judgeTiny());

const failed = ({ checks: all }: Report): readonly string[] =>
  all.filter(({ status }) => status === 'fail').map(({ id }) => id);
const reasons = ({ checks: all }: Report): readonly string[] =>
  all.flatMap(({ id, reason }) => (reason === undefined ? [] : [`${id}: ${reason}`]));

describe('the tiny service, which keeps the contract', () => {
  test('is conformant, with few requests', async () => {
    const report = await judgedPlainly();
    expect(reasons(report)).toEqual([]);
    const counts = { pass: checks.length, fail: 0, notJudged: 0, error: 0 };
    expect(report).toMatchObject({ outcome: 'conformant', counts });
    expect(report.requests).toBe(report.sent.requests.length);
    expect(report.requests).toBeLessThan(430);
  });

  test('gets the same verdicts with the same seed and clock, at any concurrency', async () => {
    const [one, again, parallel] = await Promise.all([judgedPlainly(), judgeTiny(), judgeTiny({ concurrency: 8 })]);
    expect(again.sent.wires).toEqual(one.sent.wires);
    expect(parallel.counts).toEqual(one.counts);
    expect(parallel.checks.map(({ id }) => id)).toEqual(one.checks.map(({ id }) => id));
  });

  test('gets other names from another run with the same seed', async () => {
    const [one, later] = await Promise.all([judgedPlainly(), judgeTiny({ now: now + 1 }, { now: now + 1 })]);
    const names = (report: Report): readonly string[] =>
      report.created.map(({ name }) => name).filter((name) => name !== '(none)');
    expect(names(one)[0]).toMatch(/^agent-contract check \w+ (?:created|imported)$/);
    expect(new Set([...names(one), ...names(later)]).size).toBe(2 * new Set(names(one)).size);
  });

  test('names in its summary what was sent and never shown, which is no failure', async () => {
    const hides = (_: unknown, answer: () => TinyAnswer): TinyAnswer => {
      const { body = null, ...given } = answer();
      const hidden = Object(body).publicAgent ? 'typingEmulation' : 'customCss';
      const text = JSON.stringify(body, (name, value: unknown) => (name === hidden ? undefined : value));
      return { ...given, headers: { 'content-encoding': 'zstd' }, body: text };
    };
    const only = ['create-agent-keeps-what-was-sent', 'get-published-agent-shows-what-was-imported'];
    const { summary, ...report } = await judgeTiny({ only }, { before: hides });
    expect(summary).toMatch(
      /\d answers came in a content coding.* no answer: [^.]*theme\.customCss \(\d+ .* no public form: settings\.typingEmulation \(\d/,
    );
    expect(report.checks.map(({ status }) => status)).toEqual(['pass', 'pass']);
  });

  test('has everything that the run created in the report', async () => {
    const report = await judgedPlainly();
    const isMistyped = (body: { readonly agent?: unknown }): boolean =>
      (body.agent as { readonly icon?: unknown } | undefined)?.icon === 42;
    const posted = report.sent.requests.filter(
      ({ method, authorization = '', body }) =>
        method === 'POST' && ['Bearer good', 'Bearer reader'].includes(authorization) && !isMistyped(body),
    );
    expect(report.created.length).toBe(posted.length);
    expect(posted.length).toBeLessThanOrEqual(44);
    expect(report.created.every(({ name }) => name.includes('agent-contract') || name === '(none)')).toBe(true);
  });

  test('has observations where the specification leaves the choice open', async () => {
    const { observations } = await judgedPlainly();
    const choiceOf = (wanted: string) => observations.find(({ gap }) => gap === wanted)?.choice;
    // Of both creations and readings, of lists, of questions, and of two answers that differ.
    const some = ['unauthorized-status', 'last-page', 'bearer-case', 'identifier-format'].map(choiceOf);
    expect(some).toEqual(['unauthorized-401', 'with-last-result', 'exact', undefined]);
    expect(observations.length).toBeGreaterThan(gapIds.length / 2);
  });

  test('is asked nothing beyond the checks if probes are off', async () => {
    const [without, alone] = await Promise.all([
      judgeTiny({ observe: false }),
      // A check of this endpoint needs other endpoints: that a new workspace accepts agents.
      judgeTiny({ only: ['create-workspace'], skip: ['created-workspace-takes-agents'] }),
    ]);
    expect(without.outcome).toBe('conformant');
    expect(without.requests).toBeLessThan((await judgedPlainly()).requests);
    const elsewhere = alone.sent.requests.filter(({ path }) => !/workspaces(?:\/|;a=b)?$/.test(path));
    // Beside wrong credentials the run sends a request with the right ones.
    expect(new Set(elsewhere.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['GET /api/v1/agents/main']),
    );
  });
});

describe('options that the user did not give', () => {
  test('without a token nothing is sent, and nothing passes', async () => {
    const report = await judgeTiny({ token: undefined, readToken: undefined });
    expect(report).toMatchObject({ outcome: 'partial', requests: 0, counts: { pass: 0, fail: 0, error: 0 } });
    expect(report.checks.every(({ supply }) => supply !== undefined)).toBe(true);
  });

  test('without ids the run uses agents and a workspace that it creates', async () => {
    const report = await judgeTiny({ workspaceId: undefined, agentId: undefined, publishedAgentId: undefined });
    expect(report.outcome).toBe('partial');
    expect(failed(report)).toEqual([]);
    expect(report.counts.pass).toBeGreaterThan(35);
    const unjudged = report.checks.filter(({ status }) => status === 'not-judged');
    expect(unjudged.every(({ supply }) => supply !== undefined)).toBe(true);
  });

  test('read-only sends only what changes nothing', async () => {
    const report = await judgeTiny({ readOnly: true });
    expect(new Set(report.sent.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
    expect(report).toMatchObject({ outcome: 'partial', created: [] });
    expect(failed(report)).toEqual([]);
  });

  test.each([
    ['an unknown token', { token: 'wrong' }],
    ['unknown ids', { agentId: 'nobody', publishedAgentId: 'nobody' }],
  ])('%s is a mistake of the user, not of the target', async (_, options) => {
    const report = await judgeTiny(options);
    expect(failed(report)).toEqual([]);
    expect(report.outcome).toBe('partial');
  });

  test('an agent without results leaves the list unjudged', async () => {
    const report = await judgeTiny({}, { ages: [] });
    expect(failed(report)).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'list-results-answer-shape')?.status).toBe('not-judged');
  });
});

describe('a service that breaks the contract', () => {
  test('a closed socket on a request without authorization is not a refusal', async () => {
    const before: TinyOptions['before'] = ({ authorization, path }) => {
      if (authorization === undefined && path === '/api/v1/agents/main')
        throw new TransportError('reset', 'It closed.');
      return undefined;
    };
    const report = await judgeTiny({}, { before });
    // A token in the query or in a cookie also comes without the header.
    expect(failed(report)).toEqual(['get-agent-refuses-no-authorization', 'get-agent-refuses-token-elsewhere']);
    for (const { failure } of report.checks.filter(({ status }) => status === 'fail'))
      expect(failure).toMatchObject({ expected: expect.stringContaining('is answered, and refused') as string });
    expect(report.checks.flatMap(({ failure }) => failure?.exchanges.at(-1)?.failure ?? [])).toEqual(
      Array<string>(2).fill('It closed.'),
    );
  });

  test('one that answers nothing is unreachable, after three requests', async () => {
    const transport = (): Promise<never> => Promise.reject(new TransportError('refused', 'Nobody is there.'));
    const report = await judgeTiny({ transport, concurrency: 1 });
    expect(report).toMatchObject({ outcome: 'unreachable', requests: 3 });
    expect(report.summary).toContain('Nobody is there.');
  });

  test('one that never answers is given up in time', async () => {
    const report = await judgeTiny({ transport: () => new Promise(() => undefined), timeoutMs: 10 });
    expect(report).toMatchObject({ outcome: 'unreachable', counts: { pass: 0, fail: 0, error: 0 } });
  });

  const ends = [34, 40].flatMap((answered) => [1, 4, 16].map((concurrency) => [answered, concurrency] as const));
  test.each(ends)('one that stops answering after %d is given up, %d at once', async (answered, concurrency) => {
    const outOfTime = 'It took too long.';
    const stopped = `The target stopped answering: ${outOfTime}`;
    let n = 0;
    const before: TinyOptions['before'] = () => {
      if (++n > answered) throw new TransportError('timeout', outOfTime);
      return undefined;
    };
    const report = await judgeTiny({ concurrency }, { before });
    // Those in progress or in line, each twice, and what was served before, five times.
    expect(report.requests).toBeLessThanOrEqual(answered + 5 + 2 * (concurrency + 3));
    expect(report.counts.pass).toBeGreaterThan(5);
    expect(report).toMatchObject({ outcome: 'partial', counts: { fail: 0, error: 0 } });
    expect(report.summary).toContain(stopped);
    const why = report.checks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
    expect(why.filter((reason) => !reason.includes(outOfTime))).toEqual([]);
    expect(why.filter((reason) => reason === stopped).length).toBeGreaterThan(20);
  });
});

describe('the report', () => {
  test.each(['body', 'url'] as const)(
    'shows no token of a request that had it in its %s, and was served',
    async (place) => {
      const before: TinyOptions['before'] = (request, answer, { headers, [place]: text = '' }) => {
        const isIn = headers['authorization'] === 'Bearer canary-8f3a' || text.includes('canary');
        return answer({ ...request, authorization: isIn ? 'Bearer good' : undefined });
      };
      const given = { token: 'canary-8f3a', headers: { 'X-Api-Key': 'key-canary-77' }, only: ['5'] };
      const { sent, ...shown } = await judgeTiny(given, { before });
      expect(sent.wires[0]?.headers['x-api-key']).toBe('key-canary-77');
      expect(failed(shown)).toContain('create-agent-refuses-token-elsewhere');
      expect(JSON.stringify(shown)).not.toMatch(/canary/);
    },
  );

  test('comes with progress, and with each check at the end', async () => {
    const seen: string[] = [];
    const told: Progress[] = [];
    const report = await judgeTiny({ onCheck: ({ id }) => seen.push(id), onProgress: (one) => told.push(one) });
    const [latest, requests] = [told.at(-1), told.map((one) => one.requests)];
    expect(latest).toMatchObject({ failing: report.counts.fail, round: 1 });
    expect(Math.abs((latest?.about ?? 0) / report.requests - 1)).toBeLessThan(0.2);
    expect(seen).toEqual(report.checks.map(({ id }) => id));
    expect(requests.at(-1)).toBe(report.requests);
    expect(requests).toEqual(requests.toSorted((one, other) => one - other));
  });

  test('is complete when the run is stopped', async () => {
    const controller = new AbortController();
    const report = await judgeTiny({
      signal: controller.signal,
      onProgress: ({ requests }) => {
        if (requests >= 60) controller.abort();
      },
    });
    expect(report.checks.length).toBe(checks.length);
    expect(report.outcome).toBe('partial');
    expect(report.counts.pass).toBeGreaterThanOrEqual(3);
  });
});

test.each<Partial<RunOptions>>([{ baseUrl: 'tiny.test' }, { only: ['create-agnet'] }, { skip: ['*'] }])(
  'options that are invalid are refused: %j',
  async (options) => {
    await expect(judgeTiny(options)).rejects.toThrow(UsageError);
  },
);
