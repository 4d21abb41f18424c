import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { served } from '../../http/testing/test-server.ts';
import manifest from '../../package.json';
import { createMock, type MockServer } from '../../mock/index.ts';
import { copySources, execute, pack, root, runScript, temporaryFolder } from '../../packaging/test-package.ts';
import { follow, keyOf } from './follow.ts';
import { documentedNames, readPage, type DocsPage } from './pages.ts';
import { containersOf, projectManifest, projectTests, runContainer, runJobs, runSteps } from './pipelines.ts';
import { stepsOf, type PipelinePlace } from './pipelines.ts';
import { sampled } from '../test-trials.ts';
import { openRegistry } from './registry.ts';
import { variablesOf, type RunningServer } from '../hostile/serve.ts';
import { openShell } from './shell.ts';

// For a busy machine.
jest.setTimeout(900_000);

// Follows the recipes as their systems would: with the real npm, but with a registry of the installed packages, and with a mock
// in place of https://api.example.com.

const folder = temporaryFolder();
const mock = createMock();
const wrong = createMock({ faults: ['results-ascending'] });
let registry: RunningServer;
let servers: readonly MockServer[] = [];
let packed: string;

const pages = readdirSync(path.join(root, 'docs/recipes'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => readPage(root, `docs/recipes/${file}`));
const pageOf = (name: string): DocsPage => readPage(root, `docs/recipes/${name}.md`);
/** `DOCS_PAGE=gitlab npx jest proof/docs` follows one page. */
const wantedPage = process.env['DOCS_PAGE'] ?? '';
const executed = wantedPage === '' ? sampled(pages, 1 / 2) : pages.filter(({ name }) => name.includes(wantedPage));
const wanted = (name: string): readonly DocsPage[] =>
  executed.filter((page) => page.name === `docs/recipes/${name}.md`);

/** What is wrong with each block or page, by its place; empty if nothing is. */
const findings = new Map<string, readonly string[]>();

const live = (text: string): string => text.replaceAll('https://api.example.com', servers[0]?.url ?? '');

const programs = path.join(folder, 'bin');
const search = `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

/**
 * The real npm, except that it does not repeat an installation with the same arguments in the same folder, which takes seconds.
 */
function writeNpm(): void {
  mkdirSync(programs);
  const done = path.join(folder, 'installed');
  writeFileSync(
    path.join(programs, 'npm'),
    `#!/bin/sh
case "$1" in ci|install) ;; *) PATH='${search}' exec npm "$@" ;; esac
if grep -qxF "$PWD $*" '${done}' 2>/dev/null; then echo 'up to date'; exit 0; fi
PATH='${search}' npm "$@" || exit
echo "$PWD $*" >>'${done}'
`,
    { mode: 0o755 },
  );
}

const environment = (): Record<string, string> => ({
  PATH: `${programs}:${search}`,
  HOME: folder,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  npm_config_registry: registry.url,
  npm_config_cache: path.join(folder, 'cache'),
  npm_config_update_notifier: 'false',
});
const { target } = mock;
const secrets = {
  AGENT_CONTRACT_TOKEN: target.token,
  AGENT_CONTRACT_READ_TOKEN: target.readToken ?? '',
  AGENT_CONTRACT_GUEST_TOKEN: target.guestToken ?? '',
};
const ids = variablesOf(mock);

/** Makes a folder with the packed file in it. */
function place(name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made);
  copyFileSync(packed, path.join(made, path.basename(packed)));
  return made;
}

async function followPage({ blocks }: DocsPage, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const { file, text } of blocks) if (file !== undefined) writeFileSync(path.join(cwd, file), live(text));
  const shell = openShell(cwd, env, path.join(folder, `${path.basename(cwd)}.log`));
  try {
    const followed = await follow(blocks, shell, ({ language, file, text }) =>
      language === 'sh' && file === undefined ? live(text) : undefined,
    );
    for (const [key, problems] of followed) findings.set(key, problems);
  } finally {
    await shell.close();
  }
}

/** In an empty project beside a clone. Tests are not packed, so they are not built. */
async function install(page: DocsPage): Promise<void> {
  copySources(path.join(folder, 'agent-contract'), (file) => !file.endsWith('.test.ts'));
  const project = path.join(folder, 'install');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  await followPage(page, project, environment());
}

const scriptFolder = path.join(folder, 'shell');

async function script(page: DocsPage): Promise<void> {
  await followPage(page, place('shell'), { ...environment(), ...secrets, ...ids });
}

/** What shell.md does not show: how its script ends for other servers. */
async function endsOfScript({ blocks }: DocsPage): Promise<void> {
  const block = blocks.find(({ file }) => file === 'contract.sh');
  if (block === undefined) return;
  const [right = '', other = ''] = servers.map(({ url }) => url);
  const problems: string[] = [];
  const cases: readonly [number, string, Readonly<Record<string, string>>][] = [
    [1, 'nonconformant: see reports/contract.html', { AGENT_CONTRACT_BASE_URL: other, ...secrets, ...ids }],
    [3, 'partial: the text above says what to supply', { AGENT_CONTRACT_BASE_URL: right }],
    [4, 'not judged (exit status 4)', { AGENT_CONTRACT_BASE_URL: 'http://127.0.0.1:1', ...secrets }],
  ];
  for (const [status, says, given] of cases) {
    const ran = await runScript(['contract.sh'], { cwd: scriptFolder, env: { ...environment(), ...given } });
    if (ran.status !== status || !ran.log.includes(`\n${says}\n`))
      problems.push(`It ended with ${ran.status}, not with ${status} and "${says}".\n${ran.log}`);
  }
  findings.set(keyOf(block), problems);
}

/** A project that tests a client of the service, with the packed file among its dependencies. */
async function checkOut(): Promise<PipelinePlace> {
  const project = place('project');
  writeFileSync(path.join(project, 'package.json'), JSON.stringify(projectManifest));
  writeFileSync(path.join(project, 'test.mjs'), projectTests);
  const lock = ['install', '--package-lock-only', '--save-dev', `./${path.basename(packed)}`];
  await execute('npm', lock, { cwd: project, env: environment() });
  return { project, env: environment(), secrets };
}

async function pipelines(): Promise<void> {
  const [gitlab, github, docker] = [wanted('gitlab'), wanted('github'), wanted('docker')];
  if (gitlab.length + github.length + docker.length === 0) return;
  const checkedOut = await checkOut();
  await each(gitlab, async ({ blocks }) => {
    for (const block of blocks) findings.set(keyOf(block), await runJobs(live(block.text), checkedOut));
  });
  const { project, env } = checkedOut;
  // The GitLab jobs have installed it if they ran.
  if (!existsSync(path.join(project, 'node_modules'))) await execute('npm', ['ci'], { cwd: project, env });
  await each(github, async ({ blocks }) => {
    for (const block of blocks)
      if (block.excuse === undefined) findings.set(keyOf(block), await runSteps(block, checkedOut));
  });
  await each(docker, async (page) => {
    const problems: string[] = [];
    for (const { line, args, variables } of containersOf(page, root))
      problems.push(...(await runContainer({ line, args: live(args), variables }, project, env, secrets)));
    findings.set(page.name, problems);
  });
}

/** Follows one page after the other. If one cannot be followed to its end, only that one fails. */
async function each(some: readonly DocsPage[], work: (page: DocsPage) => Promise<void>): Promise<void> {
  for (const page of some)
    await work(page).catch((error: unknown) => {
      findings.set(page.name, [String(error)]);
    });
}

const isWindows = process.platform === 'win32';
const isIdle = isWindows || executed.length === 0;

beforeAll(async () => {
  if (isIdle) return;
  writeNpm();
  registry = await openRegistry(root);
  servers = [await served(mock, { port: 0 }), await served(wrong, { port: 0 })];
  packed = (await pack(folder)).file;
  // Two at a time, so that a small machine is not overloaded.
  const scripted = each(wanted('shell'), script);
  await Promise.all([
    each(wanted('install'), install)
      .then(() => scripted)
      .then(() => each(wanted('shell'), endsOfScript)),
    scripted.then(pipelines),
  ]);
});
afterAll(async () => {
  if (isIdle) return;
  await registry.close();
});

(isWindows ? describe.skip : describe)('blocks', () => {
  for (const { name, blocks } of executed)
    test(`${name}: every block runs, and does what the page says`, () => {
      const missed = blocks.filter((block) => block.excuse === undefined && !findings.has(keyOf(block)));
      expect(missed.map((block) => `${keyOf(block)} was not executed`)).toEqual([]);
      const problems = [name, ...blocks.map(keyOf)].flatMap((key) =>
        (findings.get(key) ?? []).map((problem) => `${key}: ${problem}`),
      );
      expect(problems.join('\n\n')).toBe('');
    });
});

test('the action has the inputs and outputs that pages use', () => {
  const { blocks, code } = pageOf('github');
  const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Readonly<
    Record<'inputs' | 'outputs', object>
  >;
  const uses = blocks.flatMap(stepsOf).filter(({ uses: name }) => name?.includes('/agent-contract@') === true);
  expect(uses).toHaveLength(1);
  // `version: 0.1.0` and the like. The one exception is GitHub's own.
  const inPassing = code.flatMap(({ text }) => /^([a-z]+(?:-[a-z]+)*): /.exec(text)?.[1] ?? []);
  const inputs = [...uses.flatMap((step) => Object.keys(step.with ?? {})), ...inPassing];
  const outputs = [...blocks, ...code].flatMap(({ text }) =>
    [...text.matchAll(/steps\.contract\.outputs\.([\w-]+)/g)].map(([, name = '']) => name),
  );
  const flags = uses
    .flatMap((step) => step.with?.['args']?.trim().split('\n') ?? [])
    .map((one) => one.replace(/=.*/, ''));
  expect([inputs, outputs, flags].map((names) => names.length > 1)).toEqual([true, true, true]);
  const known = documentedNames(root);
  expect({
    inputs: inputs.filter((name) => !(name in action.inputs)),
    outputs: outputs.filter((name) => !(name in action.outputs)),
    flags: flags.filter((name) => !known.has(name)),
  }).toEqual({ inputs: ['continue-on-error'], outputs: [], flags: [] });
});

test('containers get variables that the program knows', () => {
  const handed = containersOf(pageOf('docker'), root).flatMap(({ variables }) => variables);
  expect(handed).not.toEqual([]);
  expect(handed.filter((name) => !documentedNames(root).has(name))).toEqual([]);
});

test.each(pages.map((page) => [page.name, page] as const))('%s: names the current version', (_, { blocks, code }) => {
  const named = [...blocks, ...code].flatMap(({ text }) =>
    [...text.matchAll(/(?:agent-contract(?:-|:|@v)|^version: )(\d+\.\d+\.\d+)/g)].map(([, version]) => version),
  );
  expect(named.filter((version) => version !== manifest.version)).toEqual([]);
});
