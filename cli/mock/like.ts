import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { visible } from '../../text/visible.ts';
import type { Report } from '../../conformance/report/report.ts';
import { gapIds } from '../../spec/index.ts';
import { readReportFile } from '../check/checked-file.ts';
import { runChecks } from '../check/run-checks.ts';
import { isSameServer, readBaseUrl, readTarget, targetFlags, targetOptions } from '../check/target.ts';
import { readable, UsageError } from '../errors.ts';
import { checkWritable, writeAtomically } from '../files/files.ts';
import type { Io } from '../io.ts';
import type { NameOrFile } from '../flags.ts';
import type { MockSettings } from './flags.ts';

type Wanted = Pick<MockSettings, 'likeToken' | 'likeFile' | 'readOnly' | 'ca' | 'insecure'> & { readonly like: string };

/** The file that says how a server behaves, from an earlier start or a run now. @throws UsageError if neither is possible */
export async function behaviourOf(io: Io, wanted: Wanted): Promise<NameOrFile> {
  const { like, likeFile } = wanted;
  const url = readBaseUrl(like, '--like', io.stderr);
  const file = likeFile ?? path.resolve(io.cwd, nameOf(url));
  if (existsSync(file)) {
    const report = savedReport(file, url, io);
    io.stderr.write(
      `like ${visible(url)} on ${visible(report.startedAt.slice(0, 10))}: ${choicesOf(report)}, from ${visible(file)}. Remove the file to ask again.\n`,
    );
    return { file };
  }
  checkWritable(file, '--like');
  const report = await checkNow(io, url, wanted);
  const { reporters } = await import('../../conformance/reporters/index.ts');
  writeAtomically(file, reporters.json.reporter(report, { color: false }));
  io.stderr.write(
    `like ${visible(url)} today: ${choicesOf(report)}, saved in ${visible(file)}. agent-contract drift ${visible(path.basename(file))} shows later changes.\n`,
  );
  return { file };
}

function choicesOf({ observedProfile }: Report): string {
  return `${Object.keys(observedProfile).length} of ${gapIds.length} choices`;
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  const name = `${host}${pathname}`.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  return `like-${name.slice(0, 100)}.json`;
}

/** @throws UsageError for a file that is not a report on this server */
function savedReport(file: string, url: string, { cwd }: Io): Report {
  const report = readable(
    () => readReportFile(file, cwd),
    (why) => `--like: ${why} The file is unchanged. Name another with --like-file.`,
  );
  if (isSameServer(report.target.baseUrl, url)) return report;
  throw new UsageError(
    `--like: ${visible(file)} says how ${visible(report.target.baseUrl)} behaves. The file is unchanged. Name another with --like-file.`,
  );
}

/** One run, with the same settings as `check`. @throws UsageError if it showed nothing */
async function checkNow(io: Io, url: string, { likeToken: token, readOnly, ca, insecure }: Wanted): Promise<Report> {
  const command = new Command();
  if (token !== undefined) command.setOptionValueWithSource('token', token, 'cli');
  const source = { typed: url, label: '--like' };
  const { settings, baseUrl } = await readTarget({ io, secrets: [] }, command, targetFlags, source);
  const report = await runChecks(io, { ...targetOptions(settings, baseUrl), readOnly, ca, insecure });
  if (report.outcome !== 'unreachable' && Object.keys(report.observedProfile).length > 0) return report;
  throw new UsageError(`--like: ${visible(url)} did not show how it behaves. ${visible(report.summary)}`);
}
