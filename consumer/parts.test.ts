import { join } from 'node:path';
import { violationIds } from '../spec/index.ts';
import { createMock, type MetExchange, type Mock, type Steering } from '../mock/index.ts';
import { TELLING } from '../mock/steering/telling.ts';
import { culprits } from './bisect.ts';
import { firstRunOf, type Unit } from './first-run.ts';
import harms from './harm.json';
import { judgeFreedom } from './freedom.ts';
import { judgeClient } from './judge-client.ts';
import { clientReporters } from './reporters/index.ts';
import { clientOutline } from './reporters/outline.ts';
import { readResults } from './runs/read-results.ts';
import runners from './runs/runners.json';
import { reportingCommand } from './runs/recognise-runner.ts';
import type { ClientTests } from './runs/run-functions.ts';
import type { RunTests, TestResult } from './runs/test-run.ts';
import { beginTrials, type Trials } from './trials.ts';

// The last only two of them together.
test.each([[], [[3]], [[0], [5], [7]], [[1, 6]]])('finds the smallest red parts %j of eight', async (...red) => {
  const isRed = (some: readonly number[]) => Promise.resolve(red.some((set) => set.every((one) => some.includes(one))));
  const late: number[] = [];
  expect(await culprits([0, 1, 2, 3, 4, 5, 6, 7], isRed, (some) => late.push(...some))).toEqual(red);
  expect(late).toEqual([]);
});

test('says what was not decided when there is no more time', async () => {
  const late: number[] = [];
  let runs = 0;
  const isRed = () => Promise.resolve(++runs < 3 || undefined);
  expect(await culprits([1, 2, 3, 4], isRed, (some) => late.push(...some))).toEqual([]);
  expect(late.toSorted()).toEqual([1, 2, 3, 4]);
});

test.each(runners.results)('reads $what', ({ written, tests }) => {
  const marks = { passed: '+', failed: '-', skipped: '?' };
  const read = readResults(typeof written === 'string' ? written : JSON.stringify(written), '/app');
  expect(read?.map(({ name, status }) => `${marks[status]} ${name}`)).toEqual(tests);
});

const FOLDER = join(__dirname, 'runs/testing');
test.each(Object.entries(runners.commands))('%s is told %s', (typed, told) => {
  const tests = ['a.test.ts › list › one', 'a.test.ts › is it (b)? › [chromium]'];
  const { words, env, isNarrow } = reportingCommand(typed.split(' '), { cwd: FOLDER, file: 'F', only: [], tests });
  expect(/node-reporter/.test(JSON.stringify(env))).toBe(/--test/.test(typed));
  const expected = told.replace(/[A-Z]{4,}/, (name) => runners.told[name as keyof typeof runners.told]);
  const pattern = String.raw`list.*one|is it \(b\)\?`;
  expect(words.join(' ')).toBe(`${typed} ${expected}`.trim().replace('PATTERN', pattern));
  expect(isNarrow).toBe(expected.includes('PATTERN'));
});

test('node:test keeps what it loads, and loses the files of other tests', () => {
  const words = 'node --import ./package.json --test package.json a.js'.split(' ');
  const { words: left } = reportingCommand(words, { cwd: FOLDER, file: 'F', only: [join(FOLDER, 'a.js')] });
  expect(left.join(' ')).toBe('node --import ./package.json --test a.js');
});

const ran = { wasStopped: false, durationMs: 1, exchanges: [{} as MetExchange], output: '' };

/** Runs in which `second` passes only after `first`, and `third` fails under a fault. */
const chained: RunTests = async ({ steering, wanted }) => {
  const names = ['f › first', 'f › second', 'f › third', 'f › fourth'];
  const isNarrow = wanted?.isNarrow === true;
  const left = isNarrow ? names.filter((name) => wanted?.tests.includes(name)) : names;
  const fails = (name: string): boolean =>
    (name === 'f › second' && !left.includes('f › first')) ||
    (name === 'f › third' && JSON.stringify(steering).includes('faults'));
  const tests = left.map((name) => ({ name, status: fails(name) ? ('failed' as const) : ('passed' as const) }));
  return { ...ran, tests, isNarrow };
};

test.each([
  ['f › second', false, 5],
  ['f › third', true, 6],
  ['f › fourth', false, 4],
])('%s, run without the others, is red only if it is so among them', async (name, isRed, runs) => {
  const trials = await beginTrials(chained, {});
  const unit = { id: name, tests: [name], senders: [name], files: ['f'] };
  for (const fault of ['a', 'b']) {
    const trial = await trials.run({ faults: [fault] }, unit);
    expect(trial?.failed).toEqual(isRed ? [name] : []);
  }
  expect(trials.runs).toBe(runs);
});

test('trials of one test are turns of one run in time, unless a mock would begin with other identifiers', async () => {
  const begun: unknown[] = [];
  const statuses: Readonly<Record<string, TestResult['status']>> = { bad: 'failed', endless: 'skipped' };
  const tests: RunTests = async ({ steering: { senders = [], choices }, turns = 1, workers }) => {
    const faults = Array.from({ length: turns }, (_, turn) => senders[turn]?.['a']?.faults?.join() ?? '');
    return {
      ...ran,
      wasStopped: faults.includes('endless'),
      durationMs: begun.length * 20_000,
      tests: faults.map((fault, turn) => ({ name: 'f › a', turn, status: statuses[fault] ?? 'passed' })),
      takesTurns: begun.push(choices?.['identifier-format'] ?? [turns, workers]) > 0,
    };
  };
  const trials = await beginTrials(tests, { timeMs: 100_000, parallel: 2 });
  const unit = { id: 'a', tests: ['f › a'], senders: ['a'], files: ['f'] };
  const tryAll = (faults: readonly string[]) => Promise.all(faults.map((one) => trials.run({ faults: [one] }, unit)));
  const shown = (await tryAll(['good', 'bad', 'endless'])).map((trial) => [trial?.failed.length, trial?.hangs]);
  expect(shown).toEqual([
    [0, false],
    [1, false],
    [1, true],
  ]);
  const formats = ['uuid', 'numeric'] as const;
  await Promise.all(formats.map((format) => trials.run({ choices: { 'identifier-format': format } }, unit)));
  expect(begun).toEqual([[1, undefined], [2, 2], [3, 2], [1, 2], ...formats]);
  await tryAll(['a', 'b']);
  expect(trials.runs).toBe(8);
});

test('choices are tried before faults, and both before what is needed', async () => {
  const tried: Steering[] = [];
  const tests: RunTests = ({ steering }) =>
    Promise.resolve({ ...ran, tests: [{ name: 'a', status: tried.push(steering) ? 'passed' : 'failed' }] });
  const trials = await beginTrials(tests, {});
  const unit = { id: '', tests: ['a'], files: [] };
  const all = [['get-agent:/agent=absent'], ['a'], ['keys=reversed'], []].map((faults) => ({ faults }));
  await Promise.all(all.map((one) => trials.run(one, unit)));
  expect(tried.slice(2)).toEqual(all.toReversed());
});

test.each([
  [1, []],
  [2, ['f › a']],
])('stopped %i times, a run is red by %j, and may take longer on a busy machine', async (times, failed) => {
  const limits: number[] = [];
  const tests: RunTests = ({ limit }) => {
    if (limit !== undefined) limits.push(limit);
    const wasStopped = limits.length > 1 && limits.length <= 1 + times;
    const passed = wasStopped ? [] : [{ name: 'f › a', status: 'passed' as const }];
    return Promise.resolve({ ...ran, tests: passed, wasStopped, durationMs: 1 + 9 * limits.length });
  };
  const trials = await beginTrials(tests, { leastMs: 10 });
  const unit = { id: 'a', tests: ['f › a'], files: [] };
  await trials.run({}, unit);
  const trial = await trials.run({ faults: ['a'] }, unit);
  expect([trial, limits]).toEqual([{ failed, hangs: failed.length > 0 }, [10, 40, 40]]);
});

type Got = Readonly<{ agent: Record<'id' | 'name' | 'createdAt', string>; nextCursor: string | null }>;

/** Reads the agent of a mock, or what is at a path below it; or sends an agent to create. */
async function ask({ target, fetch }: Mock, path = '', agent?: object, more: Readonly<Record<string, string>> = {}) {
  const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json', ...more };
  const body = agent && JSON.stringify({ workspaceId: target.workspaceId, agent });
  const about = body ? '' : `/${target.agentId}`;
  const method = body ? 'POST' : 'GET';
  const answer = await fetch(new URL(`/api/v1/agents${about}${path}`, 'http://mock'), { method, headers, body });
  return { status: answer.status, got: (await answer.json()) as Got };
}

/** Fails unless the agent has a name and a time with Z. */
async function reads(mock: Mock): Promise<void> {
  const { name, createdAt } = (await ask(mock)).got.agent;
  if (name === '' || !createdAt.endsWith('Z')) throw new Error('wrong');
}

test('three tests take as many runs as one, and each is named', async () => {
  const judge = (tests: ClientTests) => judgeClient({ tests, only: ['freedom', 'needs'] });
  const [one, three] = [await judge({ reads }), await judge({ reads, again: reads, more: reads })];
  expect(three.runs).toBe(one.runs);
  expect(three.findings.map(({ id }) => id)).toEqual(one.findings.map(({ id }) => id));
  expect(clientOutline(three).rows.map(({ missed: [count] }) => count)).toEqual([2, 2, 2]);
  expect(clientReporters.text(three)).toMatch(
    /with Retry-After in seconds. Or: sometimes 429 with Retry-After as a date./,
  );
});

/** What the tests send of which `uses` needs what `makes` has made; and whether others than the first run list them so. */
async function firstRunOfUsers() {
  const met: MetExchange[] = [];
  let test = '';
  const onExchange = (one: MetExchange): void => void met.push({ ...one, test, file: '/app/a.js' });
  const mock = createMock({ steering: { onExchange } });
  test = 'makes';
  const { agent } = (await ask(mock, '', { name: 'Mine' })).got;
  for (const [name, path] of Object.entries({ uses: `/../${agent.id}`, reads: '', again: '', '': '' })) {
    test = name;
    await ask(mock, path);
  }
  const tests = ['reads', 'makes', 'uses', 'again'].map((name) => ({ name, status: 'passed' as const }));
  return firstRunOf({ tests, exchanges: met });
}

test('tests of which one uses what the other made are one unit, and others are units of their own', async () => {
  const { exchanges, unitOf, answersOf, differencesOfUnits } = await firstRunOfUsers();
  const units = [['makes', 'uses'], ['makes', 'uses'], ['reads'], ['again'], ['reads', 'makes', 'uses', 'again']];
  expect(exchanges.map((one) => unitOf(one).tests)).toEqual(units);
  // Steered by itself, `again` is the first to read. Nobody knows the test of the last reading.
  const faults = ['get-agent-crashes@second-read'];
  expect(differencesOfUnits({ faults }).map(({ exchange }) => exchange.test)).toEqual(['']);
  const statuses = exchanges.map((one) => answersOf(unitOf(one), { faults }).map((answer) => answer?.status));
  expect(statuses).toEqual([[201, 200], [201, 200], [200], [200], [500]]);
});

test('a fault is rare by what the tests ask, and not by how fast', async () => {
  const slow = async (mock: Mock): Promise<void> => {
    for (const later of [0, 0, 2000]) {
      mock.clock.advance(later);
      await reads(mock);
    }
  };
  const { faults } = await judgeClient({ tests: { slow }, only: ['faults'], mock: { seed: 5 } });
  expect(faults?.seldom.noticed).toContain('get-agent-crashes@second-read');
});

test('findings name tests as the first run lists them, and those that fail once and then pass are flaky', async () => {
  const first = await firstRunOfUsers();
  expect(first.testsOf(first.exchanges)).toEqual(['reads', 'makes', 'uses', 'again']);
  expect(first.inOrder(['other', 'uses', 'reads'])).toEqual(['reads', 'uses', 'other']);
  const run = ({ choices }: Steering, { tests }: Unit, time?: string) => {
    const { 'timestamp-format': format, 'success-status': status } = choices ?? {};
    const isRed = format === 'words' || (status === 'accepted' && time !== 'again');
    return Promise.resolve({ failed: isRed ? tests : [], hangs: false });
  };
  const flaky = new Set<string>();
  const { findings } = await judgeFreedom(first, { run, parts: 2, flaky } as unknown as Trials);
  const red = Object.fromEntries(findings.map(({ id, tests }) => [id, tests]));
  expect(red).toEqual({ 'freedom:timestamp-format=words': ['reads', 'makes', 'uses', 'again'] });
  expect([...flaky]).toEqual(['makes', 'uses']);
  let left = 1000;
  const green = { run: () => Promise.resolve(left-- > 0 ? { failed: [] } : undefined), parts: 2, flaky };
  await judgeFreedom(first, green as unknown as Trials);
  left = 1000 - left - 10;
  const { open, unpaired } = await judgeFreedom(first, green as unknown as Trials);
  expect([open, unpaired.length > 0]).toEqual([[], true]);
});

test('a rate limit falls on the same request of a test, whatever others ask between', async () => {
  const mock = createMock({ steering: { choices: { 'rate-limit': 'bursts' } } });
  const statuses: Record<string, number[]> = { a: [], b: [] };
  for (const test of 'ababbbaabbaa')
    statuses[test]?.push((await ask(mock, '', undefined, { [TELLING]: JSON.stringify({ test }) })).status);
  expect(statuses).toEqual({ a: [429, 200, 200, 200, 200, 200], b: [429, 200, 200, 200, 200, 200] });
});

test('a fault is reached only where it is committed: nobody loses what was not sent', async () => {
  const makes = async (mock: Mock): Promise<void> => {
    const { agent } = (await ask(mock, '', { groups: null })).got;
    await ask(mock, `/../${agent.id}`);
  };
  const { faults, findings } = await judgeClient({ tests: { makes }, only: ['faults', 'needs'] });
  const { noticed = [], unnoticed = [] } = faults ?? {};
  expect([...noticed, ...unnoticed].filter((id) => /loses-(?!pref)|to-null|without-variables/.test(id))).toEqual([]);
  expect(findings.filter(({ id, why }) => /create-agent/.test(id) && why.includes('takes no harm'))).toEqual([]);
});

test('undocumented fields of one request are one finding to a reader, without a body that nobody copies', async () => {
  const makes = async (mock: Mock): Promise<void> => {
    await ask(mock, '', { one: 1, two: 'x'.repeat(3000), id: 'mine' }, { cookie: `a=${mock.target.token}` });
  };
  const report = await judgeClient({ tests: { makes }, only: ['sent'], onPurpose: ['/v1/agents'] });
  const text = clientReporters.text(report);
  const undocumented = 'a mistake in body/agent/one. Also with body/agent/two.';
  for (const said of [undocumented, 'marked as sent on purpose', 'in body/agent/id.']) expect(text).toContain(said);
  expect(report.findings.find(({ id }) => id.includes('header/cookie'))?.accepted).toBeDefined();
  expect(text).not.toContain('xxx');
});

test('a token that was never filled in is named, and who asks again at once, as often as that is', async () => {
  const asks = async (mock: Mock, target = { ...mock.target, workspaceId: '' }): Promise<void> => {
    await ask(mock, '', {});
    for (let n = 0; n < 7; n++) await ask({ ...mock, target }, '', {}, { authorization: 'Bearer undefined' });
    await ask({ ...mock, target: { ...target, workspaceId: 'null' } }, '', {});
  };
  const { findings } = await judgeClient({ tests: { asks }, only: ['sent'] });
  expect(findings.map(({ id, count }) => [id, count])).toEqual([
    ['sent:placeholder:create-agent:header/authorization', 7],
    ['sent:placeholder:create-agent:body/workspaceId', 8],
    ['sent:endless-retry:create-agent:request', 7],
  ]);
  expect(findings[1]?.why).toMatch(/is empty.* is the string null/);
});

test('what is sent again after a failure, at once, or over and over is noted, and two one after the other are not', async () => {
  const make = async (mock: Mock) => void (await ask(mock, '', { name: 'Mine' }));
  const later = (mock: Mock) => make(mock).then(() => make(mock));
  const failing = (mock: Mock) => {
    mock.plans.add({ on: 'create-agent', steps: [{ code: 503 }, {}] });
    return later(mock);
  };
  const atOnce = async (mock: Mock) => void (await Promise.all([make(mock), make(mock)]));
  const EMPTY = { prefer: 'example=empty-page' };
  const asks = (pathOf: (n: number) => string) => async (mock: Mock) =>
    void (await Promise.all(Array.from({ length: 20 }, (_, n) => ask(mock, pathOf(n), undefined, EMPTY))));
  const tests = { later, failing, atOnce, polls: asks(() => ''), walks: asks((n) => `/results?limit=${1 + (n % 10)}`) };
  const { findings, outcome, coverage } = await judgeClient({ tests, only: ['sent'] });
  const found = Object.fromEntries(findings.map(({ id, tests: of }) => [id.split(':')[1], of]));
  const twice = { 'doubled-creation': ['atOnce'], 'repeated-creation': ['failing'] };
  expect([outcome, found]).toEqual(['sound', { ...twice, 'fast-polling': ['polls'] }]);
  expect(coverage?.met).toContain('an empty list');
});

const harmOf = (violation: string) => harms.find(({ like }) => new RegExp(like).test(violation))?.harm;

test('every violation has its harm: what is wrong in silence weighs more than what shows', () => {
  expect(violationIds.filter((id) => harmOf(id) === undefined)).toEqual([]);
  const quiet = ['import-agent-publishes-drafts', 'new-agents-drop-null-items', 'results-dated-ahead', 'limit-ignored'];
  expect([...quiet, 'limit-1-refused', 'get-agent-accepts-page-request'].map(harmOf)).toEqual([5, 4, 4, 3, 2, 1]);
});

test('a client that asks for ever is a finding, and ends', async () => {
  const walks = async (mock: Mock): Promise<void> => {
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      ({ nextCursor: cursor } = (await ask(mock, `/results?limit=1&timeFilter=allTime${query}`)).got);
      if (cursor === undefined) throw new Error('no cursor');
    }
  };
  const { faults } = await judgeClient({ only: ['faults'], leastMs: 100, mock: { persona: 'tiny' }, tests: { walks } });
  expect(faults?.noticed).toContain('next-cursor-never-null');
  expect(faults?.unreached).toContain('small-pages-lack-files');
});

test('no tests, none that passes, and none that asks for anything are said', async () => {
  await expect(judgeClient({})).rejects.toThrow('Give either tests');
  const asks = (mock: Mock): Promise<void> =>
    ask(mock, '', undefined, { authorization: 'Token a' }).then(() => Promise.reject(new Error('why')));
  await expect(judgeClient({ tests: { asks } })).rejects.toThrow(/why .*mistake in header\/authorization/);
  await expect(judgeClient({ tests: { a: () => {} } })).rejects.toThrow('no request of theirs reached a mock');
});
