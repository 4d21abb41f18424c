import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import commands from '../cli/commands.json';
import manifest from '../package.json';
import type { Packed } from './test-package.ts';
import { bytesOnDisk, execute, install, pack, packagesOf, root, temporaryFolder, typeCheck } from './test-package.ts';

// The package as users get it: packed, installed in a separate folder, and used from there.

const folder = temporaryFolder();
let packed: Packed;
let consumer: string;

beforeAll(async () => {
  packed = await pack(folder);
  consumer = await install(packed, folder);
});

const installed = (file: string): string => path.join(consumer, 'node_modules/agent-contract', file);
/** The packed code, without what pages load. */
const code = (): readonly string[] => packed.paths.filter((file) => file.endsWith('.js') && !file.includes('/assets/'));

type Target = string | { readonly types: string; readonly browser?: string; readonly default: string };
const targets: Readonly<Record<string, Target>> = manifest.exports;
/** The entries that can be imported, such as `agent-contract/mock`, without the JSON files. */
const modules = Object.entries(targets).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name: name.replace('.', 'agent-contract'), target }],
);
const documents = Object.keys(targets).flatMap((name) => {
  if (typeof targets[name] !== 'string') return [];
  const names = name.includes('*')
    ? readdirSync(path.join(root, 'spec/schemas')).map((file) => name.replace('*', file))
    : [name];
  return names.map((one) => one.replace('.', 'agent-contract'));
});

describe('the packed file', () => {
  /** The modules that a file names by relative paths, whether it loads them at once, later, or in a thread. */
  function namedBy(file: string): readonly string[] {
    const text = readFileSync(installed(file), 'utf8');
    return [...text.matchAll(/(?:require|import)\(\s*["'](\.[^"']+)["']\)|__dirname, ["']([^"']+\.js)["']/g)].map(
      ([, loaded, started]) => {
        const named = path.posix.join(path.posix.dirname(file), loaded ?? started ?? '');
        const found = [named, `${named}.js`, `${named}/index.js`].find(
          (one) => /\.js(on)?$/.test(one) && packed.paths.includes(one),
        );
        if (found === undefined) throw new Error(`${file} loads ${named}, which is not packed.`);
        return found;
      },
    );
  }

  /** All files that these files lead to, themselves included. */
  function reached(entries: readonly string[]): ReadonlySet<string> {
    const found = new Set(entries.map((entry) => path.posix.normalize(entry)));
    for (const file of found) if (file.endsWith('.js')) for (const named of namedBy(file)) found.add(named);
    return found;
  }

  const entries = [
    ...modules.flatMap(({ target }) => [target.default, target.browser ?? []].flat()),
    ...Object.values(manifest.bin),
    // The program loads a command by its name.
    ...Object.keys(commands).map((name) => `dist/cli/commands/${name}.js`),
  ];

  /** Modules with only types are imported as types, and are empty when compiled. */
  const isEmpty = (file: string): boolean =>
    /^"use strict";\s*(\/\/.*\s*)*Object\.defineProperty\(exports, "__esModule", .*\);\s*$/.test(
      readFileSync(installed(file), 'utf8'),
    );

  test('has every module that the package can load, and no other', () => {
    const isModule = (file: string): boolean =>
      /^dist\/(?!mock\/pages\/assets\/).*\.js(on)?$/.test(file) && !isEmpty(file);
    expect(packed.paths.filter(isModule).toSorted()).toEqual([...reached(entries)].filter(isModule).toSorted());
  });

  test('has types for each entry, and no types without their module', () => {
    const types = packed.paths.filter((file) => file.endsWith('.d.ts'));
    expect(types).toEqual(expect.arrayContaining(modules.map(({ target }) => path.posix.normalize(target.types))));
    expect(types.filter((file) => !packed.paths.includes(file.replace(/\.d\.ts$/, '.js')))).toEqual([]);
  });

  test('has only data, pages and documents besides', () => {
    const others = packed.paths.filter((file) => !/^dist\/.*\.(js|d\.ts)$/.test(file));
    const isExpected = (file: string): boolean =>
      /^(LICENSE|(CHANGELOG|README|SECURITY|SKILL)\.md|llms\.txt|package\.json|dist\/package\.json)$/.test(file) ||
      manifest.files.includes(file) ||
      /^(spec\/schemas\/[\w-]+\.schema|spec\/generated\/openapi|conformance\/\w+\.schema)\.json$/.test(file) ||
      /^dist\/(cli|conformance|consumer|fixtures|http|mock|prove|spec)\/.*\.(json|css)$/.test(file) ||
      file.startsWith('dist/mock/pages/assets/') ||
      /^docs\/(guides|recipes|reference)\/[\w-]+\.md$/.test(file) ||
      file.startsWith('docs/site/');
    expect(others.filter((file) => !isExpected(file))).toEqual([]);
    expect(packed.paths).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'spec/generated/openapi.json']),
    );
  });

  test('has pages whose links lead to packed files, and a README that begins with its installation', () => {
    const pages = packed.paths.filter((file) => /\.md$|^llms\.txt$/.test(file));
    const dead = pages.flatMap((page) =>
      [...readFileSync(installed(page), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, link = '']) => {
        const to = path.posix.join(path.posix.dirname(page), link);
        return /^\w+:/.test(link) || packed.paths.includes(to) ? [] : [`${page} -> ${to}`];
      }),
    );
    expect([pages.length > 30, dead]).toEqual([true, []]);
    expect(readFileSync(installed('README.md'), 'utf8')).toMatch(
      /^[^`]*```sh\nnpm install --save-dev agent-contract\n/,
    );
  });

  test('stays small, and refers to no source map, since none is packed', () => {
    expect(code().filter((file) => readFileSync(installed(file), 'utf8').includes('//# sourceMappingURL'))).toEqual([]);
    expect(packed.size).toBeLessThan(1_750_000);
    expect(packed.unpackedSize).toBeLessThan(7_250_000);
  });
});

describe('the dependencies', () => {
  test('are exactly the packages that it loads', () => {
    const loaded = code().flatMap((file) => {
      const text = readFileSync(installed(file), 'utf8');
      return [...text.matchAll(/(?:require|import)\(["']((?:@[\w-]+\/)?[\w-][\w.-]*)[^"']*["']\)/g)];
    });
    const names = new Set(loaded.map(([, name = '']) => name).filter((name) => !/^node[^-]*$/.test(name)));
    const named = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect([...names].toSorted()).toEqual(Object.keys(named).toSorted());
  });

  test('are few and small, together with the package itself, which has no install script', () => {
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
    const found = packagesOf(consumer);
    const bytes = found.reduce((sum, { where }) => sum + bytesOnDisk(where), 0);
    expect(found.map(({ name }) => name)).toContain('agent-contract');
    expect(found.length).toBeLessThanOrEqual(110);
    expect(bytes).toBeLessThan(38_000_000);
    // Less would mean that the count is incomplete.
    expect(found.length).toBeGreaterThan(Object.keys(manifest.dependencies).length * 2);
    expect(bytes).toBeGreaterThan(packed.unpackedSize * 2);
  });
});

describe('each entry', () => {
  function runInConsumer(text: string) {
    const script = path.join(consumer, 'load.mjs');
    writeFileSync(script, text);
    return execute(process.execPath, [script], { cwd: consumer });
  }

  test('loads by require and by import, with the same exports', async () => {
    const printed = await runInConsumer(`
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const loaded = {};
      for (const name of ${JSON.stringify(modules.map(({ name }) => name))}) {
        const required = require(name);
        const { default: whole, 'module.exports': _, __esModule, ...imported } = await import(name);
        loaded[name] = { isSame: whole === required, required: Object.keys(required).sort(), imported: Object.keys(imported).sort() };
      }
      console.log(JSON.stringify(loaded));
    `);
    type Loaded = Record<string, { isSame: boolean; required: readonly string[]; imported: readonly string[] }>;
    const loaded = JSON.parse(printed.stdout) as Loaded;
    expect([printed.stderr, Object.keys(loaded).length]).toEqual(['', modules.length]);
    for (const [name, { isSame, required, imported }] of Object.entries(loaded)) {
      expect({ name, isSame, imported }).toEqual({ name, isSame: true, imported: required });
      // These are functions.
      if (!/\/(?:global-setup|vite)$/.test(name)) expect(required).not.toEqual([]);
    }
  });

  test('JSON files can be loaded too', async () => {
    const imports = documents.map((name, at) => `import d${at} from ${JSON.stringify(name)} with { type: 'json' };`);
    const { stdout } = await runInConsumer(`
      ${imports.join('\n')}
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const imported = [${documents.map((_, at) => `d${at}`).join(', ')}];
      const required = ${JSON.stringify(documents)}.map((name) => require(name));
      console.log(JSON.stringify(imported) === JSON.stringify(required), imported.length);
    `);
    expect(stdout).toBe(`true ${documents.length}\n`);
    expect(documents.length).toBeGreaterThan(30);
  });

  test('nothing else can be loaded', async () => {
    const inside = execute(process.execPath, ['-e', "require('agent-contract/dist/mock/core.js')"], { cwd: consumer });
    await expect(inside).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('types work', () => {
  // TypeScript treats a package without types as any, and accepts unknown names.
  const everyEntry = modules
    .map(
      ({ name }, at) => `import * as e${at} from ${JSON.stringify(name)};\n// @ts-expect-error\ne${at}.noSuchName;\n`,
    )
    .join('');
  const use = `
    import { runConformance, type Report } from 'agent-contract';
    import { createClient } from 'agent-contract/client';
    import { describeConformance } from 'agent-contract/jest';
    import { createMock, type MockTarget } from 'agent-contract/mock';
    import agentContract from 'agent-contract/vite';
    import { endpointIds, type AgentV6 } from 'agent-contract/spec';
    import { createServer } from 'node:http';
    const mock = createMock({ seed: 1 });
    const target: MockTarget = mock.target;
    createServer(mock.app);
    agentContract({ base: '/mock' }).configureServer.length;
    export const report: Promise<Report> = runConformance({ baseUrl: 'http://127.0.0.1:4010', token: target.token });
    export const client = createClient({ baseUrl: 'http://127.0.0.1:4010', token: target.token });
    export const ids: readonly string[] = endpointIds;
    export const agent: Partial<AgentV6> = { version: '6' };
    // @ts-expect-error
    createMock({ seed: {} });
    describeConformance({ baseUrl: 'http://127.0.0.1:4010' });
  `;

  async function check(files: Readonly<Record<string, string>>, options: object): Promise<string> {
    const project = mkdtempSync(path.join(consumer, 'types-'));
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(project, file), text);
    const common = { target: 'es2023', strict: true, skipLibCheck: false, resolveJsonModule: true, types: ['node'] };
    const compilerOptions = { ...common, ...options };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    return typeCheck(project);
  }

  const json = "import openapi from 'agent-contract/openapi.json' with { type: 'json' };\nopenapi.openapi.length;\n";
  const inBrowser = `
    import { createClient } from 'agent-contract/client';
    export const client = createClient({ baseUrl: 'https://api.example.com', token: 'x' });
    // @ts-expect-error
    process.exit();
  `;
  const bundled = { module: 'preserve', moduleResolution: 'bundler' };

  test.each([
    ['ES modules of Node.js', { 'entries.mts': everyEntry, 'use.mts': use, 'json.mts': json }, { module: 'nodenext' }],
    ['CommonJS of Node.js', { 'entries.cts': everyEntry, 'use.cts': use }, { module: 'nodenext' }],
    ['bundlers', { 'entries.ts': everyEntry, 'use.ts': use }, bundled],
    ['browsers, without Node.js', { 'use.ts': inBrowser }, { ...bundled, types: [], lib: ['es2023', 'dom'] }],
  ])('for %s', async (_, files, options) => {
    expect(await check(files, options)).toBe('');
  });

  // TypeScript 7 resolves only through "exports". This file is for tools that resolve like Node.js 10.
  test('for compilers that do not know exports', () => {
    const { '*': old } = manifest.typesVersions;
    const expected = modules.flatMap(({ name, target }) =>
      name === 'agent-contract' ? [] : [[name.replace('agent-contract/', ''), [target.types]]],
    );
    expect(Object.entries(old)).toEqual(expected);
    expect(manifest.types).toBe(modules[0]?.target.types);
  });
});

test('the program shows its pages, serves a mock with them, and judges it', async () => {
  const bin = installed(manifest.bin['agent-contract']);
  expect(existsSync(bin)).toBe(true);
  await expect(execute(process.execPath, [bin, 'mcp'], { cwd: consumer })).rejects.toThrow(
    /npm install --save-dev @modelcontextprotocol\/server/,
  );
  const { stdout: shown } = await execute(process.execPath, [bin, 'docs', 'mock-in-tests'], { cwd: consumer });
  expect(shown).toMatch(/^# The mock in tests\n/);
  const mock = spawn(process.execPath, [bin, 'mock', '--port', '0', '--json'], { cwd: consumer });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(mock.stdout).once('line', resolve);
      mock.once('exit', (status) => reject(new Error(`The mock ended with ${status}.`)));
    });
    const { url, target } = JSON.parse(line) as { url: string; target: { token: string; agentId: string } };
    for (const page of ['/docs/', '/docs/packages/swagger-ui-dist/swagger-ui-bundle.js', '/__admin/ui/'])
      expect([page, (await fetch(url + page)).status]).toEqual([page, 200]);
    const drawn = await fetch(`${url}/api/v1/agents/${target.agentId}`, {
      headers: { authorization: `Bearer ${target.token}`, prefer: 'dynamic=true' },
    });
    expect([drawn.status, drawn.headers.get('preference-applied')]).toEqual([200, expect.stringContaining('dynamic')]);
    const flags = ['--token', target.token, '--agent-id', target.agentId, '--allow-partial'];
    const { stdout } = await execute(process.execPath, [bin, 'check', url, ...flags], { cwd: consumer });
    expect(stdout).toMatch(/\nPARTIAL: \d+ passed, 0 failed/);
  } finally {
    mock.kill();
  }
});
