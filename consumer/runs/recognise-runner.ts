import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { attempt } from '../../text/errors.ts';
import { isObject, parseJson, textOf } from '../../text/json.ts';
import { literal } from '../../text/literal.ts';

export type RunnerName = 'vitest' | 'jest' | 'playwright' | 'node --test' | 'pytest';

/** What a runner is told: where to write its results, and the files and names of the tests that are wanted; none for all. */
interface Telling {
  readonly file: string;
  readonly only: readonly string[];
  readonly tests?: readonly string[];
  readonly turns?: number;
  readonly limitOfTest?: number;
  readonly cwd: string;
}

const NODE_REPORTER = String(pathToFileURL(path.join(__dirname, 'node-reporter.js')));

/** What each runner is told at the end of its command, and in its environment. */
const runners: Readonly<
  Record<RunnerName, (telling: Telling) => { words?: readonly string[]; env?: Readonly<Record<string, string>> }>
> = {
  vitest: ({ file, only }) => ({
    words: [...only, '--coverage.enabled=false', '--reporter=json', `--outputFile=${file}`],
  }),
  // Part of the tests cover part of the code, which a threshold would take for a failure.
  jest: ({ file, only }) => ({ words: [...only.map(literal), '--coverage=false', '--json', `--outputFile=${file}`] }),
  playwright: ({ file, only, turns = 1, limitOfTest }) => ({
    // A test that passes only now and then is left out, and so needs no second try.
    words: [
      ...only.map(literal),
      '--reporter=json',
      '--retries=0',
      '--trace=off',
      '--max-failures=0',
      `--repeat-each=${turns}`,
      ...[limitOfTest ?? []].flat().map((most) => `--timeout=${most}`),
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }),
  'node --test': ({ file }) => ({
    env: { NODE_OPTIONS: `--test-reporter=${NODE_REPORTER} --test-reporter-destination=${JSON.stringify(file)}` },
  }),
  pytest: ({ file, only }) => ({ words: [...only, `--junitxml=${file}`] }),
};

/** With what runners take a pattern of names. */
const patterns: Partial<Record<RunnerName, string>> = { vitest: '-t', jest: '-t', playwright: '--grep' };

/** A pattern of the names without their files and projects. */
const namesPattern = (tests: readonly string[]): string =>
  tests
    .map((name) => name.split(' › ').slice(1))
    .map((titles) => titles.filter((title) => !/^\[.*\]$/.test(title)))
    .map((titles) => titles.map(literal).join('.*'))
    .join('|');

/**
 * The command, made to write its results to a file if its runner is known: directly, or as a script of the package. `isNarrow`
 * if it leaves out tests by their names.
 */
export function reportingCommand(words: readonly string[], telling: Telling) {
  const { cwd, only, tests = [] } = telling;
  // No shell reads these words, so that none of them is an operator.
  const line = words.filter((word) => !/\s/.test(word)).join(' ');
  const direct = runnerOf(line.replaceAll(/[;&|]/g, ''));
  const script = scriptOf(words, cwd);
  const runner = direct ?? runnerOf(script);
  if (runner === undefined) return { words, env: {}, runner, isNarrow: false };
  const { words: more = [], env = {} } = runners[runner](telling);
  const isShortened = runner === 'node --test' && only.length > 0;
  const own = words.filter((word, at) => {
    const file = path.join(cwd, word);
    if (at === 0 || !isShortened || only.includes(file)) return true;
    return statSync(file, { throwIfNoEntry: false })?.isFile() !== true;
  });
  if (direct === undefined && words[0] === 'npm' && more.length > 0 && !words.includes('--')) own.push('--');
  const pattern = patterns[runner];
  const isNarrow =
    tests.length > 0 && pattern !== undefined && !/ (?:-t|-g|--grep|--testNamePattern)\b/.test(line + script);
  if (isNarrow) own.push(pattern, namesPattern(tests));
  return { words: [...own, ...more], env, runner, isNarrow };
}

/** The runner that a line calls. Of several commands in one line none is certain. */
function runnerOf(line: string): RunnerName | undefined {
  if (/[;&|]/.test(line)) return undefined;
  if (/(?:^|[\s/\\])(?:node|tsx)(?:\.exe)?\s(?:.*\s)?--test(?:\s|$)/.test(line)) return 'node --test';
  return (['vitest', 'jest', 'playwright', 'pytest'] as const).find((name) =>
    new RegExp(String.raw`(?:^|[\s/\\])${name}(?:\.\w+)?(?:\s|$)`).test(line),
  );
}

/** The script that `npm test`, `pnpm run e2e` and the like run. */
function scriptOf([tool = '', ...rest]: readonly string[], cwd: string): string {
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(path.basename(tool))) return '';
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'));
  const name = first === 'run' ? second : first;
  const manifest = parseJson(attempt(() => readFileSync(path.join(cwd, 'package.json'), 'utf8')));
  const scripts = isObject(manifest) ? manifest['scripts'] : undefined;
  return isObject(scripts) ? textOf(scripts[name.replace(/^t$/, 'test')]) : '';
}
