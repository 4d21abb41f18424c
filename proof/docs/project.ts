import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execute, lockedPackages, root, type PackedPackage } from '../../packaging/test-package.ts';
import tsconfig from './reader-tsconfig.json';
import { standInFiles } from './stand-ins.ts';

/** The project of a reader who has installed the package; each page has its own folder inside. */
export type Project = Awaited<ReturnType<typeof createProject>>;

/** Our packages that snippets may use as readers would install them. */
const USED = [
  ['supertest', 'jest', 'jest-environment-jsdom', 'vitest', '@playwright', '@swc', '@types', 'typescript', 'expect'],
  ['vite', 'fastify', '@fastify', 'hono', 'react', '@tanstack', 'swr'],
].flat();

/** Turns a folder into a reader's project with the package. */
export async function createProject({ file: packed }: PackedPackage, folder: string) {
  const inside = (...parts: string[]): string => path.join(folder, ...parts);
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const ours = inside('node_modules/agent-contract');
  mkdirSync(ours, { recursive: true });
  await execute('tar', ['-xzf', packed, '--strip-components=1', '-C', ours]);
  for (const name of new Set([...dependencies(), ...USED]))
    symlinkSync(path.join(root, 'node_modules', name), inside('node_modules', name));
  for (const [file, text] of Object.entries(standInFiles)) write(inside('node_modules', file), text);
  write(inside('package.json'), '{ "private": true, "type": "module" }\n');
  write(inside('tsconfig.json'), JSON.stringify(tsconfig));
  write(inside('empty.ts'), 'export {};\n');
  // One `npx` is enough: `bin` has what it would find in a reader's project.
  const program = path.join(ours, 'dist/cli/bin.js');
  const tool = (file: string): string => `exec node '${path.join(root, 'node_modules', file)}' "$@"`;
  const scripts = {
    'agent-contract': `[ "$1" != mock ] || export AGENT_CONTRACT_PORT="\${AGENT_CONTRACT_PORT:-$DOCS_PORT}"
exec node '${program}' "$@"`,
    npx: `[ "$1" != --no ] || shift
exec "$@"`,
    npm: `[ "$1" = start ] || exit 64
shift; [ "$1" != -- ] || shift
exec agent-contract mock "$@"`,
    jest: tool('jest/bin/jest.js'),
    vitest: tool('vitest/vitest.mjs'),
    playwright: tool('@playwright/test/cli.js'),
  };
  for (const [name, script] of Object.entries(scripts)) {
    write(inside('bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(inside('bin', name), 0o755);
  }
  return {
    /** The environment of a page's shell, for a mock on that port. */
    env: (port: number) => ({
      PATH: `${inside('bin')}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      DOCS_PORT: String(port),
    }),
  };
}

/** The `node_modules` folders of the package's dependencies, direct and indirect. */
const dependencies = (): readonly string[] =>
  Object.entries(lockedPackages())
    .filter(([where, { dev }]) => dev !== true && where.lastIndexOf('node_modules/') === 0)
    .map(([where]) => where.split('/')[1] ?? '');
