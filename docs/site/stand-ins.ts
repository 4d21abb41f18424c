import path from 'node:path';

const root = path.join(__dirname, '../..');
const node = path.join(__dirname, 'node.ts');

const places: readonly (readonly [RegExp, string])[] = [
  [/^node:(?:buffer|crypto|events|http|stream|timers\/promises|util|zlib)$/, node],
  [/\/http-transport\.ts$/, node],
  [/\/mock\/index\.ts$/, path.join(root, 'mock/adapters/in-browser.ts')],
  [/\/conformance\/index\.ts$/, path.join(root, 'conformance/run.ts')],
  [/^jsonc-parser$/, path.join(root, 'node_modules/jsonc-parser/lib/esm/main.js')],
];

/** Has Vite take other modules in place of those that need Node.js. */
export const standIns = {
  name: 'stand-ins',
  enforce: 'pre' as const,
  resolveId: (asked: string): string | undefined => places.find(([pattern]) => pattern.test(asked))?.[1],
};
