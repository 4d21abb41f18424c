import { transformSync } from '@swc/core';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json';
import { freePort } from '../free-port.ts';
import { chromium, isBrowserMissing } from '../../mock/testing/test-browser.ts';
import { readSeed, resolveProfile, type ProfileChoice } from '../../mock/index.ts';
import { sampled } from '../test-trials.ts';
import { pack, root, temporaryFolder, typeCheck } from '../../packaging/test-package.ts';
import { follow, keyOf } from './follow.ts';
import { documentedNames, readPage, type CodeBlock, type DocsPage } from './pages.ts';
import { createProject, type Project } from './project.ts';
import { hasPassed, runnerOf, runners, testCommand } from './runners.ts';
import { openShell } from './shell.ts';

// For a busy machine.
jest.setTimeout(900_000);

// This test runs the commands of the documentation, and compares their output with what the pages show.

/**
 * The blocks that do not run, by page, in the order of the page. A page fails if another block does not run, and if a block in
 * this list is gone.
 */
const excuses: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': ['the whole run takes minutes, and this page is read by a part of it', 'a drawing'],
  'README.md': [
    'the two commands install and build, which takes minutes',
    "the server is somebody's",
    'the tests are yours',
  ],
  'docs/guides/claims.md': ['it needs a key, and a program of others'],
  'docs/guides/coding-agents.md': ['the package is not in the public registry'],
  'docs/guides/half-a-back-end.md': ["the server is somebody's"],
  'docs/guides/in-production.md': ["the server is somebody's"],
  'docs/guides/under-load.md': [
    'k6 runs it; packaging/load.test.ts runs it with stand-ins for the modules of k6',
    "the server is somebody's, and k6 a program of others",
    "the recordings are somebody's",
    "the cluster is somebody's",
  ],
  'docs/guides/judging-a-client.md': ['it runs the tests some forty times', 'it takes as long as the tests'],
  'docs/guides/judging-traffic.md': ["the server is somebody's"],
  'docs/recipes/github.md': ['it needs a branch and a server'],
  'docs/guides/writing-a-profile.md': ["the server is somebody's"],
  'docs/recipes/docker.md': [
    'there is no Docker engine; what stands behind the name of the image is executed without it',
    'there is no Docker engine; packaging/container.e2e.test.ts runs the app of compose.yaml without it',
  ],
};

const pagesOf = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);

/** `DOCS_PAGE=writing-a-profile npx jest proof/docs` follows one page. */
const wantedPage = process.env['DOCS_PAGE'] ?? '';
const isWanted = (name: string): boolean => name.includes(wantedPage);
const pages = (names: readonly string[]): readonly DocsPage[] =>
  names.filter(isWanted).map((name) => readPage(root, name));
const executed = pages(['README.md', 'CONTRIBUTING.md', ...pagesOf('docs/guides')]);
/** Those whose commands run this time. */
const followedPages = wantedPage === '' ? sampled(executed, 1 / 2) : executed;
/** recipes.e2e.test.ts follows these. */
const recipes = pages(pagesOf('docs/recipes'));
const decisions = ['', '/judging', '/mock', '/packaging'].map((room) => `docs/decisions${room}`);
/** Pages without anything to run. */
const others = ['SECURITY.md', 'CHANGELOG.md', ...['docs', 'docs/reference', ...decisions].flatMap(pagesOf)].map(
  (name) => readPage(root, name),
);
const linked = [...executed, ...recipes, ...others];

const isCode = ({ language }: CodeBlock): boolean => ['ts', 'js', 'mjs', 'cjs'].includes(language);
/** Whether a snippet runs by itself. Tests, configurations, and files that another block starts do not. */
const isScript = (block: CodeBlock, blocks: readonly CodeBlock[]): boolean =>
  isCode(block) &&
  runnerOf(block) === undefined &&
  !/\.config\.[cm]?[jt]s$/.test(block.file ?? '') &&
  (block.file === undefined || !blocks.some(({ text }) => text.includes(`'node ${block.file}'`)));

const projectFolder = temporaryFolder();
const packFolder = temporaryFolder();
let project: Project;

/** What is wrong with each block, by page and line; empty if nothing is. */
const findings = new Map<string, readonly string[]>();

const folderOf = (page: string): string => path.join(projectFolder, path.basename(page, '.md').toLowerCase());
const fileOf = (block: CodeBlock): string =>
  path.join(
    folderOf(block.page),
    block.file ?? `line-${block.line}${runnerOf(block) === undefined ? '' : '.test'}.${block.language}`,
  );

/** Free ports, in place of those that pages name. */
interface Ports {
  /** Replaces 4010. */
  readonly mock: number;
  /** Replaces the port of `localhost:3000`, where readers have their app. */
  readonly app: number;
}

const onPorts = (text: string, { mock, app }: Ports): string =>
  text.replaceAll(/\b4010\b/g, String(mock)).replaceAll(/(?<=localhost:|listen\()3000\b/g, String(app));

/** Follows a page from beginning to end. */
async function execute({ name, blocks }: DocsPage, ports: Ports): Promise<void> {
  const folder = folderOf(name);
  const env = project.env(ports.mock);
  const shell = openShell(folder, env, path.join(projectFolder, `${path.basename(folder)}.log`));
  try {
    const followed = await follow(blocks, shell, (block) => {
      const text = onPorts(block.text, ports);
      if (block.language === 'sh') return text;
      return isScript(block, blocks) ? `node ${path.basename(scriptOf(block, text))}` : undefined;
    });
    for (const [key, problems] of followed) findings.set(key, problems);
    for (const runner of runners) {
      const tests = blocks.filter((block) => block.excuse === undefined && runnerOf(block) === runner);
      const [first] = tests;
      if (first === undefined) continue;
      const files = tests.map((block) => path.basename(fileOf(block)));
      const { output, problems } = await shell.run(testCommand(runner, folder, files));
      const missed = files.filter((file) => !hasPassed(runner, file, output));
      findings.set(keyOf(first), [...problems, ...missed.map((file) => `${file} did not pass\n${output}`)]);
    }
  } finally {
    await shell.close();
  }
}

/** Compiled by stripping the types. @returns the file to run */
function scriptOf(block: CodeBlock, text: string): string {
  const file = fileOf(block);
  if (block.language !== 'ts') return file;
  const script = file.replace(/\.ts$/, '.mjs');
  const { code } = transformSync(text, {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  // Another test checks its types.
  writeFileSync(script, `// @ts-nocheck\n${code}`);
  return script;
}

const schemaFiles: Readonly<Record<string, string>> = {
  target: 'cli/check/target-file.schema.json',
  baseline: 'conformance/baseline.schema.json',
  report: 'conformance/report.schema.json',
};

/** @throws Error if JSON on a page does not match its schema */
function judgeJson({ text, schema }: CodeBlock): void {
  const value: unknown = JSON.parse(text);
  if (schema === undefined) return;
  if (schema === 'profile') resolveProfile(value as ProfileChoice);
  else if (schema === 'seed') readSeed(text, 'the page');
  else {
    const definition = JSON.parse(readFileSync(path.join(root, schemaFiles[schema] ?? ''), 'utf8')) as {
      $schema?: string;
    };
    const Compiler = definition.$schema?.includes('2020') === true ? Ajv2020 : Ajv;
    const ajv = addFormats(new Compiler({ allErrors: true, strict: false }));
    if (!ajv.validate(definition, value)) throw new Error(ajv.errorsText());
  }
}

(process.platform === 'win32' ? describe.skip : describe)('blocks', () => {
  beforeAll(async () => {
    project = await createProject(await pack(packFolder), projectFolder);
    const work: (() => Promise<void>)[] = [];
    for (const page of followedPages) {
      const ports = { mock: await freePort(), app: await freePort() };
      mkdirSync(folderOf(page.name), { recursive: true });
      for (const block of page.blocks) {
        if (block.excuse !== undefined || (block.file === undefined && !isCode(block))) continue;
        const file = fileOf(block);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, onPorts(block.text, ports));
      }
      work.push(() =>
        execute(page, ports).catch((error: unknown) => {
          findings.set(page.name, [String(error)]);
        }),
      );
    }
    // Two at a time, so that a small machine is not overloaded.
    const next = async (): Promise<void> => {
      for (let one = work.shift(); one; one = work.shift()) await one();
    };
    await Promise.all([next(), next()]);
  });

  for (const { name, blocks } of followedPages)
    test(`${name}: every command does what the page says`, () => {
      const problems = [name, ...blocks.map(keyOf)].flatMap((key) =>
        (findings.get(key) ?? []).map((problem) => `${key}: ${problem}`),
      );
      expect(problems.join('\n\n')).toBe('');
    });

  test('snippets have correct types', async () => {
    expect(await typeCheck(projectFolder)).toBe('');
  });
});

const languages = new Set(['sh', 'ts', 'js', 'mjs', 'cjs', 'json', 'text']);

for (const { name, blocks } of [...executed, ...recipes])
  test(`${name}: exactly the excused blocks do not run`, () => {
    const isKnown = ({ language, excuse, file }: CodeBlock): boolean =>
      excuse !== undefined ||
      file !== undefined ||
      languages.has(language) ||
      // Jobs and workflows.
      (language === 'yaml' && name.startsWith('docs/recipes/'));
    expect(blocks.filter((block) => !isKnown(block)).map(keyOf)).toEqual([]);
    expect(blocks.flatMap(({ excuse }) => (excuse === undefined ? [] : [excuse]))).toEqual(excuses[name] ?? []);
  });

test('npm start is the mock that pages describe', () => {
  expect(manifest.scripts.start).toMatch(/ && node dist\/cli\/bin\.js mock$/);
});

// Nothing would run their commands.
test.each(others.map(({ name, blocks }) => [name, blocks] as const))('%s: shows no command', (name, blocks) => {
  const isShown = ({ language }: CodeBlock): boolean =>
    !name.startsWith('docs/reference/') || (language !== 'text' && !(language === 'ts' && name.endsWith('/api.md')));
  expect(blocks.filter(isShown).map(keyOf)).toEqual([]);
});

test('SECURITY.md names the versions that replace vulnerable ones', () => {
  const rows = readFileSync(path.join(root, 'SECURITY.md'), 'utf8').split('\n');
  for (const [name, version] of Object.entries(manifest.overrides['postman-collection']))
    expect(rows).toContainEqual(
      expect.stringMatching(new RegExp(`^\\| ${name} .* ${version.replaceAll('.', '\\.')} +\\|$`)),
    );
});

const inBrowser = followedPages.filter(({ blocks }) => blocks.some((block) => runnerOf(block) === 'playwright'));

for (const { name } of inBrowser)
  if (isBrowserMissing) {
    test.todo(`NOT RUN, since there is no browser: the Playwright tests in ${name}`);
    // A run of many files lists no skipped tests.
    process.stderr.write(
      `\nNOT RUN, since there is no browser: the Playwright tests in ${name}; they were loaded and listed. With Chromium ("apt-get install chromium", or "npx playwright install chromium") they run.\n`,
    );
  } else
    test(`${name}: the Playwright tests run in a browser`, () => {
      expect(chromium ?? 'WITH_BROWSER=1, and there is none').not.toMatch(/^WITH_BROWSER/);
    });

test('every page with excuses exists', () => {
  expect(Object.keys(excuses).filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

for (const { name, blocks } of [...executed, ...recipes])
  test(`${name}: JSON is valid, and matches its schema`, () => {
    const wrong = blocks.flatMap((block) => {
      if (block.language !== 'json' || block.excuse !== undefined) return [];
      try {
        judgeJson(block);
        return [];
      } catch (error) {
        return [`${keyOf(block)}: ${String(error)}`];
      }
    });
    expect(wrong).toEqual([]);
  });

const anchors = new Map(linked.map((page) => [page.name, page.anchors]));
const anchorsOf = (name: string): ReadonlySet<string> => anchors.get(name) ?? readPage(root, name).anchors;

test.each(linked.map((page) => [page.name, page] as const))('%s: every link has a target', (name, { links }) => {
  const broken = links.flatMap(({ line, target }) => {
    if (/^(?:https?|mailto):/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const wanted = file === '' ? name : path.posix.normalize(path.posix.join(path.posix.dirname(name), file));
    const where = path.join(root, wanted);
    const says = (what: string): string => `${name}:${line}: ${target}: ${what}`;
    if (wanted.startsWith('..') || !existsSync(where)) return [says('there is no such file')];
    if (anchor === undefined || statSync(where).isDirectory()) return [];
    return anchorsOf(wanted).has(anchor) ? [] : [says('there is no such heading')];
  });
  expect(broken).toEqual([]);
});

const ofDocker = new Set(['--publish', '--no-healthcheck']);

// A decision may mention flags of other programs, and the reference is generated from the flags.
for (const page of [...executed, ...recipes])
  test(`${page.name}: names existing flags and variables`, () => {
    const known = documentedNames(root);
    // The programs in blocks of recipes check their own flags.
    const blocks = recipes.includes(page) ? [] : page.blocks;
    const named = [
      ...page.code,
      ...blocks.flatMap(({ text, line }) =>
        text
          .split('\n')
          .flatMap((one, i) =>
            /\bagent-contract\b/.test(one)
              ? [{ line: line + i + 1, text: one.replace(/^.*?\bagent-contract\b/, '').replace(/ -- .*$/, '') }]
              : [],
          ),
      ),
    ];
    const unknown = named.flatMap(({ line, text }) =>
      (/^(?:npm|npx (?!(?:--no )?agent-contract)|curl|node|oxlint|git|oxfmt)\b/.test(text)
        ? []
        : (text.replace(/^npx --no /, '').match(/(?<![\w-])--[a-z][a-z0-9-]*|\bAGENT_CONTRACT_[A-Z0-9_]+/g) ?? [])
      )
        .filter((one) => !known.has(one) && !ofDocker.has(one))
        .map((one) => `${page.name}:${line}: ${one}`),
    );
    expect(unknown).toEqual([]);
  });
