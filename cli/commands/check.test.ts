import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { HOSTILE, sampleReport } from '../../conformance/testing/sample-report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import localhost from '../../conformance/testing/test-certificate.json';
import { flags as checkFlags } from './check.ts';
import { flagName, variableName } from '../flags.ts';
import { progressLine } from '../io.ts';
import { targetFileKeys } from '../check/target-file.ts';
import flagsOf from '../testing/check-flags.json';
import rows from '../testing/check-rows.json';
import { testFolder } from '../testing/test-io.ts';

const runConformance = jest.fn();
jest.mock('../../conformance/run.ts', () => ({
  runConformance: (...args: unknown[]): unknown => runConformance(...args),
}));

const BASE = 'http://127.0.0.1:4010';
const green = sampleReport({ pass: 4, fail: 0, notJudged: 0, error: 0 });

beforeEach(() => {
  runConformance.mockReset().mockResolvedValue(green);
});

const { folder, read, write } = testFolder();
const file = (name: string, content: unknown): string => path.join(folder, write(name, content));
/** Runs in a folder without files. */
const { run } = testFolder();
const check = (...argv: string[]): ReturnType<typeof run> => run(['check', BASE, ...argv]);
const readReport = (name: string) => JSON.parse(read(name)) as typeof green;
const options = (): RunOptions => (runConformance.mock.calls as [RunOptions][])[0]?.[0] ?? { baseUrl: 'not called' };

describe('flags', () => {
  test('each has an environment variable, a line in the help, and most a key in the target file', async () => {
    const { stdout, status } = await run(['check', '--help']);
    expect(status).toBe(0);
    for (const key of Object.keys(checkFlags)) {
      expect(stdout).toMatch(new RegExp(`${flagName(key)}\\b`));
      expect(stdout.replace(/\s+/g, ' ')).toContain(`(env: ${variableName(key)})`);
    }
    const typed = new Set(['target', 'writeBaseline', 'submission', 'cleanup', 'record', 'redact']);
    const keys = ['$schema', 'baseUrl', ...Object.keys(checkFlags).filter((key) => !typed.has(key))];
    expect([...targetFileKeys].toSorted()).toEqual(keys.toSorted());
  });

  test('all reach the run', async () => {
    const ca = file('ca.pem', localhost.certificate);
    await check(...flagsOf.typed.split(' '), '--header', 'X-One: 1', '--header', 'X-Two:a, b ', '--ca', ca);
    const { signal: _signal, onProgress: _onProgress, canary: _canary, ...rest } = options();
    expect(rest).toEqual({ ...flagsOf.options, baseUrl: BASE, ca: localhost.certificate });
  });

  test('override variables, in which lists are one text and empty means unset, and these the target file', async () => {
    const { precedence } = rows;
    const target = file('t1.json', { ...precedence.file, baseUrl: BASE });
    const env = { ...precedence.env, AGENT_CONTRACT_BASE_URL: `${BASE}/base/`, AGENT_CONTRACT_TARGET: target };
    expect((await run(['check', '--seed', '3', '--no-read-only'], { env })).stderr).toBe('');
    expect(options()).toMatchObject({ ...precedence.options, baseUrl: `${BASE}/base/` });
  });
});

describe('the base URL', () => {
  test.each(rows.urls as [string, string][])('%s is accepted, as a URI', async (url, uri) => {
    const { stderr } = await run(['check', url]);
    expect([stderr, options().baseUrl]).toEqual(['', uri]);
  });

  test('causes a note if it ends with the start of the documented paths', async () => {
    const { stderr, status } = await run(['check', `${BASE}/api/v1/`]);
    expect([stderr, status]).toEqual([expect.stringContaining('already begin with it'), 0]);
  });
});

describe('the target file', () => {
  test.each([
    [['http://127.0.0.1:9999'], undefined],
    [[`${BASE}/base`], 'tok'],
    [['http://127.0.0.1:9999', '--target', 'agent-contract.json'], 'tok'],
  ])('gives its token only to its own server, unless it is named: %j', async (argv, token) => {
    const cwd = path.dirname(file('there/agent-contract.json', { baseUrl: BASE, token: 'tok' }));
    const { stderr } = await run(['check', ...argv], { cwd });
    const note = 'note: agent-contract.json describes another server';
    expect([options().baseUrl, options().token, stderr.includes(note)]).toEqual([argv[0], token, token === undefined]);
  });

  test('has paths that are relative to its own folder', async () => {
    file('sub/ca.pem', localhost.certificate);
    file('sub/known.json', { entries: [] });
    const values = { $schema: 'x', baseUrl: BASE, ca: 'ca.pem', report: ['json=out.json'], baseline: 'known.json' };
    await check('--target', file('sub/target.json', values));
    expect(options().ca).toBe(localhost.certificate);
    expect(readReport('sub/out.json')).toMatchObject({ ...green, baseline: { known: [] } });
  });
});

describe('outputs', () => {
  test('are text by default, without colour unless standard output is a terminal', async () => {
    const { stdout, stderr, status } = await check();
    expect(stdout).toMatch(/CONFORMANT: 4 passed, 0 failed, 0 not judged\n$/);
    expect(stdout).not.toContain('\u001b');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  const colours = rows.colours as [object, boolean, boolean][];
  test.each(colours)('with the variables %j, on a terminal (%s), are coloured: %s', async (given, isTTY, expected) => {
    const env = { ...given };
    const { stdout } = await run(['check', BASE], { env, isTTY });
    expect(stdout.includes('\u001b[')).toBe(expected);
  });

  test.each(['--json', '--report=json=-'])('may be JSON only: %s', async (flag) => {
    expect(JSON.parse((await check(flag)).stdout)).toEqual(green);
  });

  test('are written to files without colour, beside the text', async () => {
    write('out/.keep', '');
    const reports = ['--report', 'text=out/a.txt', '--report', 'junit=out/a.xml', '--report', 'json=out/a.json'];
    const { stdout } = await run(['check', BASE, ...reports], { isTTY: true, cwd: folder });
    expect(stdout).toContain('CONFORMANT');
    expect(read('out/a.txt')).toMatch(/\nCONFORMANT: 4 passed/);
    expect(read('out/a.xml')).toMatch(/^<\?xml.*\n<testsuites name="agent-contract" tests="4"/);
    expect(readReport('out/a.json')).toEqual(green);
    expect(fs.readdirSync(path.join(folder, 'out')).toSorted()).toEqual(['.keep', 'a.json', 'a.txt', 'a.xml']);
  });

  test('replace a file, also through a link', async () => {
    const link = path.join(folder, 'link.json');
    fs.symlinkSync(file('real.json', 'old'), link);
    await check('--report', `json=${link}`);
    expect(readReport('real.json')).toEqual(green);
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('are written to a pipe without replacing it', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    const buffer = Buffer.alloc(65_536);
    try {
      await check('--report', `json=${pipe}`);
      expect(JSON.parse(buffer.toString('utf8', 0, fs.readSync(reader, buffer)))).toEqual(green);
    } finally {
      fs.closeSync(reader);
    }
    expect(fs.statSync(pipe).isFIFO()).toBe(true);
  });

  test('that cannot be written after the run cause exit status 4', async () => {
    const target = path.join(folder, 'vanishing/a.json');
    fs.mkdirSync(path.dirname(target));
    runConformance.mockImplementation(() => {
      fs.rmSync(path.dirname(target), { recursive: true });
      return Promise.resolve(green);
    });
    const { status, stderr } = await check('--report', `json=${target}`);
    expect([status, stderr]).toEqual([4, expect.stringMatching(/^error: ENOENT.*\nAGENT_CONTRACT_DEBUG=1 shows/)]);
    expect(fs.existsSync(target)).toBe(false);
  });

  test('include progress on standard error, on a terminal in a line that is erased', async () => {
    runConformance.mockImplementation(({ onProgress }: RunOptions) => {
      const now = { requests: 120, about: 405, endpoint: 'create-agent', failing: 0, round: 1 } as const;
      onProgress?.(now);
      onProgress?.({ ...now, requests: 460, failing: 2, round: 2 });
      onProgress?.({ ...now, requests: 460, failing: 1, about: undefined });
      return Promise.resolve(green);
    });
    expect((await check()).stderr).toBe('');
    const { stderr } = await run(['check', BASE, '--json'], { isTTY: true });
    // A terminal of sixty columns.
    expect(stderr.split('\r\u001b[2K')).toEqual(rows.progress);
  });

  test('include progress elsewhere too, in a line for each minute', () => {
    let now = 0;
    let written = '';
    const stderr = { write: (text: string): boolean => (written += text) !== '' };
    const progress = progressLine({ stderr }, () => now);
    for (const second of [0, 59, 60, 100, 121]) {
      now = second * 1000;
      progress.show(`after ${second} s`);
    }
    progress.end();
    expect(written).toBe('after 60 s\nafter 121 s\n');
  });
});

test('--cleanup runs for each created resource, the latest first, and changes no verdict', async () => {
  runConformance.mockResolvedValue({ ...green, created: rows.created });
  write(
    'remove.mjs',
    "import fs from 'node:fs'; const [kind, id] = process.argv.slice(2); fs.appendFileSync('done', `${kind} ${id};`); process.exit(id === 'w1' ? 5 : 0)",
  );
  const argv = ['check', BASE, '--token', 'secret-5Gx81', '--cleanup', `${process.execPath} remove.mjs {kind} {id}`];
  const { status, stderr } = await run(argv, { cwd: folder });
  expect([status, read('done')]).toEqual([0, 'agent a2;workspace w1;']);
  expect(stderr).toMatch(
    /agent --all: this id is not.*\n.*agent a 1: this id.*\n.*workspace w1: Command failed.*\n.*1 of 4 resources done\.\n/,
  );
});

describe('the exit status', () => {
  test('is 3 for a run that is partial, and 0 with --allow-partial', async () => {
    runConformance.mockResolvedValue(sampleReport({ fail: 0, error: 0 }, { outcome: 'partial' }));
    expect([(await check()).status, (await check('--allow-partial')).status]).toEqual([3, 0]);
  });

  test('is 4 if the run throws, and no message shows a stack or a token', async () => {
    runConformance.mockRejectedValue(new Error(`no way with secret-one ${HOSTILE}`));
    const { status, stdout, stderr } = await check('--token', 'secret-one');
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toMatch(
      /^error: no way with \$TOKEN <script>.*\nAGENT_CONTRACT_DEBUG=1 shows where this happened\.\n$/,
    );
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const debug = await run(['check', BASE, '--token', 'secret-one'], { env: { AGENT_CONTRACT_DEBUG: '1' } });
    expect(debug.stderr).toMatch(/\n +at /);
    expect(debug.stderr).not.toContain('secret-one');
  });

  test('is 4 if the user stops the run, and the report is still written', async () => {
    const controller = new AbortController();
    runConformance.mockImplementation(({ signal }: RunOptions) => {
      controller.abort();
      return Promise.resolve(sampleReport({ fail: 0 }, { summary: `stopped: ${signal?.aborted ?? 'unknown'}` }));
    });
    const ended = await run(['check', BASE], { signal: controller.signal });
    expect(ended).toEqual({
      status: 4,
      stdout: expect.stringContaining('stopped: true'),
      stderr: expect.stringContaining('was stopped'),
    });
  });
});

describe('a baseline', () => {
  const red = sampleReport({ pass: 1, fail: 2, notJudged: 1, error: 0 });
  // The second finding of check-14 in the sample has no place.
  const entries = rows.known;
  beforeEach(() => {
    runConformance.mockResolvedValue(red);
  });

  test('that knows every failure makes the run a success, and both reports say so', async () => {
    const known = file('known.json', { entries });
    const { status, stdout, stderr } = await check('--baseline', known, '--report', `json=${folder}/held.json`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(
      '  known  check-14: Ticket 15. (until 2026-12-31)\n  known, not judged  check-21: Nobody has one.\n',
    );
    expect(stdout).toMatch(
      /\n {2}Nothing is new: 4 findings known\.\n\n[^]*\nNOTHING NEW \(by itself: nonconformant\): 1 passed, 2 failed/,
    );
    const { baseline, outcome } = readReport('held.json');
    expect([outcome, baseline]).toEqual(['nonconformant', { verdict: 'nothing-new', known: entries, news: [] }]);
  });

  test.each([
    ['a failure that it does not know', entries.slice(1), '  new failure  check-7 at /agent/plain: Expected '],
    ['a check that is newly not judged', entries.slice(0, 3), '  newly not judged  check-21: nothing to judge'],
  ])('and %s', async (_name, given, says) => {
    const { status, stdout } = await check('--baseline', file('given.json', { entries: given }));
    expect([status, stdout]).toEqual([1, expect.stringContaining(says)]);
  });

  test('is written, then knows every failure, and keeps its earlier comments', async () => {
    const to = path.join(folder, 'made.json');
    expect(await check('--write-baseline', to)).toMatchObject({
      status: 0,
      stderr: `Wrote ${to}: 2 known failures, 1 not judged. Write into each "reason" why you accept it.\n`,
    });
    expect((await check('--baseline', to)).status).toBe(0);
    const made = JSON.parse(read('made.json')) as { entries: { check: string; reason: string }[] };
    const own = made.entries.map((entry, index) => (index === 0 ? { ...entry, reason: 'Our words.' } : entry));
    fs.writeFileSync(to, JSON.stringify({ entries: [...own, { check: 'check-0', reason: 'mended' }] }));
    expect((await check('--baseline', to, '--write-baseline', to)).status).toBe(0);
    expect(JSON.parse(read('made.json'))).toEqual({ entries: own });
  });

  test('is not written after a run that reached nothing', async () => {
    runConformance.mockResolvedValue(sampleReport({ pass: 0, fail: 0, error: 0 }, { outcome: 'unreachable' }));
    const to = path.join(folder, 'never.json');
    expect(await check('--write-baseline', to)).toMatchObject({
      status: 4,
      stderr: `${to} was not written, since the run is not complete.\n`,
    });
    expect(fs.existsSync(to)).toBe(false);
  });

  test('shows no token, even if somebody wrote one into it', async () => {
    const known = file('leaky.json', { entries: [{ check: 'check-7', reason: 'Try secret-one.' }] });
    const { stdout } = await check('--baseline', known, '--token', 'secret-one');
    expect(stdout).toContain('Try $TOKEN.');
    expect(stdout).not.toContain('secret-one');
  });
});

test('the JSON report is written even if it does not match its schema, with a message that this is our mistake', async () => {
  runConformance.mockResolvedValue({ ...green, startedAt: 'today \u001b[31m' });
  const { status, stdout, stderr } = await check('--json');
  expect(status).toBe(4);
  expect((JSON.parse(stdout) as typeof green).checks).toHaveLength(4);
  expect(stderr).toBe(
    'error: The JSON report does not match its own schema. This is a bug in agent-contract, not a fault of the target:\n' +
      '  /startedAt must match pattern "Z$"\n' +
      '  /startedAt must be a date and time such as 2026-12-31T12:00:00Z\n',
  );
  expect((await check()).status).toBe(0);
});

describe('in GitHub Actions', () => {
  const red = sampleReport({}, { text: `${HOSTILE} ##[add-mask]x\n::error::forged` });
  const summary = path.join(folder, 'summary.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  beforeEach(() => {
    runConformance.mockResolvedValue(red);
    fs.rmSync(summary, { force: true });
  });

  test('annotations follow the text, in which no command is active, and the job has a summary', async () => {
    fs.writeFileSync(summary, 'Before.\n');
    const { stdout, stderr } = await run(['check', BASE], { env });
    expect(stderr).not.toContain('::');
    const [, end = ''] = /^::stop-commands::([\w-]{36})\n/.exec(stdout) ?? [];
    const [text = '', annotations = '', ...more] = stdout.split(`\n::${end}::\n`);
    expect(text).toContain('NONCONFORMANT');
    expect(more).toEqual([]);
    expect(annotations).toMatch(/^::error title=agent-contract/);
    expect(annotations.match(/^::error /gm)?.length).toBe(1 + red.counts.fail);
    expect(fs.readFileSync(summary, 'utf8')).toMatch(/^Before\.\n[^]*Nonconformant/);
  });

  test('a summary that cannot be written causes no failure', async () => {
    const missing = { ...env, GITHUB_STEP_SUMMARY: path.join(folder, 'no/such.md') };
    const { stderr } = await run(['check', BASE], { env: missing });
    expect(stderr).toContain('note: cannot write the job summary (ENOENT).');
  });

  test('nothing of this happens elsewhere', async () => {
    const { stdout, stderr } = await run(['check', BASE], { env: { GITHUB_STEP_SUMMARY: summary } });
    expect([stdout + stderr, fs.existsSync(summary)]).toEqual([expect.not.stringMatching(/^::/m), false]);
  });
});
