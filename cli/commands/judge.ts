import { checks } from '../../conformance/checks/index.ts';
import { createForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../../conformance/foreign/report-foreign.ts';
import { feedRecordings } from '../../conformance/recording/judge-recording.ts';
import type { Report } from '../../conformance/report/report.ts';
import { selectChecks } from '../../conformance/select.ts';
import { preparePublication, publish, reportFlags } from '../check/publish.ts';
import { baseUrlOf, recordingFlags, selectionFlags } from '../check/target.ts';
import type { Cli, Command } from '../command.ts';
import { readRecordings } from '../files/recordings.ts';
import { flagsOf, readFlags, type ValuesOf } from '../flags.ts';

const { only, skip, strict } = selectionFlags;

export const flags = { ...recordingFlags, ...flagsOf('judge', {}), only, skip, strict, ...reportFlags };

export async function run(cli: Cli, command: Command): Promise<number> {
  const settings = readFlags(flags, command, cli.io);
  const baseUrl = baseUrlOf(settings, cli.io);
  const publication = preparePublication(settings);
  return publish(await judgeFiles(cli, command.args, { ...settings, baseUrl }), cli, publication);
}

type Judging = Partial<ValuesOf<typeof flags>>;

/** A report on recordings. @throws UsageError for a file that is none */
export async function judgeFiles({ io, secrets }: Cli, files: readonly string[], how: Judging = {}): Promise<Report> {
  const by = { checks: selectChecks(checks, how), strict: how.strict === true, secrets };
  const judge = createForeignJudge({ ...by, baseUrl: how.baseUrl });
  await readRecordings(io, files, (sources) => feedRecordings(sources, judge), how.join);
  return reportForeign(judge, { ...by, includeBodies: how.includeBodies });
}
