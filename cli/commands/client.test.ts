import { rmSync } from 'node:fs';
import path from 'node:path';
import { served } from '../../http/testing/test-server.ts';
import { sampleReport } from '../../conformance/testing/sample-report.ts';
import type { ClientNeeds } from '../../consumer/index.ts';
import { createMock } from '../../mock/index.ts';
import { testFolder } from '../testing/test-io.ts';

const { folder, run, write, read } = testFolder();

/** A program with one slip in what it sends, that expects nothing. */
write(
  'app.js',
  `const { AGENT_CONTRACT_BASE_URL: base, AGENT_CONTRACT_TOKEN: token, AGENT_CONTRACT_AGENT_ID: id } = process.env;
   fetch(base + '/api/v1/agents/' + id + '/results?limt=1', { headers: { authorization: 'Bearer ' + token } })
     .then((answer) => answer.text());`,
);
const client = (...flags: string[]) =>
  run(['client', '--name', 'app', ...flags, '--', process.execPath, 'app.js'], { env: process.env });

test('a baseline, a time and a kept file do what their flags say', async () => {
  const found = await client('--only', 'sent');
  expect([found.status, found.stdout]).toEqual([1, expect.stringContaining('mistake in query/limt')]);
  const written = await client('--only', 'sent', '--write-baseline', 'known.json');
  expect([written.status, read('known.json')]).toEqual([0, expect.stringContaining('sent:unknown-parameter')]);
  const known = await client('--only', 'sent', '--baseline', 'known.json');
  expect([known.status, known.stdout]).toEqual([0, expect.stringContaining('SOUND')]);
  // No time is left after the first two runs.
  const late = await client('--only', 'freedom', '--only', 'needs', '--time', '1ms', '--resume', 'kept.json');
  expect([late.status, late.stdout]).toEqual([3, expect.stringMatching(/Choices, for want of time: \w+/)]);
  expect(late.stdout).toMatch(
    / 2 fields were not decided, for want of time: list-results:\/results, list-results:\/nextCursor\./,
  );
});

test('a kept file is gone on from', async () => {
  const flags = ['--only', 'faults', '--sample', '2', '--resume', 'trials.json'];
  const first = await client(...flags, '--json');
  const { runs, faults } = JSON.parse(first.stdout) as { runs: number; faults: { unnoticed: string[] } };
  expect([first.status, faults.unnoticed.length > 0, runs > 2]).toEqual([1, true, true]);
  const again = await client(...flags, '--json');
  expect([again.status, JSON.parse(again.stdout)]).toMatchObject([1, { runs: 2, faults }]);
  write('app.test.py', '# changed');
  const changed = await client(...flags, '--json');
  expect(changed.stderr).toContain('made anew');
  expect(JSON.parse(changed.stdout)).toMatchObject({ runs, faults });
  write('trials.json', read('trials.json').replace(/"sources":"[\d.]+ /, '"sources":"0.0.0 '));
  expect((await client(...flags, '--json')).stderr).toContain('made anew');
  const other = await client('--resume', 'trials.json', '--seed', '2');
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('of another command or another mock')]);
});

// Of the workspace only the body was seen.
const evidence = [
  { schema: 'create-workspace-response', typed: 23, seenValid: 1, seenNull: 0, neverSeen: ['/workspace/plan'] },
  { schema: 'import-agent-response', typed: 9, seenValid: 7, seenNull: 0, neverSeen: ['/agent/icon', '/agent/tags/*'] },
];
const report = { ...sampleReport(), evidence };
const [observed] = report.observations.filter(({ choice }) => choice !== undefined);
const needs = (more: Partial<ClientNeeds>): ClientNeeds => ({
  kind: 'agent-contract-needs',
  version: 1,
  client: 'app',
  made: '',
  endpoints: {},
  worksNotWith: {},
  requirements: [],
  ...more,
});
write('report.json', report);
const requirement = (wanted: 'pass' | 'fail' | 'not-judged'): ClientNeeds['requirements'] => {
  const { failure, requirements } = report.checks.find(({ status }) => status === wanted) ?? {};
  return [failure?.requirement ?? requirements?.[0]?.id ?? 'answers-are-json'];
};
const files = {
  few: {},
  held: { requirements: requirement('pass') },
  broken: { requirements: requirement('fail') },
  unfinished: { undecided: 3 },
  unjudged: { requirements: requirement('not-judged') },
  not: { worksNotWith: observed && { [observed.gap]: [observed.choice ?? ''] } },
  more: { endpoints: { 'create-workspace': { parameters: [], fields: { '/workspace/plan': ['empty'] } } } },
  listed: { endpoints: { 'import-agent': { parameters: [], fields: { '/agent/tags': ['empty'] } } } },
  unlisted: {
    endpoints: { 'import-agent': { parameters: [], fields: { '/agent/icon': ['other'], '/agent/tags': ['absent'] } } },
  },
  iconic: { endpoints: { 'import-agent': { parameters: [], fields: { '/agent/icon': ['absent'] } } } },
  'strange-requirement': { requirements: ['no-such-thing' as 'answers-are-json'] },
  'strange-gap': { worksNotWith: { ['no-such-gap' as 'rate-limit']: ['x'] } },
} satisfies Readonly<Record<string, Partial<ClientNeeds>>>;
for (const [name, more] of Object.entries(files)) write(`${name}.json`, needs(more));

test.each([
  ['what it needs', ['few.json'], [], 0, '1 yes, 0 no, 0 unknown, of 1 client'],
  ['a requirement that is held', ['held.json'], [], 0, '1 yes'],
  ['a requirement that is broken', ['broken.json'], [], 1, 'The server breaks that'],
  ['what it cannot', ['not.json'], [], 1, 'the client cannot'],
  ['what nobody knows', ['more.json'], [], 3, 'nothing is known of /workspace/plan'],
  ['what was seen empty alone', ['listed.json'], [], 3, 'nothing is known of what /agent/tags holds'],
  ['what need not be there, or be full', ['unlisted.json'], [], 0, '1 yes'],
  ['what is never there', ['iconic.json'], [], 1, '/agent/icon is in no answer'],
  ['what was not decided', ['unfinished.json'], [], 3, '3 choices, faults or fields were not decided'],
  ['what was not judged, and why', ['unjudged.json'], [], 3, 'works: not judged. nothing to judge plain'],
  ['a matrix', ['few.json', 'not.json', 'more.json'], ['report.json'], 1, '2 yes, 2 no, 2 unknown, of 1 client'],
  ['a requirement of another version', ['strange-requirement.json'], [], 2, 'names no-such-thing, which this version'],
  ['a gap of another version', ['strange-gap.json'], [], 2, 'names no-such-gap, which this version'],
] as const)('can-i-deploy says %s', async (_, clients, more, status, says) => {
  const servers = ['report.json', ...more].flatMap((one) => ['--server', one]);
  const said = await run(['can-i-deploy', ...clients.flatMap((one) => ['--needs', one]), ...servers]);
  expect([said.status, said.stdout + said.stderr]).toEqual([status, expect.stringContaining(says)]);
});

test('can-i-deploy says how to name a server, and takes that of a target file', async () => {
  const unnamed = await run(['can-i-deploy', '--needs', 'few.json']);
  expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining('No server was named')]);
  for (const way of ['--server', '--recording', 'base URL', '--target']) expect(unnamed.stderr).toContain(way);
  const file = write('agent-contract.json', { baseUrl: 'http://127.0.0.1:1' });
  const named = await run(['can-i-deploy', '--needs', 'few.json']);
  rmSync(path.join(folder, file));
  expect(named.stderr).not.toContain('No server was named');
  expect(named.stdout).toContain('http://127.0.0.1:1');
});

test('a report, a recording and a base URL each stand for a server', async () => {
  const mock = createMock({ persona: 'tiny' });
  const server = await served(mock);
  const check = [server.url, '--token', mock.target.token];
  await run(['check', ...check, '--only', 'create-workspace', '--report', 'json=seen.json', '--record', 'seen.har']);
  const all = ['--server', 'seen.json', '--recording', 'seen.har', ...check];
  const { stdout, status } = await run(['can-i-deploy', '--needs', 'few.json', ...all]);
  expect([status, stdout]).toEqual([0, expect.stringContaining('app with seen.har')]);
  expect(stdout).toContain('3 yes, 0 no, 0 unknown, of 1 client');
});
