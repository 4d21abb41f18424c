import { checks } from '../checks/index.ts';
import { now, target } from '../testing/test-run.ts';
import { tinyService, type TinyOptions } from '../testing/tiny-service.ts';
import { TransportError } from '../../http/explain-failure.ts';
import { UsageError } from '../usage-error.ts';
import { describeConformance as describeForJest } from './jest.ts';
import { registerChecks, type DescribeOptions, type TestFunctions } from './register.ts';
import { describeConformance as describeForVitest } from './vitest.ts';

interface Outcome {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly says: string;
}

/** Options for a service that keeps the contract, except for what `tiny` changes. */
function options(own: Partial<DescribeOptions> = {}, tiny: Partial<TinyOptions> = {}) {
  const { requests, transport } = tinyService({ now, ...tiny });
  const sleep = () => Promise.resolve();
  const { baseUrl: _, ...given } = target;
  return { requests, options: { ...given, transport, now, seed: 7, sleep, ...own } satisfies DescribeOptions };
}

/** A test framework that runs the registered tests one after another when it is told to. */
function fake(canSkip = true) {
  const tests: { readonly name: string; readonly body: Parameters<TestFunctions['test']>[1] }[] = [];
  const hooks: (() => Promise<void>)[] = [];
  const timeouts: number[] = [];
  let path: readonly string[] = [];
  const framework: TestFunctions = {
    describe(name, body) {
      const outer = path;
      path = [...outer, name];
      body();
      path = outer;
    },
    test: (name, body) => tests.push({ name: [...path, name].join(' > '), body }),
    beforeAll(body, timeout) {
      hooks.push(body);
      timeouts.push(timeout);
    },
  };
  const run = async (): Promise<readonly Outcome[]> => {
    for (const hook of hooks) await hook().catch(() => undefined);
    const outcomes: Outcome[] = [];
    for (const { name, body } of tests) {
      let skipped: string | undefined;
      const skip = (reason?: string) => void (skipped = reason);
      try {
        await (canSkip ? body({ skip }) : body());
        outcomes.push({ name, status: skipped === undefined ? 'passed' : 'skipped', says: skipped ?? '' });
      } catch (error) {
        outcomes.push({ name, status: 'failed', says: error instanceof Error ? (error.stack ?? '') : '' });
      }
    }
    return outcomes;
  };
  return { framework, tests, hooks, timeouts, run };
}

async function outcomesOf(own: Partial<DescribeOptions> = {}, tiny: Partial<TinyOptions> = {}, canSkip = true) {
  const { framework, run } = fake(canSkip);
  registerChecks(framework, options(own, tiny).options);
  return run();
}

let warn: jest.SpyInstance;
beforeEach(() => void (warn = jest.spyOn(console, 'warn').mockImplementation()));
afterEach(() => warn.mockRestore());

const unlike = (status: Outcome['status'], outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.filter((one) => one.status !== status);

describe('a service that keeps the contract', () => {
  test('passes a test for each check, and one more', async () => {
    const outcomes = await outcomesOf();
    expect(unlike('passed', outcomes)).toEqual([]);
    expect(outcomes.length).toBe(checks.length + 1);
    for (const { id, title } of checks)
      expect(outcomes.some(({ name }) => name.endsWith(`${title} [${id}]`))).toBe(true);
    expect(outcomes[0]?.name).toMatch(/^agent-contract > 4\.1 Create agent > .* \[create-agent-/);
    expect(outcomes.at(-1)?.name).toBe('agent-contract > something was judged');
  });

  test('is registered with bodies without a parameter, which Jest would take for a callback', () => {
    const { framework, tests } = fake();
    describeForJest(options().options, framework);
    expect(tests.map(({ body }) => body.length)).toEqual([...checks, 'something was judged'].map(() => 0));
  });

  test('is judged once for all tests, when they run and not before', async () => {
    const { framework, run, hooks, timeouts } = fake();
    const { requests, options: own } = options({ maxTimeMs: 60_000, only: ['4.6'] });
    registerChecks(framework, own);
    expect([requests.length, hooks.length]).toEqual([0, 1]);
    expect(timeouts[0]).toBeGreaterThan(60_000);
    await run();
    const { length } = requests;
    await run();
    expect(length).toBeGreaterThan(0);
    expect(requests.length).toBe(length);
  });

  test('may be found only when the tests run, and passes its report to the caller', async () => {
    const { transport } = options().options;
    const prepare = jest.fn(() => Promise.resolve({ transport }));
    const onReport = jest.fn<void, [{ readonly outcome: string }]>();
    const outcomes = await outcomesOf({ transport: undefined, prepare, onReport, name: 'ours', only: ['4.6'] });
    expect(unlike('passed', outcomes)).toEqual([]);
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(onReport.mock.calls.map(([{ outcome }]) => outcome)).toEqual(['conformant']);
  });
});

describe('a service that breaks the contract', () => {
  const before: TinyOptions['before'] = ({ path }, answer) => {
    if (!path.endsWith('/results')) return undefined;
    const { body, status } = answer();
    const { results = [], ...rest } = Object(body) as { readonly results?: readonly object[] };
    return { status, body: { ...rest, results: results.map((one) => ({ ...one, agentId: 'b\u009b31m' })) } };
  };

  test('fails the test of the check, with all that is needed to repeat it', async () => {
    const outcomes = await outcomesOf({ only: ['4.5'] }, { before });
    const [failed, ...others] = unlike('passed', outcomes);
    expect(others).toEqual([]);
    expect(failed?.name).toContain('[list-results-belong-to-the-agent]');
    const labels = failed?.says.split('\n').map((line) => line.slice(0, 12).trim());
    expect(labels?.join(' ')).toBe('CheckFailed: requires expected actual at times when request answer');
    expect(failed?.says).toContain('/results/0/agentId');
    expect(failed?.says).toContain('"authorization: Bearer $TOKEN"');
    expect(failed?.says).not.toContain('\u009b');
    expect(failed?.says).not.toMatch(/\n\s+at .*:\d+:\d+/);
  });
});

describe('a check that could not judge', () => {
  const refusing: Partial<TinyOptions> = { before: () => ({ status: 400 }) };
  const without = { readToken: undefined, only: ['4.3'] };
  const [check] = checks.filter(({ id }) => id === 'get-agent-mode-matches-token');

  test('fails, and says what to supply', async () => {
    const outcomes = await outcomesOf(without);
    const failed = unlike('passed', outcomes);
    expect(failed.map(({ name, status }) => [name.includes(`[${check?.id}]`), status])).toEqual([[true, 'failed']]);
    expect(failed[0]?.says).toMatch(/Not judged\. This needs a token .*--read-token/);
  });

  test('is skipped with the reason if that is allowed', async () => {
    const outcomes = unlike('passed', await outcomesOf({ ...without, allowNotJudged: true }));
    expect(outcomes).toMatchObject([{ status: 'skipped', says: expect.stringContaining('--read-token') as string }]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('ends there if skipping throws, as in Vitest', async () => {
    const { framework, tests } = fake();
    describeForVitest(options({ ...without, allowNotJudged: true }).options, framework);
    const skip = jest.fn(() => {
      throw new Error('skipped');
    });
    const ended = await Promise.allSettled(tests.map(({ body }) => body({ skip })));
    expect(skip.mock.calls).toEqual([[expect.stringContaining('--read-token')]]);
    expect(ended.filter(({ status }) => status === 'rejected').length).toBe(1);
  });

  test('is a warning if nothing can be skipped', async () => {
    const outcomes = await outcomesOf({ ...without, allowNotJudged: true }, {}, false);
    expect(unlike('passed', outcomes)).toEqual([]);
    const says = /^get-agent-mode-matches-token was not judged\. .*--read-token/;
    expect(warn.mock.calls).toEqual([[expect.stringMatching(says)]]);
  });

  const noPublished = { publishedAgentId: undefined };
  const noMode = 'This needs a token whose access is known. To judge it: --read-token or --guest-token.';
  test.each<[string, Partial<DescribeOptions>, Partial<TinyOptions>, string]>([
    ['get-agent-mode-matches-token', { readToken: undefined }, {}, noMode],
    ['get-published-agent-accepts-valid-request', noPublished, {}, 'This needs --published-agent-id.'],
    ['get-agent-accepts-valid-request', {}, refusing, 'Get agent answered 400, so nothing further is known.'],
  ])('of %s says why, and says once what to supply', async (id, own, tiny, expected) => {
    const outcomes = await outcomesOf({ ...own, only: [id], allowNotJudged: true }, tiny);
    expect(unlike('passed', outcomes)[0]?.says).toBe(expected);
  });

  test('is never the only outcome: a last test fails if nothing was judged', async () => {
    const outcomes = await outcomesOf({ token: undefined, readToken: undefined, allowNotJudged: true });
    const name = expect.stringContaining('something was judged') as string;
    expect(unlike('skipped', outcomes)).toMatchObject([{ name, status: 'failed' }]);
  });
});

describe('mistakes', () => {
  test.each<[string, Partial<DescribeOptions>]>([
    ['a pattern that matches nothing', { only: ['create-agnet'] }],
    ['neither a server nor a transport', { transport: undefined }],
  ])('%s is reported at once', (_, own) => {
    const { framework, tests } = fake();
    expect(() => registerChecks(framework, options(own).options)).toThrow(UsageError);
    expect(tests).toEqual([]);
  });

  const transport = () => Promise.reject(new TransportError('refused', 'Nobody is there.'));
  test.each<[string, Partial<DescribeOptions>, string]>([
    ['the run cannot start', { baseUrl: 'ftp://tiny.test' }, 'http://'],
    ['the server does not answer', { transport }, 'Nobody is there.'],
  ])('every test fails if %s', async (_, own, says) => {
    const outcomes = await outcomesOf({ ...own, only: ['4.6'] });
    expect(unlike('failed', outcomes)).toEqual([]);
    expect(outcomes.at(-1)?.says).toContain(says);
  });
});

describe('the functions of a test runner', () => {
  test.each([
    ['Jest', describeForJest],
    ['Vitest', describeForVitest],
  ])('of %s: an error names the remedy if they are missing', (_, describeConformance) => {
    const scope = globalThis as unknown as Record<string, unknown>;
    const { beforeAll: saved } = scope as { readonly beforeAll: unknown };
    scope['beforeAll'] = undefined;
    try {
      expect(() => describeConformance(options().options)).toThrow(/^There is no global beforeAll\. .*import \* as/);
    } finally {
      scope['beforeAll'] = saved;
    }
  });
});
