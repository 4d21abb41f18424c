import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createMock, type Mock, type MockServer } from '../../mock/index.ts';

/**
 * Generated clients of the document against the mock. Each walks a list, creates, imports, reads and gets a typed error. Only
 * GENERATED_CLIENTS=1 runs this, since it fetches a hundred megabytes of generators.
 */

const isAsked = process.env['GENERATED_CLIENTS'] === '1';
if (!isAsked) process.stderr.write('\nNOT RUN without GENERATED_CLIENTS=1: the clients that generators make.\n');

const PACKAGES = [
  'typescript@5.9.3',
  '@types/node@20.19.43',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
];
const PYTHON_PACKAGE = 'openapi-python-client==0.29.1';

/** As strict as a careful user sets it. Generators read it to see how modules are named. */
const COMPILER = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  rootDir: '.',
  outDir: 'out',
};

const started = promisify(execFile);
const run = (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  started(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 100_000_000 });

(isAsked ? describe : describe.skip)('a generated client', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'generated-clients-'));
  let mock: Mock;
  let server: MockServer;
  let wanted: object;

  beforeAll(async () => {
    mock = createMock();
    server = await mock.listen();
    const { results } = await pageOfAll();
    wanted = { walked: results, made: 'x', imported: 'One', mode: 'write', error: 'body/agent/name' };
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], folder);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The number of results to walk. */
  async function pageOfAll(): Promise<{ readonly results: number }> {
    const { agentId, token } = mock.target;
    let results = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({ timeFilter: 'allTime', limit: '100', ...(cursor === '' ? {} : { cursor }) });
      const answer = await fetch(`${server.url}/api/v1/agents/${agentId}/results?${query.toString()}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const page = (await answer.json()) as { results: unknown[]; nextCursor: string | null };
      results += page.results.length;
      cursor = page.nextCursor;
    }
    return { results };
  }

  /** Environment variables tell the program what to do. */
  const target = (): NodeJS.ProcessEnv => ({
    SERVICE_URL: server.url,
    TOKEN: mock.target.token,
    AGENT_ID: mock.target.agentId,
    WORKSPACE_ID: mock.target.workspaceId,
  });

  const commands: Readonly<Record<string, readonly string[]>> = {
    'openapi-fetch': ['openapi-typescript', 'openapi.json', '-o', 'service.d.ts'],
    'hey-api': ['openapi-ts', '-f', 'config.mjs'],
    orval: ['orval', '--config', 'config.mjs'],
  };

  const configs = (): Readonly<Record<string, object>> => ({
    'hey-api': {
      input: './openapi.json',
      output: { path: 'service', module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch'],
    },
    orval: {
      service: { input: './openapi.json', output: { target: './service.ts', client: 'fetch', baseUrl: server.url } },
    },
  });

  test.each(Object.keys(commands))('of %s compiles and works', async (name) => {
    const own = path.join(folder, name);
    mkdirSync(own);
    writeFileSync(path.join(own, 'openapi.json'), await (await fetch(`${server.url}/docs/openapi.json`)).text());
    writeFileSync(path.join(own, 'config.mjs'), `export default ${JSON.stringify(configs()[name])};`);
    writeFileSync(
      path.join(own, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER, files: ['program.ts'] }),
    );
    const [generator = '', ...args] = commands[name] ?? [];
    await run(binary(generator), args, own);
    cpSync(path.join(__dirname, `${name}.mts`), path.join(own, 'program.ts'));
    await compile(own);
    expect(existsSync(path.join(own, 'out/program.js'))).toBe(true);
    const { stdout } = await run(process.execPath, ['out/program.js'], own, target());
    expect(JSON.parse(stdout)).toEqual(wanted);
  });

  test('of openapi-python-client works', async () => {
    const own = path.join(folder, 'python');
    mkdirSync(own);
    try {
      await run('python3', ['-m', 'venv', 'tools'], own);
    } catch {
      process.stderr.write('\nNOT RUN, for want of Python 3: the client of openapi-python-client.\n');
      return;
    }
    await run('tools/bin/pip', ['-q', 'install', PYTHON_PACKAGE], own);
    writeFileSync(path.join(own, 'openapi.json'), await (await fetch(`${server.url}/docs/openapi.json`)).text());
    const made = [
      'generate',
      '--path',
      'openapi.json',
      '--meta',
      'none',
      '--output-path',
      'service',
      '--fail-on-warning',
    ];
    await run('tools/bin/openapi-python-client', made, own, {
      PATH: `${path.join(own, 'tools/bin')}:${process.env['PATH']}`,
    });
    cpSync(path.join(__dirname, 'openapi-python-client.py'), path.join(own, 'program.py'));
    const { stdout } = await run('tools/bin/python', ['program.py'], own, target());
    expect(JSON.parse(stdout)).toEqual(wanted);
  });

  const binary = (name: string): string => path.join(folder, 'node_modules/.bin', name);

  /** The compiler's output is the failure. */
  async function compile(own: string): Promise<void> {
    try {
      await run(binary('tsc'), ['-p', '.'], own);
    } catch (error) {
      throw new Error((error as { stdout?: string }).stdout ?? String(error), { cause: error });
    }
  }
});
