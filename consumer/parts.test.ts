import { culprits } from './bisect.ts';
import { canDeploy, readNeeds } from './deploy.ts';
import { judgeClient } from './judge-client.ts';
import { readResults } from './runs/read-results.ts';
import { reportingCommand } from './runs/recognise-runner.ts';
import { sampleReport } from '../conformance/testing/sample-report.ts';

test.each<readonly [readonly (readonly number[])[]]>([
  [[]],
  [[[3]]],
  [[[0], [5], [7]]],
  // Only two of them together.
  [[[1, 6]]],
])('finds the smallest red parts %j of eight', async (red) => {
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
  expect(late).toEqual([1, 2, 3, 4]);
});

const ofJest = {
  testResults: [
    {
      name: '/app/a.test.ts',
      status: 'failed',
      assertionResults: [
        { ancestorTitles: ['list'], title: 'one', status: 'passed', duration: 5, startAt: 100 },
        { ancestorTitles: [], title: 'two', status: 'failed' },
      ],
    },
    { name: '/app/b.test.ts', status: 'failed', assertionResults: [] },
  ],
};
const spec = (title: string, status: string) => ({
  title,
  id: title,
  tests: [{ projectName: '', status, results: [] }],
});
const playwright = { suites: [{ title: 'a.spec.ts', specs: [spec('one', 'expected'), spec('two', 'unexpected')] }] };

test.each<readonly [string, string, readonly string[]]>([
  ['JSON of Jest', JSON.stringify(ofJest), ['+ a.test.ts › list › one', '- a.test.ts › two', '- b.test.ts']],
  ['JSON of Playwright', JSON.stringify(playwright), ['+ a.spec.ts › one', '- a.spec.ts › two']],
  [
    'JUnit XML',
    '<testsuites><testsuite name="all"><testcase name="a &lt; b" classname="x"/>' +
      '<testcase name="c" classname="x"><failure/></testcase><testcase name="d" classname="x"><skipped/></testcase></testsuite></testsuites>',
    ['+ x › a < b', '- x › c', '? x › d'],
  ],
  [
    'TAP',
    'TAP version 13\n# Subtest: list\n    # Subtest: one\n    ok 1 - one\n    not ok 2 - two\n    1..2\nnot ok 1 - list\nok 2 - last # SKIP\n',
    ['+ list › one', '- list › two', '? last'],
  ],
])('reads %s', (_, text, expected) => {
  const marks = { passed: '+', failed: '-', skipped: '?' };
  expect(readResults(text, '/app')?.map(({ name, status }) => `${marks[status]} ${name}`)).toEqual(expected);
});

test('other output says nothing of tests', () => {
  expect(['', 'all good', '{}', '<html></html>'].map((text) => readResults(text, '/'))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  ['npx vitest run', 'npx vitest run --reporter=json --outputFile=F'],
  ['node_modules/.bin/jest a', 'node_modules/.bin/jest a --json --outputFile=F'],
  ['node --test a.js', 'node --test a.js'],
  ['python3 -m pytest', 'python3 -m pytest --junitxml=F'],
  ['python3 tests.py', 'python3 tests.py'],
])('%s becomes %s', (line, expected) => {
  expect(reportingCommand(line.split(' '), { cwd: '/', file: 'F', only: [] }).words.join(' ')).toBe(expected);
});

test('a client that asks for ever is a finding, and ends', async () => {
  const report = await judgeClient({
    only: ['faults'],
    leastMs: 100,
    mock: { persona: 'tiny' },
    tests: {
      'reads all pages': async ({ target, fetch }) => {
        let cursor: string | null = '';
        while (cursor !== null) {
          const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const path = `/api/v1/agents/${target.agentId}/results?limit=1&timeFilter=allTime${query}`;
          const answer = await fetch(path, { headers: { authorization: `Bearer ${target.token}` } });
          ({ nextCursor: cursor } = (await answer.json()) as { nextCursor: string | null });
          if (cursor === undefined) throw new Error('no cursor');
        }
      },
    },
  });
  expect(report.faults?.noticed).toContain('next-cursor-never-null');
});

test('no tests, none that passes, and none that asks for anything are said', async () => {
  await expect(judgeClient({})).rejects.toThrow('Give either tests');
  await expect(judgeClient({ tests: { a: () => Promise.reject(new Error('why')) } })).rejects.toThrow('why');
  await expect(judgeClient({ tests: { a: () => {} } })).rejects.toThrow('no request of theirs reached a mock');
});

test('a server of a report gives what is needed, or lacks it, or nobody knows', () => {
  const report = sampleReport();
  const needs = (more: object) =>
    readNeeds(
      {
        kind: 'agent-contract-needs',
        version: 1,
        client: 'c',
        made: '',
        endpoints: {},
        worksNotWith: {},
        requirements: [],
        ...more,
      },
      'x',
    );
  const answer = (more: object): string => canDeploy(needs(more), report).answer;
  const [observed] = report.observations.filter(({ choice }) => choice !== undefined);
  const failed = report.checks.find(({ status }) => status === 'fail');
  const passed = report.checks.find(({ status }) => status === 'pass');
  expect(answer({})).toBe('yes');
  expect(answer({ worksNotWith: { [observed?.gap ?? '']: [observed?.choice] } })).toBe('no');
  expect(answer({ requirements: [failed?.failure?.requirement ?? failed?.requirements[0]?.id] })).toBe('no');
  expect(answer({ requirements: [passed?.requirements[0]?.id] })).toBe('yes');
  expect(
    answer({ endpoints: { 'create-workspace': { parameters: [], fields: { '/workspace/plan': ['absent'] } } } }),
  ).toBe('unknown');
  expect(() => needs({ requirements: ['no-such-thing'] })).toThrow('no-such-thing');
});
