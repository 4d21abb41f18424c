import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, parseJson } from '../../text/json.ts';

/** A command that also writes which tests passed. */
export interface ReportingCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The runner that was recognised. */
  readonly runner: string | undefined;
}

type Runner = (
  words: readonly string[],
  file: string,
) => Pick<ReportingCommand, 'words'> & Partial<Pick<ReportingCommand, 'env'>>;

/** How each runner is told to write its results to a file. */
const runners = {
  vitest: (words, file) => ({ words: [...words, '--reporter=json', `--outputFile=${file}`] }),
  jest: (words, file) => ({ words: [...words, '--json', `--outputFile=${file}`] }),
  playwright: (words, file) => ({
    words: [...words, '--reporter=json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }),
  'node --test': (words, file) => {
    const at = words.findIndex((word) => word === '--test');
    const reporter = ['--test-reporter=junit', `--test-reporter-destination=${file}`];
    return { words: words.toSpliced(at, 0, ...reporter) };
  },
  pytest: (words, file) => ({ words: [...words, `--junitxml=${file}`] }),
} satisfies Readonly<Record<string, Runner>>;

/** The command, made to write its results to a file if its runner is known: directly, or as a script of the package. */
export function reportingCommand(words: readonly string[], cwd: string, file: string): ReportingCommand {
  const runner = runnerOf(words.join(' '));
  if (runner) return { env: {}, runner, ...runners[runner](words, file) };
  const script = scriptOf(words, cwd);
  const indirect = script === undefined ? undefined : runnerOf(script);
  // Words at the end of `npm test` go to the end of the script, where node takes no more flags.
  if (!indirect || indirect === 'node --test') return { words, env: {}, runner: undefined };
  const { words: more, env = {} } = (runners[indirect] as Runner)([], file);
  const separator = words[0] === 'npm' && !words.includes('--') ? ['--'] : [];
  return { words: [...words, ...separator, ...more], env, runner: indirect };
}

/** The runner that a line calls. Of several commands in one line none is certain. */
function runnerOf(line: string): keyof typeof runners | undefined {
  if (/[;&|]/.test(line)) return undefined;
  if (/(?:^|[\s/\\])node(?:\.exe)?\s(?:.*\s)?--test(?:\s|$)/.test(line)) return 'node --test';
  return (['vitest', 'jest', 'playwright', 'pytest'] as const).find((name) =>
    new RegExp(String.raw`(?:^|[\s/\\])${name}(?:\.\w+)?(?:\s|$)`).test(line),
  );
}

/** The script that `npm test`, `pnpm run e2e` and the like run. */
function scriptOf([tool = '', ...rest]: readonly string[], cwd: string): string | undefined {
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(path.basename(tool))) return undefined;
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'));
  const name = first === 'run' ? second : first;
  try {
    const manifest = parseJson(readFileSync(path.join(cwd, 'package.json'), 'utf8'));
    const scripts = isObject(manifest) ? manifest['scripts'] : undefined;
    const script = isObject(scripts) ? scripts[name === 't' ? 'test' : name] : undefined;
    return typeof script === 'string' ? script : undefined;
  } catch {
    return undefined;
  }
}
