import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pointerTo, valueAt } from '../../spec/json-pointer.ts';
import { attempt } from '../../text/errors.ts';
import { parseJson, textOf } from '../../text/json.ts';
import { literal } from '../../text/literal.ts';

/** What a runner is told: where to write its results, and the files and names of the tests that are wanted; none for all. */
interface Telling {
  readonly file: string;
  readonly only: readonly string[];
  readonly tests?: readonly string[];
  readonly turns?: number;
  readonly workers?: number;
  readonly limitOfTest?: number;
  readonly cwd: string;
}

const NODE_REPORTER = String(pathToFileURL(path.join(__dirname, 'node-reporter.js')));

interface Told {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What each runner is told at the end of its command, and in its environment. */
const runners = {
  vitest: ({ file, only }) => ({
    words: [...only, '--coverage.enabled=false', '--reporter=json', `--outputFile=${file}`],
  }),
  // Part of the tests cover part of the code, which a threshold would take for a failure.
  jest: ({ file, only }) => ({ words: [...only.map(literal), '--coverage=false', '--json', `--outputFile=${file}`] }),
  playwright: ({ file, only, turns = 1, workers = 1, limitOfTest }) => ({
    // A test that passes only now and then is left out, and so needs no second try.
    words: [
      ...only.map(literal),
      '--reporter=json',
      '--retries=0',
      '--trace=off',
      '--max-failures=0',
      `--repeat-each=${turns}`,
      ...(workers > 1 ? [`--workers=${workers}`] : []),
      ...[limitOfTest ?? []].flat().map((most) => `--timeout=${most}`),
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }),
  'node --test': ({ file }) => ({
    env: { NODE_OPTIONS: `--test-reporter=${NODE_REPORTER} --test-reporter-destination=${JSON.stringify(file)}` },
  }),
  pytest: ({ file, only }) => ({ words: [...only, `--junitxml=${file}`] }),
  // It writes no results; what Python loads at its start does.
  unittest: () => ({}),
  // It writes to its output, and does not run what it has run before.
  'go test': () => ({ words: ['-json', '-count=1'] }),
  gotestsum: ({ file }) => ({ env: { GOTESTSUM_JSONFILE: file, GOFLAGS: '-count=1' } }),
} satisfies Readonly<Record<string, (telling: Telling) => Told>>;

export type RunnerName = keyof typeof runners;

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
  const { runner, line, dashes } = calledBy(words, cwd);
  if (runner === undefined) return { words, env: {}, runner, isNarrow: false };
  // What the user says holds.
  const workers = /\s(?:-j|--workers)\b/.test(line) ? 1 : telling.workers;
  const { words: more = [], env = {} }: Told = runners[runner]({ ...telling, workers });
  const isShortened = runner === 'node --test' && only.length > 0;
  const own = words.filter((word, at) => {
    const file = path.resolve(cwd, word);
    const isLoaded = /^-(?:r|-require|-import|-loader|-experimental-loader)$/.test(words[at - 1] ?? '');
    if (at === 0 || isLoaded || !isShortened || only.includes(file)) return true;
    return statSync(file, { throwIfNoEntry: false })?.isFile() !== true;
  });
  if (more.length > 0) own.push(...dashes);
  const pattern = patterns[runner];
  const isNarrow = tests.length > 0 && pattern !== undefined && !/ (?:-t|-g|--grep|--testNamePattern)\b/.test(line);
  if (isNarrow) own.push(pattern, namesPattern(tests));
  return { words: [...own, ...more], env, runner, isNarrow };
}

const NAME = '(@playwright/test|playwright|vitest|jest-cli|jest|pytest|npm|pnpm|yarn|bun)';

/** `jest@30`, `venv/bin/pytest`, `node_modules/@playwright/test/cli.js`. Any other file is a program of the user's own. */
const TOOL = new RegExp(
  String.raw`^(?:(?:.*/)?(?:\.?bin|Scripts)/)?${NAME}(?:@[^/]*|\.(?:cmd|exe|ps1))?$|(?:^|/)node_modules/${NAME}/`,
);

/** The runner that a word names, by its command or a file of its package, or what runs a script that may call one. */
function toolIn(word = ''): RunnerName | 'npm' | 'pnpm' | 'yarn' | 'bun' | undefined {
  const [, command, ofFile] = TOOL.exec(word.replaceAll('\\', '/')) ?? [];
  return (command ?? ofFile)?.replace(/^@|-cli$|\/test$/g, '') as ReturnType<typeof toolIn>;
}

/** Runners that are a switch of a program. */
const switched: readonly (readonly [RunnerName, RegExp])[] = [
  ['node --test', /[\s/\\](?:node|tsx)(?:\.exe)?\s(?:.*\s)?--test(?:\s|$)/],
  ['unittest', /[\s/\\]python[\d.]*(?:\.exe)?\s(?:.*\s)?-m\s+unittest(?:\s|$)/],
  ['go test', /[\s/\\]go(?:\.exe)?\s+test(?:\s|$)/],
  ['gotestsum', /[\s/\\]gotestsum(?:\.exe)?(?:\s|$)/],
];

interface Called {
  readonly runner: RunnerName | undefined;
  readonly line: string;
  readonly dashes: readonly string[];
}

/** The runner that a command calls in the end, all words on the way to it, and each `--` that npm takes away there. */
function calledBy(words: readonly string[], cwd: string, depth = 6): Called {
  const dashes: string[] = [];
  let [line, left] = ['', words];
  // A script may call itself.
  for (let deeper = depth; deeper > 0; deeper--) {
    line += ` ${left.filter((word) => !/\s/.test(word)).join(' ')}`;
    const found = switched.find(([, pattern]) => pattern.test(line));
    if (found) return { runner: found[0], line, dashes };
    const at = left.findIndex((word) => toolIn(word));
    const runner = toolIn(left[at]);
    if (runner !== 'npm' && runner !== 'pnpm' && runner !== 'yarn' && runner !== 'bun') return { runner, line, dashes };
    left = left.slice(at + 1);
    if (runner === 'npm' && !left.includes('--')) dashes.push('--');
    left = scriptOf(left, cwd, deeper) ?? left;
  }
  return { runner: undefined, line, dashes };
}

/**
 * What `test`, `run e2e` and the like run, as words. Of several commands in one script the last gets what follows; none is
 * certain if another may run tests too.
 */
function scriptOf(words: readonly string[], cwd: string, depth: number): readonly string[] | undefined {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const name = /^run(?:-script)?$/.test(first) ? second : first;
  const manifest = parseJson(attempt(() => readFileSync(path.join(cwd, 'package.json'), 'utf8')));
  const script = textOf(valueAt(manifest, pointerTo(['scripts', name.replace(/^t$/, 'test')])));
  if (script === '') return undefined;
  const commands = script.split('&&').map((one) => one.replaceAll(/["']/g, '').trim().split(/\s+/));
  const [last = [], ...before] = commands.toReversed();
  const isCertain = !/[;&|]/.test(commands.join()) && !before.some((one) => calledBy(one, cwd, depth - 1).runner);
  return isCertain ? last : [];
}
