import type { Command } from 'commander';
import type { Report } from '../../conformance/report/report.ts';
import { preparePublication, publish, reportFlags } from '../check/publish.ts';
import { selectionFlags } from '../check/target.ts';
import type { Cli, CommandDefinition } from '../command.ts';
import { baseUrlOf, readRecordings, recordingFlags, recordingsOperand } from '../files/recordings.ts';
import { readFlags, switchFlag } from '../flags.ts';

const { only, skip, strict } = selectionFlags;

const judgeFlags = {
  ...recordingFlags,
  join: switchFlag(
    'judge the files as one: recordings of one server from the same time, such as those of several proxies',
    { variable: null },
  ),
  only,
  skip,
  strict,
  ...reportFlags,
} as const;

const footer = `
A recording is a HAR file, from the developer tools of a browser, Playwright (recordHar), a proxy, check --record or
proxy --record; a trace of Playwright; a file of flows of mitmproxy; a tap of Envoy; or a JSON log of nginx or Kong with bodies.
It may be packed (gzip, zip), and need not have an end: it counts as far as it goes. Files are judged apart, and never compared
with each other, unless you --join them. If your tests start with fresh data under the same identifiers, record each test in its
own file, as Playwright does for each context.

What the traffic does not show is not judged. The report says what was left out, and why.

Exit status: 0 conformant; 1 nonconformant; 2 a flag or a file is wrong; 3 partial, something could not be judged; 4 the
judge broke. With --baseline: 0 nothing is new, 1 something is new, 2 and 4 as above.`;

export const definition: CommandDefinition = { operands: [recordingsOperand], flags: judgeFlags, footer, run };

async function run(cli: Cli, command: Command): Promise<number> {
  const settings = readFlags(judgeFlags, command, cli.io);
  const baseUrl = baseUrlOf(settings, cli.io);
  const publication = await preparePublication(settings);
  return publish(await judgeFiles(cli, command.args, { ...settings, baseUrl }), cli, publication);
}

interface Judging {
  readonly baseUrl?: string | undefined;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly strict?: boolean;
  readonly includeBodies?: boolean;
  readonly join?: boolean;
}

/** A report on recordings. @throws UsageError for a file that is none */
export async function judgeFiles({ io, secrets }: Cli, files: readonly string[], how: Judging = {}): Promise<Report> {
  const [{ createForeignJudge }, { reportForeign }, { judgeRecordings }, { checks }, { selectChecks }] =
    await Promise.all([
      import('../../conformance/foreign/judge-foreign.ts'),
      import('../../conformance/foreign/report-foreign.ts'),
      import('../../conformance/recording/judge-recording.ts'),
      import('../../conformance/checks/index.ts'),
      import('../../conformance/select.ts'),
    ]);
  const by = { checks: selectChecks(checks, how), strict: how.strict === true, secrets };
  const judge = createForeignJudge({ ...by, baseUrl: how.baseUrl });
  await readRecordings(io, files, (sources) => judgeRecordings(sources, judge), how.join);
  return reportForeign(judge, { ...by, includeBodies: how.includeBodies });
}
