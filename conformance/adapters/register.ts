import { createColors } from 'picocolors';
import { endpoints } from '../../spec/index.ts';
import { checks as allChecks } from '../checks/index.ts';
import { visible } from '../report/redact.ts';
import { itemOf } from '../reporters/outline/check-item.ts';
import { checkLines } from '../reporters/text.ts';
import type { CheckReport, Report } from '../report/report.ts';
import { runConformance } from '../run.ts';
import type { RunOptions } from '../run-options.ts';
import { selectChecks } from '../select.ts';
import { UsageError } from '../usage-error.ts';

/** The functions with which a test runner registers tests. Its own functions fit, or need one line of adaptation. */
export interface Framework {
  readonly describe: (name: string, body: () => void) => unknown;
  /** `skip` ends the test as skipped, with a reason; absent if the runner cannot skip a running test. */
  readonly test: (name: string, body: (skip?: (reason: string) => void) => Promise<void>) => unknown;
  readonly beforeAll: (body: () => Promise<void>, timeoutMs: number) => unknown;
  /** Shows a reason if the runner cannot skip. Default: a warning on the console. */
  readonly warn?: (message: string) => void;
}

/** What to judge, and how: the options of `runConformance`, and what happens to checks that are not judged. */
export interface DescribeOptions extends Omit<RunOptions, 'baseUrl'> {
  /** The URL before the documented paths. Not needed with your own `transport`. */
  readonly baseUrl?: string | undefined;
  /**
   * Called once, before the run. What it returns overrides these options. It is for a server that the test file starts
   * itself, so that its address is unknown when tests are registered. It cannot change which checks are selected.
   */
  readonly prepare?: (() => Partial<RunOptions> | Promise<Partial<RunOptions>>) | undefined;
  /** The name of the group of tests. Default: `agent-contract`. */
  readonly name?: string | undefined;
  /**
   * Skips a check that could not be judged (Jest cannot skip a running test, so there the check passes with a warning).
   * Otherwise the check fails, and says what to supply: green must mean that something was judged.
   */
  readonly allowNotJudged?: boolean | undefined;
  /** Called with the finished report, for example to write it to a file. */
  readonly onReport?: ((report: Report) => void | Promise<void>) | undefined;
}

/**
 * Registers each check as a test named after its title and id, and one last test that fails if nothing was judged. All
 * tests share one run, which begins before the first of them.
 * @throws UsageError, at once, if `only` or `skip` match nothing.
 */
export function registerChecks(framework: Framework, options: DescribeOptions): void {
  const { name = 'agent-contract', allowNotJudged = false, onReport, prepare, ...run } = options;
  const { describe, test, beforeAll } = framework;
  const warn = framework.warn ?? ((message: string) => console.warn(message));
  const selected = selectChecks(allChecks, run);
  if (run.baseUrl === undefined && !run.transport && !prepare)
    throw new UsageError('It needs a baseUrl, a transport, or a prepare() that returns one of them.');

  let running: Promise<Report> | undefined;
  const report = (): Promise<Report> => {
    running ??= (async () => {
      const { baseUrl = IN_PROCESS, only, skip } = run;
      const finished = await runConformance({ ...run, baseUrl, ...(await prepare?.()), only, skip });
      await onReport?.(finished);
      return finished;
    })();
    return running;
  };

  describe(name, () => {
    beforeAll(
      async () => {
        await report();
      },
      (run.maxTimeMs ?? DEFAULT_MAX_TIME) + GRACE,
    );
    for (const endpoint of new Set(selected.map((check) => check.endpoint)))
      describe(`${endpoints[endpoint].section} ${endpoints[endpoint].title}`, () => {
        for (const check of selected.filter((one) => one.endpoint === endpoint))
          test(`${check.title} [${check.id}]`, async (skip) => {
            const finished = await report();
            const found = finished.checks.find(({ id }) => id === check.id);
            if (!found) throw new CheckFailed(`${check.id} is not in the report.`);
            settle(found, finished, allowNotJudged ? (skip ?? warnings(warn, check.id)) : undefined);
          });
      });
    test('something was judged', async () => {
      const { counts, summary } = await report();
      if (counts.pass + counts.fail === 0) throw new CheckFailed(`Nothing was judged. ${visible(summary)}`);
    });
  });
}

const IN_PROCESS = 'http://in-process.test';
/** As the runner's own. */
const DEFAULT_MAX_TIME = 300_000;
/** The time between the end of the run and the end of the hook. */
const GRACE = 30_000;

/** Shows what a check found, without a stack trace into our own code. */
export class CheckFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CheckFailed';
    this.stack = `${this.name}: ${message}`;
  }
}

const warnings =
  (warn: (message: string) => void, id: string) =>
  (reason: string): void =>
    warn(`${id} was not judged. ${reason}`);

/** Ends a test with the result of its check. @throws CheckFailed */
function settle(check: CheckReport, report: Report, skip: ((reason: string) => void) | undefined): void {
  switch (check.status) {
    case 'pass':
      return;
    case 'fail':
      throw new CheckFailed(failureText(check, report));
    case 'error':
      throw new CheckFailed(`The runner itself broke: ${visible(check.reason ?? 'for an unknown reason')}`);
    case 'not-judged': {
      const reason = visible(reasonOf(check));
      if (!skip) throw new CheckFailed(`Not judged. ${reason} (With allowNotJudged: true it passes.)`);
      skip(reason);
    }
  }
}

function reasonOf({ reason = 'For an unknown reason.', supply }: CheckReport): string {
  if (supply === undefined || reason.includes(supply)) return reason;
  return `${reason} To judge it: ${supply}.`;
}

function failureText(check: CheckReport, report: Report): string {
  const [, ...lines] = checkLines(itemOf(check, report, { isShort: true }), createColors(false));
  return [`${check.title}: this is not so.`, ...lines].join('\n');
}
