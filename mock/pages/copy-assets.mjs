// Copies what the mock serves to browsers, the files of packages.json included, and the styles of reports, beside the compiled modules, so that the
// package is complete. Part of every build, since TypeScript copies no HTML, CSS and JavaScript.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const target = path.join(dist, 'mock/pages/assets');
const packages = JSON.parse(readFileSync(path.join(import.meta.dirname, 'packages.json'), 'utf8'));

rmSync(target, { recursive: true, force: true });
cpSync(path.join(import.meta.dirname, 'assets'), target, { recursive: true });
for (const file of Object.values(packages).flat())
  cpSync(path.join(root, 'node_modules', file), path.join(target, 'packages', file));
for (const style of ['conformance/reporters/html/style.css', 'consumer/reporters/client.css', 'cli/board/board.css'])
  cpSync(path.join(root, style), path.join(dist, style));
