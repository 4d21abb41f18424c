'use strict';
// Makes the commands work on a fresh clone: installs what they need, if it is missing or stale.
//   node bootstrap.cjs                what the tests need, and with it all of the program
//   node bootstrap.cjs --program      what building and running the program needs
//   node bootstrap.cjs spec/openapi   what the tools of one folder need, by the lock file in it
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`agent-contract needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

const [what = ''] = process.argv.slice(2);
const isProgram = what === '--program';
const folder = path.join(__dirname, isProgram ? '' : what);
const inFolder = (...names) => path.join(folder, ...names);
// Says for which lock file the program's packages were installed, since the tests' are missing then.
const STAMP = inFolder('node_modules', '.program-installed');

const read = (file) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};
const lock = read(inFolder('package-lock.json')) ?? '{}';
const stamp = createHash('sha256').update(lock).digest('hex');

/** Why the installed packages differ from the lock file; undefined if they do not. */
function staleReason() {
  const installed = read(inFolder('node_modules', '.package-lock.json'));
  if (installed === undefined) return 'the dependencies are not installed';
  if (isProgram && read(STAMP) === stamp) return undefined;
  const there = JSON.parse(installed).packages;
  for (const [where, { version, link, optional, peer }] of Object.entries(JSON.parse(lock).packages ?? {})) {
    if (!where.includes('node_modules/') || link) continue;
    const one = there[where];
    if (one ? one.version !== version : !optional && !peer) return `${where} is not ${version}`;
    if (one && !optional && !fs.existsSync(inFolder(where, 'package.json'))) return `${where} is missing`;
  }
  return undefined;
}

/** `npm ci` would delete the packages of another folder that `node_modules` links to. */
const isLink = fs.lstatSync(inFolder('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true;

const reason = staleReason();
if (reason && isLink) {
  const linked = fs.readlinkSync(inFolder('node_modules'));
  console.error(
    `${reason}, and node_modules is a link to ${linked}. Run npm ci where it leads to, or remove the link.`,
  );
  process.exit(1);
}
if (reason) {
  console.error(`> ${reason}: running npm ci${what === '' ? '' : ` for ${what.replace('--', 'the ')}`}`);
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--prefer-offline'];
  args.push('--loglevel=error', ...(isProgram ? ['--workspaces=false'] : []));
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('npm-cli.js') ? [process.execPath, [npm]] : ['npm', []];
  const run = spawnSync(command, [...first, ...args], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (run.error || run.status !== 0) {
    console.error(`npm ci failed (${run.error ? run.error.message : `exit status ${run.status}`}).`);
    process.exit(run.status || 1);
  }
  if (isProgram) fs.writeFileSync(STAMP, stamp);
}
