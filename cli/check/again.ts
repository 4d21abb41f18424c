import { checks } from '../../conformance/checks/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { ProbingOptions } from '../../conformance/run.ts';
import { runSecrets } from '../../conformance/run-options.ts';
import type { Cli, Command } from '../command.ts';
import { flagsOf } from '../flags.ts';
import { runChecks } from './run-checks.ts';
import { isSameServer, readTarget, selectionFlags, targetFlags, targetOptions } from './target.ts';

export const againFlags = {
  ...targetFlags,
  readOnly: selectionFlags.readOnly,
  strict: selectionFlags.strict,
  seed: selectionFlags.seed,
  ...flagsOf('json', {}),
};

export type Again = Awaited<ReturnType<typeof prepareAgain>>;

/** `typed` is the base URL from the command line, and `label` its name there. @throws UsageError */
export async function prepareAgain(
  cli: Cli,
  command: Command,
  report: Report,
  named: { readonly typed: string | undefined; readonly label: string },
) {
  const { baseUrl: recorded, ...ids } = report.target;
  const { settings, baseUrl } = await readTarget(cli, command, againFlags, { ...named, recorded });
  const given = Object.fromEntries(
    Object.entries(targetOptions(settings, baseUrl)).filter(([, value]) => value !== undefined),
  );
  const known = report.checks.map(({ id }) => id).filter((id) => checks.some((one) => one.id === id));
  const knownIds = isSameServer(baseUrl, recorded) ? ids : {};
  return {
    settings,
    baseUrl,
    /** Identifiers of the user, by the recorded ones that they replace. */
    ids: new Map(
      Object.entries(ids).flatMap(([name, was]): [string, string][] => {
        const is = given[name];
        return typeof is === 'string' && typeof was === 'string' ? [[was, is]] : [];
      }),
    ),
    secrets: runSecrets({ baseUrl, ...given }),
    /** Ids of the report's checks that this version has. */
    known,
    /** Whether that is every check, or the report has none that this version has. */
    isWhole: known.length === 0 || known.length === checks.length,
    /** Repeats the run with its seed and options, and with its ids if the server is the same. */
    run: (more: Partial<ProbingOptions>): Promise<Report> =>
      runChecks(cli.io, {
        baseUrl,
        ...knownIds,
        ...given,
        repeat: report.options?.repeat,
        levels: report.options?.levels,
        readOnly: settings.readOnly || report.options?.readOnly,
        strict: settings.strict || report.options?.strict,
        seed: settings.seed ?? report.seed,
        canary: cli.canary.value,
        ...more,
      }),
  };
}
