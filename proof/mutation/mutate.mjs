// Makes small breaks in the code of folders, and lists those that no test of these folders, or near them by import, notices.
//   npm run mutate -- conformance [more folders] [--lines 300] [--seed 1]
// It breaks passages of about so many lines, drawn by the seed, so that a run takes minutes and can be repeated.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const folders = positionals.map((folder) => path.posix.join(folder, '/'));
const numbers = Object.entries(values).map(([name, text]) => [name, Number(text)]);
const wrong = numbers.find(([, number]) => !Number.isSafeInteger(number) || number < 1);
if (folders.length === 0) fail('Name a folder.');
if (wrong) fail(`--${wrong[0]} must be a whole number above 0.`);
const { lines, seed } = Object.fromEntries(numbers);

const all = execFileSync('git', ['ls-files', '-z', '--', '*.ts'], { encoding: 'utf8' }).split('\0').slice(0, -1);
const named = all.filter((file) => folders.some((folder) => file.startsWith(folder)));
const files = named.filter((file) => !/\.test\.ts$|\.d\.ts$|generated|\/testing\//.test(file));
const hollow = folders.find((folder) => !files.some((file) => file.startsWith(folder)));
if (hollow !== undefined) fail(`${hollow} holds no code that could be broken.`);

const passages = files.flatMap(passagesOf);
const drawn = [];
let length = 0;
for (const passage of passages.toSorted((a, b) => (a.rank < b.rank ? -1 : 1))) {
  if (length >= lines) break;
  drawn.push(passage);
  length += passage.last - passage.first + 1;
}
console.log(
  `${drawn.length} of ${passages.length} passages of ${folders.join(', ')} are drawn with the seed ${seed}: ${length} lines.`,
);

// Near are tests that import a drawn file, or are named after a file that imports it; but proofs take minutes.
const broken = drawn.map(({ file }) => file);
const importers = all.filter((file) => {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import\(|require\()\s*'(\.[^']*)'/g);
  return [...found].some(([, target]) => broken.includes(path.posix.join(path.posix.dirname(file), target)));
});
const tests = all.filter((file) => {
  if (!/(?<!\.e2e)\.test\.ts$/.test(file) || /^pro(?:of|ve)\/|^packaging\//.test(file)) return false;
  const owner = file.replace(/(?:\.thorough)?\.test\.ts$/, '.ts');
  return named.includes(file) || importers.includes(file) || [...broken, ...importers].includes(owner);
});
// A test that mocks a module affects all tests that are loaded after it.
const REPLACES = /^\s*jest\.(?:mock|doMock)\(/m;
const alone = tests.filter((file) => REPLACES.test(readFileSync(file, 'utf8')));
// The smallest come first, since a failure ends the run.
const together = tests.filter((file) => !alone.includes(file)).toSorted((a, b) => statSync(a).size - statSync(b).size);
process.env.MUTATION_TESTS = JSON.stringify(together);
console.log(`Each break is tried against those tests of ${tests.length} files that reach it, until one fails.`);

await new Stryker({
  mutate: drawn.map(({ file, first, last }) => `${file}:${first}-${last}`),
  // A changed word in a message is not a changed behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: false,
    config: {
      ...JSON.parse(readFileSync('package.json', 'utf8')).jest,
      roots: ['proof/mutation', ...alone.map((file) => path.dirname(file))].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/proof/mutation/together.cjs', ...alone.map((file) => `<rootDir>/${file}`)],
      // Limits a test that a mutant keeps waiting.
      testTimeout: 60_000,
      testEnvironment: path.resolve('proof/mutation/first-failure.cjs'),
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  ignorePatterns: ['bench', 'coverage', 'docs/pictures'],
  reporters: ['progress-append-only', 'clear-text'],
  // It lists the mutants that survived, and prints a table with the score of each folder and file.
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 90, break: null },
  dryRunTimeoutMinutes: 30,
  timeoutMS: 40_000,
  // Jest leaks memory between runs.
  maxTestRunnerReuse: 15,
  tempDirName: '.mutation',
  // Stryker would read it with the compiler's old API, which TypeScript 7 no longer has.
  tsconfigFile: 'there-is-none.json',
  logLevel: 'warn',
}).runMutationTest();

function fail(why) {
  console.error(`error: ${why} For example: npm run mutate -- client cli --lines 300 --seed 1`);
  process.exit(2);
}

/** The passages of a file, between empty lines, without imports. The rank of one stays, whatever else changes in the file. */
function passagesOf(file) {
  const found = readFileSync(file, 'utf8').matchAll(/(?:^(?!import ).+\n)+/gm);
  return [...found].map(({ 0: text, index, input }) => {
    const first = input.slice(0, index).split('\n').length;
    const rank = createHash('sha256').update(`${seed} ${file} ${text}`).digest('hex');
    return { file, first, last: first + text.split('\n').length - 2, rank };
  });
}
