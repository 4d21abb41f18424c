// Makes small breaks in the code of folders, and lists those that no test of these folders notices.
//   npm run mutate -- conformance [more folders] [--sample 200] [--seed 1]
// It tries a share of all mutants, drawn by the seed, so that a run takes minutes and can be repeated.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { isDrawn } from './draw.mjs';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
  },
});
const numbers = Object.entries(values).map(([name, text]) => [name, Number(text)]);
const wrong = numbers.find(([, number]) => !Number.isSafeInteger(number) || number < 1);
if (folders.length === 0 || wrong) {
  const why = wrong ? `--${wrong[0]} must be a whole number above 0.` : 'Name a folder.';
  console.error(`error: ${why} For example: npm run mutate -- client cli --sample 200 --seed 1`);
  process.exit(2);
}
const { sample, seed, concurrency } = Object.fromEntries(numbers);

// A changed word in a message is not a changed behaviour.
const EXCLUDED = ['StringLiteral'];
const NOT_MUTATED = /\.test\.ts$|\.d\.ts$|generated|\/testing\//;
const codeIn = (...places) =>
  execFileSync('git', ['ls-files', '-z', '--', ...places.map((place) => `:(glob)${place}/**/*.ts`)], {
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '');
const couldBeBroken = (file) => !NOT_MUTATED.test(file);
const hollow = folders.find((folder) => !codeIn(folder).some(couldBeBroken));
if (hollow !== undefined) {
  console.error(
    `error: ${hollow} holds no code that could be broken. Name a folder such as client, mock or conformance.`,
  );
  process.exit(2);
}
const all = codeIn(...folders);
const files = all.filter(couldBeBroken);
const named = folders.join(', ');

const silent = new Proxy({}, { get: () => () => false });
const instrumented = await new Instrumenter(silent).instrument(
  files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true })),
  { excludedMutations: EXCLUDED, ignorers: [], plugins: null, noHeader: false },
);
// It lists the excluded ones too.
const mutants = instrumented.mutants.filter(({ status }) => status !== 'Ignored');
const draw = { share: Math.min(1, sample / mutants.length), seed };
process.env.MUTATION_DRAW = JSON.stringify(draw);
const drawn = mutants.filter((mutant) => isDrawn(mutant, draw));
console.log(
  `${mutants.length} mutants in ${files.length} files of ${named}; ${drawn.length} drawn with the seed ${seed}.`,
);

// A test that mocks a module affects all tests that are loaded after it.
const REPLACES = /^\s*jest\.(?:mock|doMock)\(/m;
const tests = all.filter((file) => file.endsWith('.test.ts') && !file.endsWith('.e2e.test.ts'));
const [alone, together] = [true, false].map((wanted) =>
  tests.filter((file) => REPLACES.test(readFileSync(file, 'utf8')) === wanted),
);
process.env.MUTATION_TESTS = JSON.stringify(together);
console.log(
  `Each is tried against those tests of ${tests.length} files of ${named} that reach it, the quickest first, until one fails.`,
);

const results = await new Stryker({
  // Mutants that are not drawn would slow the tests down.
  mutate: drawn.map(({ fileName, location: { start, end } }) => {
    const range = [start, end].map(({ line, column }) => `${line + 1}:${column}`);
    return `${fileName}:${range.join('-')}`;
  }),
  mutator: { excludedMutations: EXCLUDED },
  testRunner: 'quick-first',
  plugins: ['@stryker-mutator/jest-runner', './proof/mutation/quick-first-runner.mjs'],
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: false,
    config: {
      ...JSON.parse(readFileSync('package.json', 'utf8')).jest,
      roots: [...folders.map((folder) => `<rootDir>/${folder}`), '<rootDir>/proof/mutation'],
      testMatch: ['**/proof/mutation/together.cjs', ...alone.map((file) => `<rootDir>/${file}`)],
      // Limits a test that a mutant keeps waiting.
      testTimeout: 60_000,
      testEnvironment: path.resolve('proof/mutation/first-failure.cjs'),
    },
  },
  coverageAnalysis: 'perTest',
  concurrency,
  incremental: true,
  incrementalFile: `reports/mutation/${folders.join('+').replaceAll('/', '-')}.json`,
  ignorePatterns: ['dist', 'bench', 'coverage', 'docs/pictures'],
  reporters: ['progress-append-only'],
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

// They count lines and columns from 1, and the instrumenter from 0.
const fromZero = ({ line, column }) => ({ line: line - 1, column: column - 1 });
const tried = results
  .map((one) => ({ ...one, location: { start: fromZero(one.location.start), end: fromZero(one.location.end) } }))
  .filter((mutant) => isDrawn(mutant, draw));
for (const mutant of having(tried, 'Survived', 'NoCoverage')) console.log(described(mutant));
for (const folder of folders.length > 1 ? folders : [])
  console.log(`${folder}: ${figure(tried.filter(({ fileName }) => isIn(folder, fileName)))}`);
console.log(figure(tried));
const judged = having(tried, 'Killed', 'Timeout', 'Survived', 'NoCoverage').length;
if (judged < drawn.length) console.log(`${drawn.length - judged} could not be tried.`);

function having(some, ...statuses) {
  return some.filter(({ status }) => statuses.includes(status));
}

function isIn(folder, file) {
  return !path.relative(folder, file).startsWith('..');
}

/** How many of the mutants that were tried some test noticed. */
function figure(some) {
  const noticed = having(some, 'Killed', 'Timeout').length;
  const count = noticed + having(some, 'Survived', 'NoCoverage').length;
  if (count === 0) return 'none tried';
  return `noticed ${noticed} of ${count}: ${((100 * noticed) / count).toFixed(1)} %`;
}

/** The place of a mutant, and its replacement. */
function described({ fileName, location: { start, end }, replacement, status }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1);
  lines.push(lines.pop().slice(0, end.column));
  const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 120);
  const place = `${path.relative('.', fileName)}:${start.line + 1}:${start.column + 1}`;
  const reached = status === 'NoCoverage' ? ', which no test reaches' : '';
  return `${place}${reached}\n  - ${short(lines.join('\n').slice(start.column))}\n  + ${short(replacement)}`;
}
