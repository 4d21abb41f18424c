import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import commands from '../cli/commands.json';
import manifest from '../package.json';
import { bytesOnDisk, install, modules, pack, packagesOf, temporaryFolder, typeCheck } from './test-package.ts';
import type { PackedPackage } from './test-package.ts';

// What is in the package, whatever the version of Node.js: files, dependencies, types.

const folder = temporaryFolder();
let packed: PackedPackage;
let consumer: string;

beforeAll(async () => {
  packed = await pack(folder);
  consumer = await install(packed, folder);
});

const installed = (file: string): string => path.join(consumer, 'node_modules/agent-contract', file);
/** The packed code, without what pages load. */
const code = (): readonly string[] => packed.paths.filter((file) => file.endsWith('.js') && !file.includes('/assets/'));

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
      /^spec\/schemas\/[\w-]+\.schema\.json$/.test(file) ||
      /^dist\/(cli|conformance|consumer|fixtures|http|mock|prove|spec)\/.*\.(json|css|py)$/.test(file) ||
      file.startsWith('dist/mock/pages/assets/') ||
      /^docs\/(guides|recipes|reference)\/[\w-]+\.md$/.test(file) ||
      file.startsWith('docs/site/');
    expect(others.filter((file) => !isExpected(file))).toEqual([]);
    const documents = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'];
    expect(packed.paths).toEqual(expect.arrayContaining(documents));
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
    expect(packed.unpackedSize).toBeLessThan(7_300_000);
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
