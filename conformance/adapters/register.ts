import { endpoints } from '../../spec/index.ts';
import { checks as allChecks } from '../checks/index.ts';
import { createColors } from 'picocolors';
import { itemOf } from '../reporters/outline/check-item.ts';
import { detailLines } from '../reporters/text.ts';
import { visible } from '../../text/visible.ts';
import type { Report } from '../report/report.ts';
import { runConformance } from '../run.ts';
import type { RunOptions } from '../run-options.ts';
import { selectChecks } from '../select.ts';
import { UsageError } from '../usage-error.ts';

/** The functions with which a test runner registers tests, as Jest and Vitest have them. */
export interface TestFunctions {
  readonly describe: (name: string, body: () => void) => unknown;
  /** The context can skip the running test with a reason. It is absent if the runner cannot do that. */
  readonly test: (name: string, body: (context?: { skip?: (reason?: string) => unknown }) => Promise<void>) => unknown;
  readonly beforeAll: (body: () => Promise<void>, timeoutMs: number) => unknown;
}

/** The functions that the test runner put into the global scope. @throws UsageError with `remedy` if there are none. */
export function globalFunctions(remedy: string): TestFunctions {
  const scope = globalThis as unknown as TestFunctions;
  const missing = (['describe', 'test', 'beforeAll'] as const).filter((name) => typeof scope[name] !== 'function');
  if (missing.length > 0) throw new UsageError(`There is no global ${missing.join(', ')}. ${remedy}`);
  return scope;
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
export function registerChecks({ describe, test, beforeAll }: TestFunctions, options: DescribeOptions): void {
  const { name = 'agent-contract', allowNotJudged = false, onReport, prepare, ...run } = options;
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
    beforeAll(async () => void (await report()), (run.maxTimeMs ?? 300_000) + GRACE);
    for (const endpoint of new Set(selected.map((check) => check.endpoint)))
      describe(`${endpoints[endpoint].section} ${endpoints[endpoint].title}`, () => {
        for (const check of selected.filter((one) => one.endpoint === endpoint))
          // The context has a default, since Jest takes a function with one parameter for one with a callback.
          test(`${check.title} [${check.id}]`, async (context = {}) => {
            const notJudged = settle(check.id, await report());
            if (notJudged === undefined) return;
            if (!allowNotJudged)
              throw new CheckFailed(`Not judged. ${notJudged} (With allowNotJudged: true it passes.)`);
            if (context.skip) context.skip(notJudged);
            else console.warn(`${check.id} was not judged. ${notJudged}`);
          });
      });
    test('something was judged', async () => {
      const { counts, summary } = await report();
      if (counts.pass + counts.fail === 0) throw new CheckFailed(`Nothing was judged. ${visible(summary)}`);
    });
  });
}

const IN_PROCESS = 'http://in-process.test';
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

/** Ends a test with the result of its check. Returns the reason if it was not judged. @throws CheckFailed */
function settle(id: string, report: Report): string | undefined {
  const check = report.checks.find((one) => one.id === id);
  if (!check) throw new CheckFailed(`${id} is not in the report.`);
  const { status, title, reason = 'For an unknown reason.', supply } = check;
  if (status === 'pass') return undefined;
  if (status === 'fail') {
    const details = detailLines(itemOf(check, report, { isShort: true }), createColors(false));
    throw new CheckFailed([`${title}: this is not so.`, ...details.map((line) => `  ${line}`)].join('\n'));
  }
  if (status === 'error') throw new CheckFailed(`The runner itself broke: ${visible(reason)}`);
  if (supply === undefined || reason.includes(supply)) return visible(reason);
  return visible(`${reason} To judge it: ${supply}.`);
}
