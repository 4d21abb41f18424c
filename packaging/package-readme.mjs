// Before packing, puts the README for users of the package in the place of that for a clone; with --restore, puts that back.
import { copyFileSync, existsSync, renameSync } from 'node:fs';

const kept = 'dist/README.clone.md';
if (!process.argv.includes('--restore')) {
  copyFileSync('README.md', kept);
  copyFileSync('packaging/package-readme.md', 'README.md');
} else if (existsSync(kept)) renameSync(kept, 'README.md');
