import { checks } from '../../conformance/checks/index.ts';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { repeating } from '../../conformance/probes/repeat.ts';
import { placesOf } from '../../conformance/report/findings.ts';
import type { CheckReport, FailureReport, Report } from '../../conformance/report/report.ts';
import { itemOf } from '../../conformance/reporters/outline/check-item.ts';
import { blocksText, checkLines } from '../../conformance/reporters/text.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { flagsOf, readFlags, typedFlags } from '../flags.ts';
import { print, type Colors } from '../io.ts';
import { didYouMean } from '../../text/nearest.ts';
import { visible } from '../../text/visible.ts';
import { readReportFile } from '../check/checked-file.ts';
import { againFlags, prepareAgain, type Again } from '../check/again.ts';

type Verdict = keyof typeof verdicts;

export const flags = { ...againFlags, ...typedFlags(flagsOf('replay', {})) };
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io } = cli;
  const [file = '', wanted] = command.args;
  const report = readReportFile(file, io.cwd);
  const check = selected(report, wanted);
  const { baseUrl: typed, watch } = readFlags(flags, command, io);
  const before = await prepareAgain(cli, command, report, { typed, label: '--base-url' });
  const { signal = new AbortController().signal } = io;
  for (;;) {
    const result = replayed(report, check, before.baseUrl, await repeat(before, report, check));
    print(io, before.settings, result, (colors) => replayText(result, check, colors));
    const isOver = result.verdict === 'fixed' || result.verdict === 'gone' || signal.aborted;
    if (isOver || !watch) return verdicts[result.verdict].status;
    io.stderr.write('Waiting until the server restarts. Ctrl+C stops it.\n');
    await restarted(() => accepts(before.baseUrl), undefined, signal);
    if (signal.aborted) return verdicts[result.verdict].status;
  }
}

/** Waits until a server is down, and then until it is up again. */
export async function restarted(
  isUp: () => Promise<boolean>,
  rest: () => Promise<void> = () => delay(100, undefined, { signal }).catch(() => undefined),
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  for (const wanted of [false, true]) while (!signal.aborted && (await isUp()) !== wanted) await rest();
}

/** Whether something accepts connections at the host and port of a URL. */
function accepts(baseUrl: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const otherwise = protocol === 'https:' ? 443 : 80;
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || otherwise });
  return new Promise((resolve) => {
    socket.setTimeout(1000, () => socket.destroy(new Error('too late')));
    socket.once('connect', () => void socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

type Replayed = ReturnType<typeof replayed>;

/** The recorded failure of a check, and what became of it in the present run. */
function replayed(report: Report, check: Failed, baseUrl: string, { again, repetition }: Repeated) {
  const { seed, startedAt, target, tool } = report;
  const now = reportOf(again, check.id);
  return {
    check: check.id,
    ...verdictOn(check, now, { again, repetition }, tool.version),
    repeated: repetition,
    recorded: { baseUrl: target.baseUrl, startedAt, seed, failure: check.failure },
    baseUrl,
    seed: again?.seed ?? seed,
    now,
    created: again?.created ?? [],
  };
}

function reportOf(report: Report | undefined, check: string): CheckReport | undefined {
  return report?.checks.find(({ id }) => id === check);
}

type Repeated = Awaited<ReturnType<typeof repeat>>;

/** Runs a check again, and sends the requests again that show its failure; no report if this version has no such check. */
async function repeat({ known, run: runAgain, ids, secrets }: Again, recorded: Report, { id: check, failure }: Failed) {
  const { probe, repetition } = repeating(failure.exchanges, { recorded, ids, secrets });
  if (!known.includes(check)) return { again: undefined, repetition };
  const own = checks.find((one) => one.id === check)?.probes ?? [];
  const alone = await runAgain({ only: [check], probes: [...own, probe] });
  // A check also judges requests of other asks: only with them is it certain that nothing shows the failure any more.
  if (alone.outcome === 'unreachable' || reportOf(alone, check)?.status === 'fail' || known.length < 2)
    return { again: alone, repetition };
  const together = await runAgain({ only: known, observe: false });
  return { again: { ...together, created: [...alone.created, ...together.created] }, repetition };
}

/** The exit status of each verdict, and its colour. */
const verdicts = {
  fixed: { status: exitStatus.conformant, color: 'green' },
  'still-failing': { status: exitStatus.nonconformant, color: 'red' },
  'not-repeated': { status: exitStatus.partial, color: 'yellow' },
  gone: { status: exitStatus.partial, color: 'yellow' },
  unreachable: { status: exitStatus.broken, color: 'red' },
  broken: { status: exitStatus.broken, color: 'red' },
} as const;

const MOST_LISTED = 20;

type Failed = CheckReport & { readonly failure: FailureReport };

/** The check that failed. @throws UsageError that lists the failures */
function selected(report: Report, wanted: string | undefined): Failed {
  const failed = report.checks.filter((check): check is Failed => check.failure !== undefined);
  if (failed.length === 0) throw new UsageError('This report has no failures, so there is nothing to replay.');
  const listed = failed.slice(0, MOST_LISTED).map(({ id }, index) => `${index + 1} ${id}`);
  if (failed.length > MOST_LISTED) listed.push(`and ${failed.length - MOST_LISTED} more`);
  const list = `The failures are: ${listed.join(', ')}.`;
  if (wanted === undefined) throw new UsageError(`Name the failure to replay by its number or its id. ${list}`);
  const found = failed.find(({ id }, index) => id === wanted || String(index + 1) === wanted);
  if (found) return found;
  const other = reportOf(report, wanted);
  if (other)
    throw new UsageError(`${other.id} did not fail in this report: it is ${JSON.stringify(other.status)}. ${list}`);
  const hint = didYouMean(
    wanted,
    failed.map((check) => check.id),
  );
  throw new UsageError(`There is no failure ${visible(JSON.stringify(wanted))} in this report.${hint} ${list}`);
}

function verdictOn(
  before: CheckReport,
  now: CheckReport | undefined,
  { again, repetition }: Repeated,
  version: string,
): { readonly verdict: Verdict; readonly says: string } {
  if (again?.outcome === 'unreachable') return { verdict: 'unreachable', says: again.summary };
  if (!now) return { verdict: 'gone', says: `This version has no such check. Version ${version} wrote the report.` };
  const { status, supply, reason = '' } = now;
  if (status === 'error') return { verdict: 'broken', says: `The runner broke: ${reason.split('\n', 1)[0]}` };
  if (status === 'not-judged') {
    const remedy = supply === undefined ? '' : ` To judge it: ${supply}.`;
    return { verdict: 'not-repeated', says: `It could not be judged. ${reason}${remedy}` };
  }
  if (status === 'fail') {
    const places = placesOf(now);
    const isSame = [...placesOf(before)].some((place) => places.has(place));
    const says = isSame ? 'The check fails as before.' : 'The check fails, but in a different place.';
    return { verdict: 'still-failing', says };
  }
  const { answered, of, why = 'they were not sent' } = repetition;
  if (answered < of)
    return {
      verdict: 'not-repeated',
      says: `The check passes, but only ${answered} of the ${of} requests that showed the failure could be sent again: ${why}.`,
    };
  const sent = of === 1 ? 'the request' : `the ${of} requests`;
  return { verdict: 'fixed', says: `The check passes, and ${sent} that showed the failure went well.` };
}

function replayText(
  { verdict, says, recorded, baseUrl, now, created }: Replayed,
  check: CheckReport,
  colors: Colors,
): string {
  const failureLines = (failed: CheckReport, url: string): string[] =>
    checkLines(itemOf(failed, { target: { baseUrl: url } }, { isShort: true }), colors);
  const head = (word: string, url: string): string => `${colors.bold(word.padEnd(8))}  ${colors.cyan(visible(url))}`;
  const when = colors.dim(`${recorded.startedAt}, seed ${recorded.seed}`);
  const present = now?.status === 'fail' ? failureLines(now, baseUrl) : [`  ${visible(says)}`];
  if (created.length > 0) {
    const things = created.map(({ kind, id }) => visible(`${kind} ${id}`)).join(', ');
    present.push(`  ${colors.dim(`created on the target: ${things}`)}`);
  }
  const paint = colors[verdicts[verdict].color];
  return blocksText([
    [`${head('Recorded', recorded.baseUrl)}  ${when}`, ...failureLines(check, recorded.baseUrl)],
    [head('Now', baseUrl), ...present],
    [`${colors.bold(paint(verdict.toUpperCase().replace('-', ' ')))}: ${visible(says)}`],
  ]);
}
