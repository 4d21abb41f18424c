import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');

const newest = (directory: string): number =>
  Math.max(
    ...readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/**
 * The path of a module of this folder as `npm test` compiled it before: what runs outside of Jest's sandbox is several
 * times faster. @throws where it is older than its sources.
 */
export function compiled(module: string): string {
  const file = join(root, 'dist/proof', `${module}.js`);
  const sources = ['spec', 'fixtures', 'text', 'mock', 'conformance', 'proof'].map((room) => newest(join(root, room)));
  if (!existsSync(file) || statSync(file).mtimeMs < Math.max(...sources))
    throw new Error('dist/ is older than the sources: run "npm run build" first ("npm test" does).');
  return file;
}
