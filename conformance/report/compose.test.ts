import { CannotProbe } from '../probes/cannot-probe.ts';
import type { Check, Finding, Verdict } from '../check.ts';
import { createFacts } from '../history/facts/facts.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { checkReport, madeBy, statusOfAll, verdictOf } from './compose.ts';
import { shownBy, shownTogether } from './shown.ts';
import { recorderWithout } from './recorded.ts';
import type { CheckReport } from './report.ts';

const record = recorderWithout([]);
const silent = { phase: 'first', queue: 'lists', send: () => Promise.resolve() } as const;
const check: Check = {
  id: 'it-holds',
  title: 'It holds',
  endpoint: 'get-agent',
  verifies: ['get-agent-answer', 'agent-shape'],
  provenBy: ['get-agent-refused'],
  probes: [silent, { ...silent }],
  judge: () => ({}),
};
const { excerpt } = sampleExchange({ n: 1 });
const finding: Finding = { expected: 'a string', actual: 'the number 3', at: '/agent/name', exchanges: [excerpt] };

const reported = (verdict: Verdict, failed: readonly unknown[] = [], id = 'it-holds'): CheckReport =>
  checkReport({ check: { ...check, id }, verdict }, failed, record);

const holds = reported({ findings: [], judged: 3 });
const missing = { reason: 'No list was read.', supply: '--agent-id' };
const noToken = new CannotProbe('This needs a token.', '--token');

describe('a check', () => {
  test.each<[string, Verdict, readonly unknown[], Partial<CheckReport>]>([
    ['passes if it was judged', { findings: [], judged: 3 }, [], { status: 'pass', judged: 3 }],
    ['passes even if one of its requests was not sent', { findings: [], judged: 1 }, [noToken], { status: 'pass' }],
    ['is not judged without any exchange', { findings: [], judged: 0 }, [], { status: 'not-judged', judged: 0 }],
    ['is not judged on too little', { findings: [], judged: 2, missing }, [], { status: 'not-judged', ...missing }],
    [
      'says what kept its only requests from being sent',
      { findings: [], judged: 0, missing },
      [noToken, noToken],
      { status: 'not-judged', reason: 'This needs a token.', supply: '--token' },
    ],
    ['says what is missing if something was sent', { findings: [], judged: 0, missing }, [noToken], missing],
    ['is an error if our own code threw', { findings: [], judged: 1 }, [new TypeError('x')], { status: 'error' }],
    ['fails even if our own code threw', { findings: [finding], judged: 1 }, [new TypeError('x')], { status: 'fail' }],
    ['fails on one finding, whatever is missing', { findings: [finding], judged: 1, missing }, [], { status: 'fail' }],
  ])('%s', (_, verdict, failed, expected) => {
    expect(reported(verdict, failed)).toMatchObject(expected);
  });

  test('names the broken requirement, which is the first of the check unless the finding names another', () => {
    const broken = (one: Finding) => reported({ findings: [one], judged: 1 }).failure?.requirement;
    expect(broken(finding)).toBe('get-agent-answer');
    expect(broken({ ...finding, requirement: 'agent-shape' })).toBe('agent-shape');
  });

  test('summarises further findings, and has no summary for a single one', () => {
    const { at: _at, ...nowhere } = finding;
    expect(reported({ findings: [finding], judged: 1 }).failure?.more).toBeUndefined();
    expect(reported({ findings: [finding, finding, nowhere], judged: 1 }).failure?.more).toEqual([
      { expected: 'a string', actual: 'the number 3', at: '/agent/name' },
      { expected: 'a string', actual: 'the number 3' },
    ]);
  });

  test('is an error if its judge threw', () => {
    expect(checkReport({ check, error: new RangeError('too deep') }, [], record)).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('too deep') as string,
    });
  });
});

type Excused = ReturnType<typeof shownBy>['excused'];
interface More {
  readonly givenUp?: string;
  readonly answers?: number;
}

/** The report of a run whose answers had these statuses. */
function run(statuses: readonly number[], checks: readonly CheckReport[], more: More = {}) {
  const { facts, see } = createFacts({ target: {}, strict: false });
  for (const [n, status] of statuses.entries())
    see(sampleExchange({ n: n + 1, status, json: {}, open: status >= 500 }));
  const statistics = {
    requests: statuses.length,
    answers: more.answers ?? statuses.length,
    lastFailure: 'Nobody is there.',
    givenUp: more.givenUp,
    everyStatus: statusOfAll(facts.traffic),
  };
  return verdictOf(checks, shownBy(facts), statistics, record);
}

describe('a run', () => {
  const unjudged = reported({ findings: [], judged: 0, missing });
  const fails = (id: string, at = '/agent/name'): CheckReport =>
    reported({ findings: [{ ...finding, at }], judged: 1 }, [], id);
  const nothing = { findings: [], judged: 0 };
  const broken = reported(nothing, [new TypeError('x')]);
  const givenUp = 'It stopped.';
  const counts = { pass: 1, notJudged: 1, fail: 0, error: 0 };

  test('says how late an agent appeared', () => {
    const { facts, see } = createFacts({ target: {}, strict: false });
    const at = Date.UTC(2026, 4, 20, 12);
    see(sampleExchange({ n: 1, endpoint: 'create-agent', status: 201, json: { agent: { id: 'a' } }, at }));
    see(sampleExchange({ n: 2, endpoint: 'get-agent', status: 404, json: {}, at: at + 5 }));
    see(sampleExchange({ n: 3, endpoint: 'get-agent', json: { agent: { id: 'a' } }, at: at + 450 }));
    const late = verdictOf([holds], shownBy(facts), { requests: 3, answers: 3 }, record);
    expect(late.readableAfterMs).toBe(450);
    expect(late.summary).toContain('could not yet be read 5 ms after its creation, and could after 450 ms.');
  });

  test('says how many answers are excused, over all worlds', () => {
    const { facts } = createFacts({ target: {}, strict: false });
    const world = { ...shownBy(facts), excused: Object.entries({ 'not-now': 8, 'not-allowed': 1 }) as Excused };
    const { summary, excused } = verdictOf([holds], shownTogether([world, world]), { requests: 1, answers: 1 }, record);
    expect(summary).toContain('Answers excused: 16 as asking for patience, 2 as a permission.');
    expect(excused?.map(({ count }) => count)).toEqual([16, 2]);
  });

  const unreachable = { outcome: 'unreachable' } as const;
  const partial = { outcome: 'partial' } as const;
  const toJudgeMore = /To judge more: --agent-id\./;
  test.each<[string, ReturnType<typeof run>, Partial<ReturnType<typeof run>>, RegExp]>([
    ['only 401', run([401, 401], [unjudged]), unreachable, /^Every answer was 401. Is this the right token\?/],
    ['only 403', run([403, 403], [unjudged]), unreachable, /^Every answer was 403. Is this the right token\?/],
    ['only 308', run([308, 308], [unjudged]), partial, /^Every answer was a redirect \(308\)/],
    ['401 and another answer', run([401, 200], [unjudged]), partial, toJudgeMore],
    ['both statuses', run([401, 403], [unjudged]), partial, toJudgeMore],
    ['another status', run([404, 404], [unjudged]), partial, toJudgeMore],
    ['429 and one other answer', run([429, 404], [holds]), { unanswered: undefined }, /^(?!.*429)/],
    [
      'a target that stopped',
      run([200], [unjudged, holds], { givenUp }),
      { unanswered: [givenUp] },
      /agent-id\. It stop/,
    ],
    ['a failure beside refusals', run([401], [fails('one')]), { outcome: 'nonconformant' }, /^1 of 1 check failed/],
    ['no answer', run([401], [unjudged], { answers: 0, givenUp }), unreachable, /^(?!.*It stopped)/],
    ['no request', run([], [unjudged]), { ...partial, unanswered: undefined }, /^Nothing was asked/],
    ['only what passed', run([200], [holds, holds]), { outcome: 'conformant' }, /^All 2 checks passed\./],
    ['no check', run([200], []), partial, /^Nothing failed/],
    ['an unjudged check', run([200], [holds, unjudged]), { ...partial, counts }, toJudgeMore],
    ['a failure of its own cause', run([200], [fails('one'), holds]), {}, /^1 of 2 checks failed\./],
    ['no failure', run([200], [holds]), { causes: undefined, readableAfterMs: undefined }, /^(?!.*only after)/],
    ['a refusal', run([200, 404], [holds]), { serverErrors: undefined }, /^All/],
    [
      'an error and a failure',
      run([200], [fails('one'), broken, unjudged]),
      {},
      /^1 of 3 checks failed; 2 could not be/,
    ],
    [
      'nothing to supply',
      run([200], [reported(nothing)]),
      {},
      /^Nothing failed, but only 0 of 1 check could be judged\. \d+ of/,
    ],
    ['one check', run([], [holds]), {}, /^All 1 check passed\.$/],
  ])('with %s says so', (_, result, expected, says) => {
    expect(result).toMatchObject(expected);
    expect(result.summary).toMatch(says);
  });

  test('says what was never answered', () => {
    const { unanswered, summary } = run([429, 503, 429], [holds, unjudged]);
    expect(unanswered).toEqual([expect.stringMatching(/: 429 \(2 times\), 503 \(1 time\)\.$/)]);
    expect(summary).toContain(unanswered?.[0]);
  });

  test('groups failures by their cause', () => {
    const same = run([200], [fails('one'), fails('two', '/publicAgent/name'), fails('three', '/agent/icon'), holds]);
    expect(same.summary).toMatch(/^3 of 4 checks failed, with 2 causes\./);
    expect(same.causes?.map(({ checks }) => checks)).toEqual([['one', 'two'], ['three']]);
  });

  test('counts server errors where the answer is open, and fails nothing because of them', () => {
    const met = run([200, 500, 503], [holds]);
    expect(met).toMatchObject({
      outcome: 'conformant',
      serverErrors: { count: 2, shown: [{ status: 500, curl: expect.stringContaining('http://x/2') as string }, {}] },
    });
    expect(met.summary).toContain(' 2 answers had a status above 499 (500 first), at List results of an agent.');
  });

  test('lists errors, and at most six things to supply', () => {
    const unjudgedFor = (supply: number): CheckReport =>
      reported({ findings: [], judged: 0, missing: { reason: 'Nothing.', supply: `--option-${supply}` } });
    const { summary } = run([200], [...Array.from({ length: 7 }, (_, index) => unjudgedFor(index)), broken, holds]);
    const errors = 'Nothing failed, but only 1 of 9 checks could be judged. The runner itself broke in 1 check.';
    expect(summary.startsWith(errors)).toBe(true);
    expect(summary.match(/--option-\d/g)).toHaveLength(6);
  });
});

const long = 'x'.repeat(200);
const creation = (id: string, name: string) => ({ endpoint: 'create-agent', json: { agent: { id, name } } }) as const;

test.each<[string, Omit<Parameters<typeof sampleExchange>[0], 'n'>, object | undefined]>([
  ['an agent', creation('a', 'A'), { kind: 'agent', id: 'a', name: 'A' }],
  [
    'a workspace without a name',
    { endpoint: 'create-workspace', json: { workspace: { id: 'w' } } },
    { kind: 'workspace', id: 'w', name: '(none)' },
  ],
  ['an unlisted one', { endpoint: 'import-agent', json: {} }, { kind: 'agent', id: '(not answered)', name: '(none)' }],
  ['long words', creation(long, long), { kind: 'agent', id: long, name: long }],
  ['longer words', creation(`${long}x`, `${long}x`), { kind: 'agent', id: `${long}…`, name: `${long}…` }],
  ['a refusal', { endpoint: 'create-agent', status: 400, json: {} }, undefined],
  ['a reading', { endpoint: 'get-agent', json: { agent: { id: 'a' } } }, undefined],
])('what an exchange created: %s', (_, exchange, item) => {
  expect(madeBy(sampleExchange({ n: 1, ...exchange }))).toEqual(item);
});
