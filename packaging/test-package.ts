import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { exports as exported } from '../package.json';

export const execute = promisify(execFile);

/** Used by tests only: runs a script in bash, with the flags of a CI system. */
export const runScript = (
  args: readonly string[],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly status: number; readonly log: string }> =>
  execute('bash', ['--noprofile', '--norc', ...args], place).then(
    ({ stdout, stderr }) => ({ status: 0, log: stdout + stderr }),
    (ended: { code: number; stdout: string; stderr: string }) => ({
      status: ended.code,
      log: ended.stdout + ended.stderr,
    }),
  );

/** Used by tests only: the folder that package.json is in. */
export const root = path.resolve(__dirname, '..');

/** Used by tests only: a folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'agent-contract-package-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface PackedPackage {
  readonly file: string;
  /** In bytes: of the file, and of its content. */
  readonly size: number;
  readonly unpackedSize: number;
  /** Its files, by path from the root of the package. */
  readonly paths: readonly string[];
}

const notOfTheSources = new Set(['.git', 'coverage', 'dist']);

/**
 * Used by tests only: copies the sources to build them there, since a build first removes the previous one, which other tests
 * use. It checks no types, since the build before these tests did.
 */
export function copySources(to: string, isCopied: (file: string) => boolean = () => true): void {
  fs.cpSync(root, to, {
    recursive: true,
    filter: (from) =>
      !notOfTheSources.has(path.relative(root, from)) && path.basename(from) !== 'node_modules' && isCopied(from),
  });
  const config = path.join(to, 'tsconfig.json');
  const text = fs.readFileSync(config, 'utf8');
  fs.writeFileSync(config, text.replace('"compilerOptions": {', '"compilerOptions": { "noCheck": true,'));
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(to, 'node_modules'), 'junction');
}

/**
 * Used by tests only: the result of `npm pack` in a copy, with the build before it. CI tests it in several files, on two versions
 * of Node.js, and names with PACKED the folder where they find it: the first that comes packs, and the others wait.
 */
export async function pack(ownFolder: string): Promise<PackedPackage> {
  const folder = process.env['PACKED'] ?? ownFolder;
  const known = path.join(folder, 'packed.json');
  const sources = path.join(folder, 'sources');
  while (fs.mkdirSync(sources, { recursive: true }) === undefined) {
    if (fs.existsSync(known)) return JSON.parse(fs.readFileSync(known, 'utf8')) as PackedPackage;
    await setTimeout(100);
  }
  copySources(sources);
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: sources,
    env: { ...process.env, npm_config_loglevel: 'silent', npm_config_update_notifier: 'false' },
    shell: process.platform === 'win32',
    maxBuffer: 1e8,
  }).catch((error: { readonly message: string; readonly stdout?: string }) => {
    fs.rmSync(sources, { recursive: true });
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  const [{ filename, size, unpackedSize, files }] = JSON.parse(stdout) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  const packed = { file: path.join(folder, filename), size, unpackedSize, paths: files.map((one) => one.path) };
  fs.writeFileSync(`${known}.new`, JSON.stringify(packed));
  fs.renameSync(`${known}.new`, known);
  return packed;
}

/** Used by tests only: one package of package-lock.json. */
export interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  /** It stands for a folder of this repository. */
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Used by tests only: the packages of package-lock.json by folder, without our own manifests. */
export function lockedPackages(): Readonly<Record<string, Locked>> {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.fromEntries(
    Object.entries(packages).filter(([where, one]) => where.includes('node_modules/') && one.link !== true),
  );
}

/** Used by tests only: a project with the packed file and its dependencies installed, and nothing else. */
export async function install({ file }: PackedPackage, folder: string): Promise<string> {
  const consumer = path.join(folder, 'consumer');
  const modules = path.join(consumer, 'node_modules');
  fs.mkdirSync(path.join(modules, 'agent-contract'), { recursive: true });
  await execute('tar', ['-xzf', file, '--strip-components=1', '-C', path.join(modules, 'agent-contract')]);
  for (const [where, { dev }] of Object.entries(lockedPackages())) {
    const isTop = where.lastIndexOf('node_modules/') === 0;
    if (isTop && (dev !== true || where === 'node_modules/@types/node')) link(where, consumer);
  }
  fs.writeFileSync(path.join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  return consumer;
}

function link(where: string, consumer: string): void {
  const to = path.join(consumer, where);
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.symlinkSync(path.join(root, where), to, 'junction');
}

/**
 * Used by tests only: the packages of a user's installation, each version once, in npm's layout. The types of Node.js are not
 * among them, since projects bring their own.
 */
export function packagesOf(consumer: string): readonly { readonly name: string; readonly where: string }[] {
  const found = new Map<string, { readonly name: string; readonly where: string }>();
  const visit = (modules: string): void => {
    if (!fs.existsSync(modules)) return;
    for (const name of fs
      .readdirSync(modules)
      .flatMap((one) =>
        one.startsWith('@') ? fs.readdirSync(path.join(modules, one)).map((inner) => `${one}/${inner}`) : [one],
      )) {
      const folder = fs.realpathSync(path.join(modules, name));
      const manifest = path.join(folder, 'package.json');
      if (name === '@types/node' || !fs.existsSync(manifest)) continue;
      const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string };
      found.set(`${name}@${version}`, { name, where: folder });
      visit(path.join(folder, 'node_modules'));
    }
  };
  visit(path.join(consumer, 'node_modules'));
  return [...found.values()];
}

type Target = string | { readonly types: string; readonly browser?: string; readonly default: string };
const targets: Readonly<Record<string, Target>> = exported;

/** Used by tests only: the entries that can be imported, such as `agent-contract/mock`, without the JSON files. */
export const modules = Object.entries(targets).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name: name.replace('.', 'agent-contract'), target }],
);

/** Used by tests only: the JSON files that can be imported. */
export const documents = Object.keys(targets).flatMap((name) => {
  if (typeof targets[name] !== 'string') return [];
  const names = name.includes('*')
    ? fs.readdirSync(path.join(root, 'spec/schemas')).map((file) => name.replace('*', file))
    : [name];
  return names.map((one) => one.replace('.', 'agent-contract'));
});

const BLOCK = 4096;

/** Used by tests only: the size of a package's files on disk in bytes, without nested packages. */
export function bytesOnDisk(folder: string): number {
  return fs.readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const inner = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules') return sum;
      return sum + BLOCK + bytesOnDisk(inner);
    }
    if (entry.isFile()) return sum + Math.ceil(fs.statSync(inner).size / BLOCK) * BLOCK;
    return sum;
  }, 0);
}

/**
 * Used by tests only: runs the TypeScript compiler on a project; resolves with its output, which is empty if nothing is wrong.
 */
export async function typeCheck(project: string): Promise<string> {
  const manifest = createRequire(__filename).resolve('typescript/package.json');
  const { bin } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { bin: { tsc: string } };
  const compiler = path.join(path.dirname(manifest), bin.tsc);
  try {
    return (await execute(process.execPath, [compiler, '-p', project, '--noEmit'])).stdout;
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  }
}
