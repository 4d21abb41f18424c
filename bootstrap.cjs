'use strict';
// Makes `npm start` and `npm test` work on a fresh clone: installs the dependencies when they are missing or stale.
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`agent-contract needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(path.join(__dirname, file), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Why the installed packages differ from the lock file; undefined if they do not. */
function staleReason() {
  const wanted = readJson('package-lock.json')?.packages ?? {};
  const installed = readJson('node_modules/.package-lock.json')?.packages;
  if (!installed) return 'the dependencies are not installed';
  for (const [where, { version, link, optional, peer }] of Object.entries(wanted)) {
    if (where === '' || link) continue;
    const there = installed[where];
    if (there ? there.version !== version : !optional && !peer) return `${where} is not ${version}`;
    if (there && !optional && !fs.existsSync(path.join(__dirname, where, 'package.json'))) return `${where} is missing`;
  }
  return undefined;
}

/** `npm ci` would delete the packages of another folder that `node_modules` links to. */
const isLink = fs.lstatSync(path.join(__dirname, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true;

const reason = staleReason();
if (reason && isLink) {
  const linked = fs.readlinkSync(path.join(__dirname, 'node_modules'));
  console.error(
    `${reason}, and node_modules is a link to ${linked}. Run npm ci where it leads to, or remove the link.`,
  );
  process.exit(1);
}
if (reason) {
  console.error(`> ${reason}: running npm ci`);
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('npm-cli.js') ? [process.execPath, [npm]] : ['npm', []];
  const run = spawnSync(command, [...first, ...args], {
    cwd: __dirname,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (run.error || run.status !== 0) {
    console.error(`npm ci failed (${run.error ? run.error.message : `exit status ${run.status}`}).`);
    process.exit(run.status || 1);
  }
}
