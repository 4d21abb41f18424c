import type { Command } from 'commander';
import { preparePublication, publish, reportFlags, writeBaselineOption } from '../check/publish.ts';
import { selectionFlags } from '../check/target.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import {
  readRecordings,
  readRecordingsBaseUrl,
  recordingsArgument,
  recordingsBaseUrlOption,
} from '../files/recordings.ts';
import { addFlags, readFlags } from '../flags.ts';

const { only, skip, strictNull } = selectionFlags;

const judgeFlags = { only, skip, strictNull, ...reportFlags } as const;

const FOOTER = `
A recording is a HAR file, from the developer tools of a browser, Playwright (recordHar), a proxy, check --record or
proxy --record; a trace of Playwright; a file of flows of mitmproxy; a tap of Envoy; or a JSON log of nginx or Kong with bodies.
It may be packed (gzip, zip), and need not have an end: it counts as far as it goes. Files are judged apart, and never compared
with each other, unless you --join them. If your tests start with fresh data under the same identifiers, record each test in its
own file, as Playwright does for each context.

What the traffic does not show is not judged. The report says what was left out, and why.

Exit status: 0 conformant; 1 nonconformant; 2 a flag or a file is wrong; 3 partial, something could not be judged; 4 the
judge broke. With --baseline: 0 nothing is new, 1 something is new, 2 and 4 as above.`;

export const addJudge: AddCommand = (program, cli) => {
  const command = program
    .command('judge')
    .description('judge recorded traffic that others made')
    .argument(...recordingsArgument)
    .addHelpText('after', FOOTER)
    .option(...recordingsBaseUrlOption)
    .option(
      '--join',
      'judge the files as one: recordings of one server from the same time, such as those of several proxies',
    )
    .option(...writeBaselineOption);
  addFlags(command, judgeFlags);
  command.action(cli.action((files: readonly string[]) => judge(cli, command, files)));
};

async function judge(cli: Cli, command: Command, files: readonly string[]): Promise<number> {
  const { io, secrets } = cli;
  const settings = readFlags(judgeFlags, command, io, undefined);
  const baseUrl = readRecordingsBaseUrl(io, command);
  const publication = await preparePublication(cli, settings, command);
  const [{ createForeignJudge }, { reportForeign }, { judgeRecordings }, { checks }, { selectChecks }] =
    await Promise.all([
      import('../../conformance/foreign/judge-foreign.ts'),
      import('../../conformance/foreign/report-foreign.ts'),
      import('../../conformance/recording/judge-recording.ts'),
      import('../../conformance/checks/index.ts'),
      import('../../conformance/select.ts'),
    ]);
  const selected = selectChecks(checks, { only: settings.only, skip: settings.skip });
  const by = { checks: selected, strictNull: settings.strictNull, secrets };
  const foreign = createForeignJudge({ ...by, baseUrl });
  const isJoined = command.getOptionValue('join') === true;
  await readRecordings(io, files, (sources) => judgeRecordings(sources, foreign), isJoined);
  return publish(reportForeign(foreign, { ...by, includeBodies: settings.includeBodies }), cli, publication);
}
