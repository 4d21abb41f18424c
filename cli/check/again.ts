import type { Command } from 'commander';
import type { Report } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { Cli } from '../command-context.ts';
import { switchFlag, type ValuesOf } from '../flags.ts';
import { createProgress } from './progress.ts';
import { readTarget, selectionFlags, targetFlags, targetOptions } from './target.ts';

/** The flags of commands that repeat the run of a report. */
export const againFlags = {
  ...targetFlags,
  readOnly: selectionFlags.readOnly,
  strictNull: selectionFlags.strictNull,
  seed: selectionFlags.seed,
  json: switchFlag('as JSON'),
} as const;

/** The run of a report, ready to be repeated. */
export interface Again {
  readonly settings: ValuesOf<typeof againFlags>;
  readonly baseUrl: string;
  /** Ids of the report's checks that this version has. */
  readonly known: readonly string[];
  /** Whether that is every check, or the report has none that this version has. */
  readonly isWhole: boolean;
  /** Repeats the run with its seed and options, and with its ids if the server is the same. */
  readonly run: (more: Partial<RunOptions>) => Promise<Report>;
}

/** `typed` is the base URL from the command line, and `label` its name there. @throws UsageError */
export async function prepareAgain(
  cli: Cli,
  command: Command,
  report: Report,
  named: { readonly typed: string | undefined; readonly label: string },
): Promise<Again> {
  const { baseUrl: recorded, ...ids } = report.target;
  const { settings, baseUrl } = await readTarget(cli, command, againFlags, { ...named, recorded });
  const given = Object.fromEntries(
    Object.entries(targetOptions(settings, baseUrl)).filter(([, value]) => value !== undefined),
  );
  const { runConformance, checks } = await import('../../conformance/index.ts');
  const known = report.checks.map(({ id }) => id).filter((id) => checks.some((one) => one.id === id));
  const isSameServer = withoutSlash(new URL(baseUrl).href) === withoutSlash(parseUrl(recorded)?.href ?? '');
  const knownIds = isSameServer ? ids : {};
  const progress = createProgress(cli.io.stderr);
  return {
    settings,
    baseUrl,
    known,
    isWhole: known.length === 0 || known.length === checks.length,
    run: (more) =>
      runConformance({
        baseUrl,
        ...knownIds,
        ...given,
        repeat: report.options?.repeat,
        readOnly: settings.readOnly || report.options?.readOnly,
        strictNull: settings.strictNull || report.options?.strictNull,
        seed: settings.seed ?? report.seed,
        canary: cli.canary.value,
        signal: cli.io.signal,
        onProgress: (far) => progress.show(far),
        ...more,
      }).finally(() => progress.clear()),
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
