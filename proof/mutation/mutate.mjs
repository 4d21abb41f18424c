// Breaks the code of a folder in small ways, and shows which of them no test notices.
//   npm run mutate -- conformance [--sample 200] [--seed 1]
// A share of all mutants is drawn by the seed, so that a run takes minutes and can be repeated.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { isDrawn } from './draw.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
  },
});
const [folder] = positionals;
const numbers = Object.entries(values).map(([name, text]) => [name, Number(text)]);
const wrong = numbers.find(([, number]) => !Number.isSafeInteger(number) || number < 1);
if (folder === undefined || positionals.length > 1 || wrong) {
  const why = wrong ? `--${wrong[0]} must be a whole number above 0.` : 'Name one folder.';
  console.error(`error: ${why} For example: npm run mutate -- client --sample 200 --seed 1`);
  process.exit(2);
}
const { sample, seed, concurrency } = Object.fromEntries(numbers);

// A word in a message is no behaviour.
const EXCLUDED = ['StringLiteral'];
const NOT_MUTATED = /\.test\.ts$|\.d\.ts$|generated|\/(?:test-|hostile|sample-report|tiny-service)/;
const all = execFileSync('git', ['ls-files', '-z', '--', `${folder}/**/*.ts`, `${folder}/*.ts`], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '');
const files = all.filter((file) => !NOT_MUTATED.test(file));
if (files.length === 0) {
  console.error(
    `error: ${folder} holds no code that could be broken. Name a folder such as client, mock or conformance.`,
  );
  process.exit(2);
}

const silent = new Proxy({}, { get: () => () => false });
const instrumented = await new Instrumenter(silent).instrument(
  files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true })),
  { excludedMutations: EXCLUDED, ignorers: [], plugins: null, noHeader: false },
);
// It lists the excluded ones too.
const mutants = instrumented.mutants.filter(({ status }) => status !== 'Ignored');
const share = Math.min(1, sample / mutants.length);
process.env.MUTATION_DRAW = JSON.stringify({ share, seed });
const drawn = mutants.filter((mutant) => isDrawn(mutant, { share, seed })).length;
console.log(`${mutants.length} mutants in ${files.length} files of ${folder}; ${drawn} drawn with the seed ${seed}.`);

// A test that replaces a module replaces it for all that are loaded after it.
const REPLACES = /^\s*jest\.(?:mock|doMock)\(/m;
const tests = all.filter((file) => file.endsWith('.test.ts'));
const [alone, together] = [true, false].map((wanted) =>
  tests.filter((file) => REPLACES.test(readFileSync(file, 'utf8')) === wanted),
);
process.env.MUTATION_TESTS = JSON.stringify(together);
console.log(
  `Each is tried against those tests of ${tests.length} files of ${folder} that reach it, the quickest first, until one fails.`,
);

const results = await new Stryker({
  mutate: files,
  mutator: { excludedMutations: EXCLUDED },
  testRunner: 'quick-first',
  checkers: ['drawn'],
  plugins: [
    '@stryker-mutator/jest-runner',
    './proof/mutation/quick-first-runner.mjs',
    './proof/mutation/drawn-checker.mjs',
  ],
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: false,
    config: {
      ...JSON.parse(readFileSync('package.json', 'utf8')).jest,
      roots: [`<rootDir>/${folder}`, '<rootDir>/proof/mutation'],
      testMatch: ['**/proof/mutation/together.cjs', ...alone.map((file) => `<rootDir>/${file}`)],
      // A test that a mutant keeps waiting.
      testTimeout: 60_000,
      testEnvironment: path.resolve('proof/mutation/first-failure.cjs'),
    },
  },
  coverageAnalysis: 'perTest',
  concurrency,
  incremental: true,
  incrementalFile: `reports/mutation/${folder.replaceAll('/', '-')}.json`,
  ignorePatterns: ['dist', 'bench', 'coverage', 'docs/pictures'],
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: {
    allowColor: process.stdout.isTTY,
    reportTests: false,
    reportScoreTable: false,
    skipFull: true,
  },
  thresholds: { high: 100, low: 90, break: null },
  timeoutMS: 20_000,
  tempDirName: '.mutation',
  // Stryker would read it with the compiler's old interface, which TypeScript 7 no longer has.
  tsconfigFile: 'there-is-none.json',
  logLevel: 'warn',
}).runMutationTest();

const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
const noticed = count('Killed', 'Timeout');
const unnoticed = count('Survived', 'NoCoverage');
console.log(`noticed ${noticed} of ${noticed + unnoticed}: ${((100 * noticed) / (noticed + unnoticed)).toFixed(1)} %`);
