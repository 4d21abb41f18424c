// What action.yml runs: it checks a target with the settings in the inputs, and passes the result to the job. All input comes
// from variables and none from the text of a script, so no input can be executed. The program itself writes annotations and the
// summary.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const { env } = process;
const USAGE = 2;
const BROKEN = 4;

/** The file names by format. */
const reports = {
  json: 'report.json',
  junit: 'report.xml',
  sarif: 'report.sarif',
  html: 'report.html',
  markdown: 'report.md',
};

/** A mistake in the inputs, or a failed build; the message says which. */
class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const input = (name) => env[`INPUT_${name}`]?.trim() ?? '';

/** Text in a command to the runner, which would end at a line break. */
const inCommand = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function mask(secret) {
  for (const line of secret.split(/[\r\n]+/)) if (line !== '') console.log(`::add-mask::${inCommand(line)}`);
}

function setOutput(name, value) {
  const file = env.GITHUB_OUTPUT ?? '';
  const end = `end-${randomUUID()}`;
  if (file !== '') appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
}

/** The program beside the action, which is built if it has to be. */
function program() {
  const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  const bin = path.join(folder, 'dist/cli/bin.js');
  if (existsSync(bin)) return bin;
  console.log('::group::npm run build');
  // npm needs a shell on Windows.
  const how = { cwd: folder, shell: process.platform === 'win32', stdio: 'inherit' };
  const { status, error } = spawnSync('npm', ['run', 'build'], how);
  console.log('::endgroup::');
  if (status !== 0) throw new Refused(BROKEN, `npm run build failed (${error?.message ?? `exit status ${status}`}).`);
  return bin;
}

/** The environment of the program: that of the job, with each input under the variable that the program knows. */
function settings() {
  const given = {
    BASE_URL: input('BASE_URL'),
    TOKEN: input('TOKEN'),
    WORKSPACE_ID: input('WORKSPACE_ID'),
    AGENT_ID: input('AGENT_ID'),
    PUBLISHED_AGENT_ID: input('PUBLISHED_AGENT_ID'),
    V5_AGENT_ID: input('V5_AGENT_ID'),
    READ_TOKEN: input('READ_TOKEN'),
    GUEST_TOKEN: input('GUEST_TOKEN'),
    TARGET: input('TARGET_FILE'),
    BASELINE: input('BASELINE'),
    ALLOW_PARTIAL: input('ALLOW_PARTIAL'),
  };
  const ours = Object.entries(given).filter(([, value]) => value !== '');
  const theirs = Object.entries(env).filter(([name]) => !name.startsWith('INPUT_'));
  return Object.fromEntries([...theirs, ...ours.map(([name, value]) => [`AGENT_CONTRACT_${name}`, value])]);
}

/** Resolves with the exit status. If the job is stopped, the program is stopped too, and reports what it has judged so far. */
function check(bin, args) {
  const child = spawn(process.execPath, [bin, 'check', ...args], { env: settings(), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', () => resolve(BROKEN));
    child.once('exit', (status) => resolve(status ?? BROKEN));
  });
}

function outcomeOf(file) {
  try {
    const { outcome } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof outcome === 'string') return outcome;
    return '';
  } catch {
    return '';
  }
}

/** The inputs that no log may show. */
const SECRETS = ['TOKEN', 'READ_TOKEN', 'GUEST_TOKEN'];

/** Somebody else may have written a target file in the checkout, and it must not decide where a token goes. */
function refuseTokenWithoutPlace() {
  const secret = SECRETS.find((name) => input(name) !== '');
  const places = ['AGENT_CONTRACT_BASE_URL', 'AGENT_CONTRACT_TARGET'];
  const isSaid =
    [input('BASE_URL'), input('TARGET_FILE'), ...places.map((name) => env[name]?.trim() ?? '')].join('') !== '';
  if (secret === undefined || isSaid) return;
  const name = secret.toLowerCase().replaceAll('_', '-');
  throw new Refused(
    USAGE,
    `${name} is given, but nothing says where to send it. Set base-url, or set target-file to a file with the URL.`,
  );
}

async function main() {
  for (const name of SECRETS) mask(input(name));
  refuseTokenWithoutPlace();
  const folder = path.resolve(
    input('REPORT_FOLDER') || path.join(env.RUNNER_TEMP ?? tmpdir(), 'agent-contract-report'),
  );
  setOutput('report-folder', folder);
  const files = Object.entries(reports).map(([format, name]) => [format, path.join(folder, name)]);
  // Reports of an earlier step would look like those of this one.
  for (const [, file] of files) rmSync(file, { force: true });
  mkdirSync(folder, { recursive: true });
  const more = input('ARGS')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const status = await check(program(), [
    ...files.flatMap(([format, file]) => ['--report', `${format}=${file}`]),
    ...more,
  ]);
  setOutput('outcome', outcomeOf(path.join(folder, reports.json)));
  for (const [format, file] of files) setOutput(format, existsSync(file) ? file : '');
  return status;
}

const status = await main().catch((error) => {
  console.log(`::error title=Agent contract::${inCommand(error.message)}`);
  if (error instanceof Refused) return error.status;
  return BROKEN;
});
setOutput('exit-code', status);
process.exitCode = status;
