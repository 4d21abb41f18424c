import path from 'node:path';

const root = path.join(__dirname, '../..');
const node = path.join(__dirname, 'node.ts');

const places: readonly (readonly [RegExp, string])[] = [
  [/^node:(?:buffer|crypto|events|http|stream|timers\/promises|util|zlib)$/, node],
  [/\/http-transport\.[jt]s$/, node],
  [/\/mock\/index\.ts$/, path.join(root, 'mock/adapters/in-browser.ts')],
  [/\/mock\/index\.js$/, path.join(root, 'dist/mock/adapters/in-browser.js')],
  [/\/conformance\/index\.ts$/, path.join(root, 'conformance/run.ts')],
  [/\/conformance\/index\.js$/, path.join(root, 'dist/conformance/run.js')],
  [/^jsonc-parser$/, 'jsonc-parser/lib/esm/main.js'],
];

type Resolving = { resolve(file: string, importer?: string, options?: object): unknown };

/** Has Vite take other modules in place of those that need Node.js. */
export const standIns = {
  name: 'stand-ins',
  enforce: 'pre' as const,
  resolveId(this: Resolving, asked: string, importer?: string) {
    const [, file] = places.find(([pattern]) => pattern.test(asked)) ?? [];
    return file && this.resolve(file, importer, { skipSelf: true });
  },
};
