import { restarted } from './replay.ts';
import path from 'node:path';
import type { Report } from '../../conformance/report/report.ts';
import { sampleReport } from '../../conformance/testing/sample-report.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { served, serverOf } from '../../http/testing/test-server.ts';
import { testFolder } from '../testing/test-io.ts';

const FAULT = 'results-ascending';
const CHECK = 'list-results-newest-first';

// These are whole runs, possibly on a busy machine.
const { folder, run, read, write } = testFolder();
let mock: Mock;
let url = '';
const recorded = 'recorded.json';

const withIds = ({ token, agentId }: Mock['target']): string[] => ['--token', token, '--agent-id', agentId];
const load = (): Report => JSON.parse(read(recorded)) as Report;

/** A report whose checks, and what they found, are changed. */
const changed = (report: Report, check: object, failure: object = {}): object => ({
  ...report,
  checks: report.checks.map((one) => ({ ...one, ...check, failure: { ...one.failure, ...failure } })),
});

beforeAll(async () => {
  mock = createMock({ faults: [FAULT] });
  ({ url } = await served(mock));
  const argv = ['check', url, ...withIds(mock.target), '--only', CHECK, '--seed', '7', '--report', `json=${recorded}`];
  if ((await run(argv)).status !== 1) throw new Error('nothing failed that could be replayed');
});
beforeEach(() => mock.setFaults([FAULT]));

test('still failing: shows the recorded finding beside the new one, with the recorded ids and seed', async () => {
  const { status, stdout, stderr } = await run(['replay', recorded, CHECK, '--token', mock.target.token]);
  expect([status, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(
    /^Recorded {2}http.*, seed 7\n {2}✗ .*\n {6}requires .*\n {6}expected .*\n {6}actual .*\n {6}at .*\n[^]* {6}request {3}curl .*"authorization: Bearer \$TOKEN"/,
  );
  expect(stdout).toMatch(/\nNow {7}http.*\n {2}✗ .*\n {6}requires .*\n {6}expected .*\n/);
  expect(stdout).toMatch(/\nSTILL FAILING: The check fails as before\.\n$/);
  expect(stdout).not.toContain(mock.target.token);
});

test('fixed', async () => {
  mock.setFaults([]);
  const { status, stdout } = await run(['replay', recorded, '1', '--token', mock.target.token, '--json']);
  const at = expect.stringContaining('/createdAt') as string;
  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    { verdict: 'fixed', baseUrl: url, seed: 7, recorded: { failure: { at } }, now: { id: CHECK, status: 'pass' } },
  ]);
});

test('not repeated, since the check cannot judge', async () => {
  const argv = ['replay', recorded, CHECK, '--token', mock.target.token, '--agent-id', 'nobody'];
  const { status, stdout } = await run(argv);
  expect([status, stdout]).toEqual([3, expect.stringMatching(/\nNOT REPEATED: It could not be judged\..*--agent-id/)]);
});

test('against another base URL, where the recorded ids are unknown', async () => {
  const sound = createMock({ seed: 2 });
  const server = await served(sound);
  const argv = ['replay', recorded, CHECK, '--base-url', `${server.url}/`, '--token', sound.target.token];
  const without = await run(argv);
  expect([without.status, without.stdout]).toEqual([3, expect.stringMatching(/\nNOT REPEATED: .*--agent-id/)]);
  const { status, stdout } = await run([...argv, '--agent-id', sound.target.agentId]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`Now       ${server.url}/\n`)]);
});

/** Answers GETs as a correct mock does, with changes to accepted bodies. */
async function serve(change: (body: string, target: string) => string): Promise<string> {
  const sound = createMock();
  const server = await serverOf(({ url: target = '', headers: { authorization = '' } }, response) => {
    const { status, body } = sound.handle({ method: 'GET', target, headers: { authorization } });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 200 ? change(body, target) : body);
  });
  return server.url;
}

test('a check that judges what all others received runs together with them', async () => {
  // Only later pages are misshapen, and the check alone requests none.
  let isBroken = true;
  const base = await serve((body, target) =>
    isBroken && target.includes('cursor=') ? body.replaceAll('"createdAt":', '"createdAt":5,"created":') : body,
  );
  const id = 'list-results-answer-shape';
  const name = 'shape.json';
  const argv = ['check', base, ...withIds(mock.target), '--read-only', '--only', 'list-results'];
  expect((await run([...argv, '--report', `json=${name}`])).stdout).toContain(`[${id}]`);
  const still = await run(['replay', name, id, '--token', mock.target.token]);
  expect([still.status, still.stdout]).toEqual([1, expect.stringContaining('STILL FAILING')]);
  isBroken = false;
  expect((await run(['replay', name, id, '--token', mock.target.token])).status).toBe(0);
});

test('a failure that only --strict shows is repeated with it', async () => {
  const base = await serve((body) => {
    const answer = JSON.parse(body) as { agent?: object };
    return JSON.stringify(answer.agent ? { ...answer, agent: { ...answer.agent, description: null } } : answer);
  });
  const id = 'get-agent-answer-shape';
  const name = 'strict.json';
  const argv = ['check', base, ...withIds(mock.target), '--only', id, '--strict'];
  expect((await run([...argv, '--report', `json=${name}`])).status).toBe(1);
  const { status, stdout } = await run(['replay', name, id, '--token', mock.target.token, '--json']);
  expect([status, JSON.parse(stdout)]).toMatchObject([1, { verdict: 'still-failing' }]);
});

test('a run with --read-only is repeated with it', async () => {
  const report = changed(load(), { id: 'create-agent-answer-shape' });
  const created = async (readOnly: boolean): Promise<number> => {
    const name = write('read-only.json', { ...report, options: { readOnly, strict: false } });
    const { stdout } = await run(['replay', name, '1', '--token', mock.target.token, '--json']);
    return (JSON.parse(stdout) as Report).created.length;
  };
  expect(await created(false)).toBeGreaterThan(0);
  expect(await created(true)).toBe(0);
});

test('a token of a target file that was only found does not go to another server', async () => {
  const replayBeside = (targetFile: string) =>
    run(['replay', path.join(folder, recorded), CHECK], { cwd: path.join(folder, path.dirname(targetFile)) });
  const token = 'mock-write-token';
  const other = write('other/agent-contract.json', { baseUrl: 'http://127.0.0.1:1', token });
  const { status, stderr, stdout } = await replayBeside(other);
  expect(stderr).toContain('describes another server');
  expect([status, stdout]).toEqual([3, expect.stringContaining('--token')]);
  expect((await replayBeside(write('own/agent-contract.json', { baseUrl: url, token }))).status).toBe(1);
});

test('ends with 4 if the target is down', async () => {
  const argv = ['replay', recorded, CHECK, '--base-url', 'http://127.0.0.1:1', '--token', 'x', '--agent-id', 'a'];
  const { status, stdout } = await run(argv);
  expect([status, stdout]).toEqual([4, expect.stringMatching(/\nUNREACHABLE: No request was answered\./)]);
});

test.each<readonly [readonly string[], RegExp]>([
  [[recorded], /^error: Name the failure to replay by its number or its id\. The failures are: 1 list-results-/],
  [[recorded, '2'], /^error: There is no failure "2" in this report\. The failures are: 1 list-/],
  [[recorded, 'list-results-newest-frist'], /no failure "list-.*Did you mean list-results-newest-first\?/],
  [['twenty.json'], /: 1 check-0, .*, 20 check-133\.\n$/],
  [['many.json'], /: 1 check-0, .*, 20 check-133, and 2 more\.\n$/],
  [['green.json', '1'], /^error: This report has no failures/],
  [['sample.json', 'check-0'], /^error: check-0 did not fail in this report: it is "pass"\. .* are: 1 check-21, 2 /],
  [[recorded, '1', '--base-url', 'localhost'], /^error: --base-url "localhost": this must begin with http/],
])('%j is refused', async (argv, message) => {
  write('broken.json', '{x');
  write('other.json', {});
  write('green.json', sampleReport({ fail: 0 }));
  write('sample.json', sampleReport());
  write('twenty.json', sampleReport({ pass: 0, fail: 20 }));
  write('many.json', sampleReport({ pass: 0, fail: 22 }));
  const ended = await run(['replay', ...argv]);
  expect(ended).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(message) });
});

/** A report with one failure, of a check that no version has, so that a replay sends nothing. */
function failed(failure: object): object {
  return changed(sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }), {}, failure);
}

test('shows the record of a check that no version has, and created things only if there are any', async () => {
  const { status, stdout } = await run(['replay', write('one.json', failed({ at: '' })), '1', '--token', 'x']);
  expect([status, stdout]).toEqual([3, expect.stringContaining('\nGONE: This version has no such check.')]);
  expect(stdout).toMatch(
    /^Recorded .*\n {2}✗ Check 0 plain {2}\[check-0\]\n[^]*\n {6}at {8}the whole body\n[^]*\n\nNow {7}http/,
  );
  expect(stdout).not.toContain('created on the target');
});

test('a watch goes on when the server was down and is up again', async () => {
  const states = [true, true, false, false, true, true];
  let rests = 0;
  await restarted(
    () => Promise.resolve(states.shift() === true),
    () => Promise.resolve(void rests++),
  );
  expect([states, rests]).toEqual([[true], 3]);
});
