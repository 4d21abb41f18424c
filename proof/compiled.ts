import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');

const newest = (directory: string): number =>
  Math.max(
    ...readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts'))
      .map(({ name, parentPath }) => statSync(join(parentPath, name)).mtimeMs),
  );

/**
 * The path of a module (`cli/bin`) in the build of `npm test`: code outside Jest's sandbox is several times faster.
 * @throws if it is older than its sources
 */
export function compiled(module: string): string {
  const file = join(root, 'dist', `${module}.js`);
  const rooms = ['spec', 'client', 'fixtures', 'text', 'mock', 'conformance', 'proxy', 'cli', 'proof', 'bench'];
  if (!existsSync(file) || statSync(file).mtimeMs < Math.max(...rooms.map((room) => newest(join(root, room)))))
    throw new Error('dist/ is older than the sources: run "npm run build" first ("npm test" does).');
  return file;
}
