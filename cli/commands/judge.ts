import type { Command } from 'commander';
import { preparePublication, publish, reportFlags, writeBaselineOption } from '../check/publish.ts';
import { selectionFlags } from '../check/target.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { harBaseUrlOption, harFilesArgument, readHarBaseUrl, readHarFiles } from '../files/har-files.ts';
import { addFlags, readFlags } from '../flags.ts';

const { only, skip, strictNull } = selectionFlags;

const judgeFlags = { only, skip, strictNull, ...reportFlags } as const;

const FOOTER = `
Each file is a HAR file: from the developer tools of a browser, Playwright (recordHar), a proxy, check --record or
proxy --record. Files are judged apart, and never compared with each other. If your tests start with fresh data under the
same identifiers, record each test in its own file, as Playwright does for each context.

What the traffic does not show is not judged. The report says what was left out, and why.

Exit status: 0 conformant; 1 nonconformant; 2 a flag or a file is wrong; 3 partial, something could not be judged; 4 the
judge broke. With --baseline: 0 nothing is new, 1 something is new, 2 and 4 as above.`;

export const addJudge: AddCommand = (program, cli) => {
  const command = program
    .command('judge')
    .description('judge recorded traffic that others made')
    .argument(...harFilesArgument)
    .addHelpText('after', FOOTER)
    .option(...harBaseUrlOption)
    .option(...writeBaselineOption);
  addFlags(command, judgeFlags);
  command.action(cli.action((files: readonly string[]) => judge(cli, command, files)));
};

async function judge(cli: Cli, command: Command, files: readonly string[]): Promise<number> {
  const { io, secrets } = cli;
  const settings = readFlags(judgeFlags, command, io, undefined);
  const baseUrl = readHarBaseUrl(io, command);
  const publication = await preparePublication(cli, settings, command);
  const [{ createForeignJudge }, { reportForeign }, { judgeHar }, { checks }, { selectChecks }] = await Promise.all([
    import('../../conformance/foreign/judge-foreign.ts'),
    import('../../conformance/foreign/report-foreign.ts'),
    import('../../conformance/recording/judge-har.ts'),
    import('../../conformance/checks/index.ts'),
    import('../../conformance/select.ts'),
  ]);
  const selected = selectChecks(checks, { only: settings.only, skip: settings.skip });
  const by = { checks: selected, strictNull: settings.strictNull, secrets };
  const foreign = createForeignJudge({ ...by, baseUrl });
  await readHarFiles(io, files, (chunks) => judgeHar(chunks, foreign));
  return publish(reportForeign(foreign, by), cli, publication);
}
