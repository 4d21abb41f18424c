import { transformSync } from '@swc/core';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import manifest from '../../package.json';
import { readSeed, resolveProfile, type ProfileChoice } from '../../mock/index.ts';
import { jsonDifference, textDifference } from './compare.ts';
import { isOutput, readPage, type Block, type Page } from './pages.ts';
import { createProject } from './project.ts';
import { openShell } from './shell.ts';

// What the documentation tells its readers to type is typed here, and what it says that they then see is compared.

// A busy machine takes many times as long as an idle one.
jest.setTimeout(300_000);

const root = path.join(__dirname, '../..');

/**
 * What is not executed, page by page, in the order of the page. A page with a block that is not executed for any other
 * reason fails, and so does one without a block that is listed here.
 */
const excuses: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': ['the whole run takes minutes, and this page is read by a part of it'],
  'README.md': ['the two commands install and build; the second runs the test that reads this page', 'a picture'],
};

const pagesOf = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);

/** `DOCS_PAGE=writing-a-profile npx jest proof/docs` executes one page. */
const wantedPage = process.env['DOCS_PAGE'] ?? '';
const executed = ['README.md', 'CONTRIBUTING.md', ...pagesOf('docs/guides')]
  .filter((name) => name.includes(wantedPage))
  .map((name) => readPage(root, name));
const linked = [
  ...executed,
  ...['docs', 'docs/decisions', 'docs/recipes', 'docs/reference']
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap(pagesOf)
    .map((name) => readPage(root, name)),
];

/** By these a snippet is known for one of a tool that is not installed here; its types are checked, and it does not run. */
const NOT_INSTALLED = /from '(?:vitest|@playwright\/test)(?:\/\w+)?'/;
const isTest = ({ file, text }: Block): boolean =>
  file?.endsWith('.test.ts') === true || /^import .* from 'agent-contract\/jest'/m.test(text);
const isCode = ({ language }: Block): boolean => ['ts', 'js', 'mjs', 'cjs'].includes(language);

const project = createProject(root);
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

/** What is wrong with each block that was executed, by page and line; none where all is well. */
const findings = new Map<string, readonly string[]>();
const keyOf = ({ page, line }: Block): string => `${page}:${line}`;

const folderOf = (page: string): string => path.join(project.folder, path.basename(page, '.md').toLowerCase());
const fileOf = (block: Block): string =>
  path.join(folderOf(block.page), block.file ?? `line-${block.line}${isTest(block) ? '.test' : ''}.${block.language}`);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Executes a page from its beginning to its end. */
async function execute({ name, blocks }: Page, port: number): Promise<void> {
  const folder = folderOf(name);
  const env = project.env(port);
  const shell = openShell(folder, env, path.join(project.folder, `${path.basename(folder)}.log`));
  let written: string | undefined;
  try {
    for (const block of blocks) {
      if (block.excuse !== undefined) continue;
      const text = block.text.replaceAll(/\b4010\b/g, String(port));
      const found: string[] = [];
      if (block.language === 'sh') {
        const { output, problems } = await shell.run(text);
        written = output;
        found.push(...problems);
      } else if (
        isCode(block) &&
        !isTest(block) &&
        !NOT_INSTALLED.test(text) &&
        !/\.config\.[cm]?[jt]s$/.test(block.file ?? '')
      ) {
        const { output, problems } = await shell.run(`node ${path.basename(scriptOf(block, text))}`);
        written = output;
        found.push(...problems);
      } else if (isOutput(block)) {
        found.push(
          ...(written === undefined ? ['No command stands before this output.'] : outputProblems(block, written)),
        );
      }
      findings.set(keyOf(block), found);
    }
    const tests = blocks.filter(
      (block) => block.excuse === undefined && isTest(block) && !NOT_INSTALLED.test(block.text),
    );
    if (tests.length > 0) {
      const files = tests.map((block) => path.basename(fileOf(block)));
      const { output, problems } = await shell.run(
        `jest --config '${jestConfig(folder)}' --runTestsByPath ${files.join(' ')}`,
      );
      const [first] = tests;
      const missed = files.filter((file) => !output.includes(`PASS ./${file}`));
      if (first) findings.set(keyOf(first), [...problems, ...missed.map((file) => `${file} did not pass`)]);
    }
  } finally {
    await shell.close();
  }
}

/** Compiled as strippers of types would leave it. @returns the file to run */
function scriptOf(block: Block, text: string): string {
  const file = fileOf(block);
  if (block.language !== 'ts') return file;
  const script = file.replace(/\.ts$/, '.mjs');
  const { code } = transformSync(text, {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  writeFileSync(script, code);
  return script;
}

function jestConfig(rootDir: string): string {
  const file = path.join(rootDir, 'jest.docs.json');
  const transform = {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  };
  const own = path.join(rootDir, 'jest.config.json');
  const given = existsSync(own) ? (JSON.parse(readFileSync(own, 'utf8')) as object) : {};
  writeFileSync(file, JSON.stringify({ ...given, rootDir, transform, testMatch: ['**/*.test.ts'] }));
  return file;
}

function outputProblems(block: Block, written: string): readonly string[] {
  if (block.language !== 'json') return [textDifference(block.text, written) ?? []].flat();
  const line = written.slice(Math.max(0, written.search(/^[[{]/m)));
  try {
    return [jsonDifference(JSON.parse(block.text), JSON.parse(line)) ?? []].flat();
  } catch (error) {
    return [`${String(error)}\n--- written\n${written}`];
  }
}

const schemaFiles: Readonly<Record<string, string>> = {
  target: 'cli/target-file.schema.json',
  baseline: 'conformance/baseline.schema.json',
  report: 'conformance/report.schema.json',
};

/** @throws Error where JSON of a page does not fit what it is said to be */
function judgeJson({ text, schema }: Block): void {
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

const perPage = executed.map(({ name, blocks }) => [name, blocks] as const);

(process.platform === 'win32' ? describe.skip : describe)('blocks', () => {
  beforeAll(async () => {
    if (!existsSync(path.join(root, 'dist/cli/bin.js')))
      throw new Error('There is no dist/cli/bin.js: run "npm run build" first.');
    const ports = await Promise.all(executed.map(() => freePort()));
    for (const [i, { name, blocks }] of executed.entries()) {
      mkdirSync(folderOf(name), { recursive: true });
      for (const block of blocks) {
        if (block.excuse !== undefined || (block.file === undefined && !isCode(block))) continue;
        const file = fileOf(block);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, block.text.replaceAll(/\b4010\b/g, String(ports[i])));
      }
    }
    // Two at a time, so that a small machine is not overwhelmed.
    const waiting = executed.map(
      (page, i) => () =>
        execute(page, ports[i] ?? 0).catch((error: unknown) => {
          findings.set(page.name, [String(error)]);
        }),
    );
    const next = async (): Promise<void> => {
      for (let work = waiting.shift(); work; work = waiting.shift()) await work();
    };
    await Promise.all([next(), next()]);
  });

  test.each(perPage)('%s: all that was executed did as the page says', (name, blocks) => {
    const problems = [name, ...blocks.map(keyOf)].flatMap((key) =>
      (findings.get(key) ?? []).map((problem) => `${key}: ${problem}`),
    );
    expect(problems.join('\n\n')).toBe('');
  });

  test('snippets have the types that they need', async () => {
    expect((await project.typeErrors()).join('\n')).toBe('');
  });
});

test.each(perPage)('%s: what is excused is listed, and nothing else', (name, blocks) => {
  const known = new Set(['sh', 'ts', 'js', 'mjs', 'cjs', 'json', 'text']);
  const unknown = blocks.filter(
    ({ language, excuse, file }) => excuse === undefined && file === undefined && !known.has(language),
  );
  expect(unknown.map(keyOf)).toEqual([]);
  expect(blocks.flatMap(({ excuse }) => (excuse === undefined ? [] : [excuse]))).toEqual(excuses[name] ?? []);
});

test('npm start is a mock, as pages take it to be', () => {
  expect(manifest.scripts.start).toMatch(/ && node dist\/cli\/bin\.js mock$/);
});

test('every page that has excuses is there', () => {
  expect(Object.keys(excuses).filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test.each(perPage)('%s: JSON is JSON, and what it is said to be', (_, blocks) => {
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

test.each(linked.map((page) => [page.name, page] as const))('%s: links lead somewhere', (name, { links }) => {
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

test.each(executed.map((page) => [page.name, page] as const))(
  '%s: names flags and variables that there are',
  (name, page) => {
    const reference = readPage(root, 'docs/reference/commands.md').code.map(({ text }) => text);
    const known = new Set(
      reference.flatMap((text) => text.match(/--[a-z][a-z0-9-]*|AGENT_CONTRACT_[A-Z0-9_]+/g) ?? []),
    );
    const named = [
      ...page.code,
      ...page.blocks.flatMap(({ text, line }) =>
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
      (/^(?:npm|npx (?!agent-contract)|curl|node|oxlint|git|prettier)\b/.test(text)
        ? []
        : (text.match(/(?<![\w-])--[a-z][a-z0-9-]*|\bAGENT_CONTRACT_[A-Z0-9_]+/g) ?? [])
      )
        .filter((one) => !known.has(one))
        .map((one) => `${name}:${line}: ${one}`),
    );
    expect(unknown).toEqual([]);
  },
);
