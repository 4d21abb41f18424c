import { Ajv } from 'ajv';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { sampleCheck, sampleReport } from '../../conformance/testing/sample-report.ts';
import localhost from '../../conformance/testing/test-certificate.json';
import { serverOf } from '../../http/testing/test-server.ts';
import { flagName, variableName } from '../flags.ts';
import schema from './target-file.schema.json';
import { run, temporaryFolder } from '../testing/test-io.ts';

/** Refuses every request, and records what was sent. */
const seen: IncomingHttpHeaders[] = [];
let url = '';
beforeAll(async () => {
  ({ url } = await serverOf((request, response) => {
    seen.push(request.headers);
    response.writeHead(401).end('{}');
  }));
});
beforeEach(() => void seen.splice(0));

const place = temporaryFolder();
let folders = 0;
function folderWith(target: object | undefined, files: Readonly<Record<string, string>> = {}): string {
  const folder = path.join(place, String(++folders), 'inner');
  mkdirSync(folder, { recursive: true });
  const all = target === undefined ? files : { ...files, 'agent-contract.json': JSON.stringify(target) };
  for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const FEW = ['--read-only', '--timeout', '5000'];
const failed = { ...sampleCheck('fail', 0, 'x'), id: 'get-agent-shows-agent' };
const reportOf = (baseUrl: string): string =>
  JSON.stringify({ ...sampleReport({ pass: 0, fail: 0 }), checks: [failed], target: { baseUrl } });

const commands: Readonly<Record<string, readonly string[]>> = {
  check: ['check', '--only', 'get-agent-accepts-valid-request', ...FEW],
  doctor: ['doctor', '--only', 'get-agent-accepts-valid-request', ...FEW],
  replay: ['replay', 'report.json', '1', ...FEW],
};
const secrets = { token: 'tok-1', readToken: 'tok-2', guestToken: 'tok-3', header: 'X-Key: tok-4' } as const;
type SecretKey = keyof typeof secrets;
const sources = ['flag', 'variable', 'file'] as const;
type Source = (typeof sources)[number];
type NamedBy = 'typed' | 'variable' | 'named file' | 'named by a variable' | 'found file' | 'report';

/** Runs a command in a folder, with the URL given in one way and a secret in another. */
async function attempt(command: string, namedBy: NamedBy, key: SecretKey, source: Source) {
  const target: Record<string, unknown> = { baseUrl: url, agentId: 'a' };
  const argv = [...(commands[command] ?? [])];
  const env: Record<string, string> = {};
  if (namedBy === 'typed') argv.push(...(command === 'replay' ? ['--base-url', url] : [url]));
  if (namedBy === 'named file') argv.push('--target', 'agent-contract.json');
  if (namedBy === 'variable') env[variableName('baseUrl')] = url;
  if (namedBy === 'named by a variable') env[variableName('target')] = 'agent-contract.json';
  if (source === 'flag') argv.push(flagName(key), secrets[key]);
  if (source === 'variable') env[variableName(key)] = secrets[key];
  if (source === 'file') target[key] = key === 'header' ? [secrets[key]] : secrets[key];
  const isFile = namedBy.includes('file') || namedBy.startsWith('named') || source === 'file';
  const cwd = folderWith(isFile ? target : undefined, {
    'report.json': reportOf(namedBy === 'report' ? url : 'http://127.0.0.1:1'),
  });
  return run(argv, { cwd, env });
}

const keys = Object.keys(secrets) as SecretKey[];
const allowed = (namedBy: NamedBy, source: Source): boolean =>
  source === 'file' || (namedBy === 'found file' ? false : namedBy !== 'report' || source === 'flag');

/** Only replay reads a report, and it takes no server from the found file. */
const ways = ['typed', 'variable', 'named file', 'named by a variable'] as const;
const cases = Object.entries({ check: 'found file', doctor: 'found file', replay: 'report' } as const)
  .flatMap(([command, own]) => [...ways, own].map((namedBy) => [command, namedBy] as const))
  .flatMap((way) => keys.flatMap((key) => sources.map((source) => [...way, key, source] as const)))
  // Allowed cases take time, and one secret shows as much as four.
  .filter(([, namedBy, key, source]) => key === 'token' || !allowed(namedBy, source));

test('the schema of the file is valid', () => {
  const ajv = new Ajv();
  expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
});

test.each(cases)('%s: the server named by %s, %s given by a %s', async (command, namedBy, key, source) => {
  const { status, stdout, stderr } = await attempt(command, namedBy, key, source);
  if (allowed(namedBy, source)) return expect([status, stderr]).not.toEqual([2, expect.stringContaining('would send')]);
  const given = source === 'flag' ? flagName(key) : variableName(key);
  const [who, remedy] =
    namedBy === 'report'
      ? ['the report', `--base-url ${url}`]
      : ['agent-contract.json, which was only found in the current folder,', '--target agent-contract.json'];
  expect(stderr).toBe(
    `error: Only ${who} names ${url}, and the run would send ${given} there. If that is right, use ${remedy}.\n`,
  );
  expect({ status, stdout, requests: seen.length }).toEqual({ status: 2, stdout: '', requests: 0 });
});

test('a secret in the found file goes to the server of that file', async () => {
  const target = { baseUrl: url, token: 'tok-1', agentId: 'a', header: ['X-Key: tok-4'] };
  await run(['check', '--only', 'get-agent-accepts-valid-request', ...FEW], { cwd: folderWith(target) });
  expect(seen.map(({ authorization }) => authorization)).toContain('Bearer tok-1');
  expect(seen.at(-1)).toMatchObject({ 'x-key': 'tok-4' });
});

describe.each(['check', 'doctor', 'replay'])('%s, with a file that was only found', (command) => {
  const given = async (content: object, argv: readonly string[] = []) => {
    const files = { 'ca.pem': localhost.certificate, 'report.json': reportOf(url) };
    const cwd = folderWith({ baseUrl: url, agentId: 'a', ...content }, files);
    return run([...(commands[command] ?? []), ...argv], { cwd });
  };

  test.each([
    ['insecure', true],
    ['ca', 'ca.pem'],
  ])('takes no certificate settings from it: %s', async (key, value) => {
    const { status, stderr } = await given({ [key]: value });
    expect(stderr).toBe(
      `error: agent-contract.json /${key}: a file that was only found in the current folder cannot choose the trusted certificates. Use --${key}, or name the file: --target agent-contract.json.\n`,
    );
    expect({ status, requests: seen.length }).toEqual({ status: 2, requests: 0 });
    expect((await given({ [key]: value }, ['--target', 'agent-contract.json'])).stderr).toBe('');
  });

  test('takes insecure from it if that is false, or a flag says so', async () => {
    expect((await given({ insecure: false })).stderr).toBe('');
    expect((await given({ insecure: true }, ['--no-insecure'])).stderr).toBe('');
  });
});

describe('file names in a found file', () => {
  const outside = path.join(place, 'outside');
  mkdirSync(outside);
  const found = async (report: string, prepare: (cwd: string) => void = () => undefined) => {
    const cwd = folderWith({ baseUrl: url, token: 'tok-1', agentId: 'a', report: [`json=${report}`], only: ['4.3'] });
    mkdirSync(path.join(cwd, 'reports'));
    prepare(cwd);
    return run(['check', ...FEW], { cwd });
  };

  const elsewhere = [
    '../out.json',
    'reports/../../out.json',
    path.join(outside, 'out.json'),
    '.git/config',
    '.npmrc',
    '.',
  ];
  test.each(elsewhere)('are refused above its folder, elsewhere, and hidden: %s', async (name) => {
    const { status, stderr } = await found(name, (cwd) => mkdirSync(path.join(cwd, '.git')));
    expect(stderr).toBe(
      `error: agent-contract.json /report ${JSON.stringify(name)}: a file that was only found in the current folder may name only files below that folder, and no links or hidden files. Use --report, or name the file: --target agent-contract.json.\n`,
    );
    expect({ status, requests: seen.length }).toEqual({ status: 2, requests: 0 });
  });

  test.each([
    ['a link to a file', 'link.json', 'link.json', path.join(outside, 'x')],
    ['a folder that is a link', 'away/out.json', 'away', outside],
    ['a link back to the folder', 'link.json', 'link.json', 'package.json'],
  ])('are refused through %s', async (_, name, link, to) => {
    const { status, stderr } = await found(name, (cwd) => symlinkSync(path.resolve(cwd, to), path.join(cwd, link)));
    expect([status, stderr]).toEqual([2, expect.stringContaining('and no links or hidden files')]);
  });

  test.each(['reports/out.json', 'out.json', '-'])('may be below its folder: %s', async (name) => {
    expect((await found(name)).stderr).not.toContain('only found');
  });

  test('must be below its folder for baselines too', async () => {
    const cwd = folderWith({ baseUrl: url, baseline: '../known.json' });
    writeFileSync(path.join(cwd, '../known.json'), '{"entries":[]}');
    expect(await run(['check', ...FEW], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('agent-contract.json /baseline "../known.json": a file'),
    });
  });

  test('are accepted if the current folder itself is a link', async () => {
    const cwd = folderWith({ baseUrl: url, report: ['json=out.json'] });
    const link = path.join(place, 'link-to-folder');
    rmSync(link, { force: true });
    symlinkSync(cwd, link);
    expect((await run(['check', ...FEW], { cwd: link })).stderr).toBe('');
  });
});
