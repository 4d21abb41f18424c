// Copies what the mock serves to browsers, the files of packages.json included, the styles of reports, and what Python loads, beside
// the compiled modules, so that the package is complete. Part of every build, since TypeScript copies only TypeScript.
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
const styles = ['conformance/reporters/html/style.css', 'consumer/reporters/client.css', 'cli/board/board.css'];
for (const file of [...styles, 'consumer/runs/sitecustomize.py']) cpSync(path.join(root, file), path.join(dist, file));
