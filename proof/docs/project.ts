import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { standIns } from './stand-ins.ts';

/** A folder like that of a reader who has installed the package; each page has a folder of its own inside. */
export interface Project {
  readonly folder: string;
  /** What the shells of pages have in their environment, for a page whose mock listens on that port. */
  env(port: number): NodeJS.ProcessEnv;
  /** What the compiler says of all snippets, by lines. */
  typeErrors(): Promise<readonly string[]>;
}

/** Packages of ours that snippets may use as readers would install them. */
const USED = ['supertest', 'jest', '@swc', '@types', 'typescript'];

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  esModuleInterop: true,
  resolveJsonModule: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  // What the package declares for other packages is found as it is where both are installed.
  preserveSymlinks: true,
  types: ['node', 'jest'],
};

export function createProject(root: string): Project {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-docs-'));
  const inside = (...parts: string[]): string => path.join(folder, ...parts);
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  mkdirSync(inside('node_modules'));
  for (const name of USED) symlinkSync(path.join(root, 'node_modules', name), inside('node_modules', name));
  symlinkSync(root, inside('node_modules/agent-contract'));
  for (const [file, text] of Object.entries(standIns)) write(inside('node_modules', file), text);
  write(inside('package.json'), '{ "private": true, "type": "module" }\n');
  write(inside('tsconfig.json'), JSON.stringify({ compilerOptions }));
  write(inside('empty.ts'), 'export {};\n');
  // One `npx` is enough: what it would find in a reader's project is in `bin`.
  const program = path.join(root, 'dist/cli/bin.js');
  const scripts = {
    'agent-contract': `[ "$1" != mock ] || export AGENT_CONTRACT_PORT="\${AGENT_CONTRACT_PORT:-$DOCS_PORT}"
exec node '${program}' "$@"`,
    npx: `exec "$@"`,
    npm: `[ "$1" = start ] || exit 64
shift; [ "$1" != -- ] || shift
exec agent-contract mock "$@"`,
    jest: `exec node '${path.join(root, 'node_modules/jest/bin/jest.js')}' "$@"`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    write(inside('bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(inside('bin', name), 0o755);
  }
  return {
    folder,
    env: (port) => ({
      PATH: `${inside('bin')}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      DOCS_PORT: String(port),
    }),
    async typeErrors() {
      const output = await outputOf(path.join(root, 'node_modules/typescript/bin/tsc'), ['-p', folder]);
      return output.split('\n').filter((line) => line !== '');
    },
  };
}

function outputOf(script: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => void (output += chunk));
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}
