import { readHost } from '../../mock/access/gate.ts';
import { visible } from '../../text/visible.ts';
import { preparePublication, publish, reportFlags } from '../check/publish.ts';
import { readBaseUrl, selectionFlags, targetFlags } from '../check/target.ts';
import type { Cli, Command } from '../command.ts';
import { listenError } from '../errors.ts';
import { checkWritable } from '../files/files.ts';
import { DECIMAL, flagsOf, readFlags, readNumber, readOneOf, readPath, secretsOf } from '../flags.ts';
import type { ValuesOf } from '../flags.ts';
import { exitStatus } from '../exit-status.ts';
import { interrupted, nextUncaught } from '../interruption.ts';
import { colorsOf } from '../io.ts';
import type { Report } from '../../conformance/report/report.ts';
import { reporters } from '../../conformance/reporters/index.ts';
import type { Routes } from '../../http/operate/server.ts';
import type { Found } from '../../proxy/findings-log.ts';
import { createInspector, type InspectorOptions } from '../../proxy/inspect.ts';
import { startJudge, type JudgeThread } from '../../proxy/judge-thread.ts';
import { createShare } from '../../proxy/share.ts';
import { startProxy, type ProxyOptions } from '../../proxy/start.ts';
import { createTeller } from '../../proxy/tell.ts';
import type { WatchOptions } from '../../proxy/watch.ts';
import { flags as checkFlags } from './check.ts';
import { isOperated, operateFlags, startOperation, type RunningOperation } from '../operate.ts';

const { only, skip, strict } = selectionFlags;

const mebibytes = (least: number, most: number, example: number) =>
  readNumber('a whole number of MiB', least, most, example);

export const flags = {
  ...flagsOf('proxy', {
    port: readNumber('a whole number', 0, 65_535, 4020),
    host: readHost,
    timeout: targetFlags.timeout.read,
    unjudged: readOneOf(['pass', 'refuse']),
    sample: readNumber('a percentage', 0.01, 100, 10, DECIMAL),
    memory: mebibytes(64, 16_384, 192),
    ca: targetFlags.ca.read,
    record: readPath,
    redact: checkFlags.redact.read,
    recordSize: mebibytes(1, 1_000_000, 256),
    recordKeep: readNumber('a whole number', 0, 1_000, 4),
  }),
  ...operateFlags,
  only,
  skip,
  strict,
  ...reportFlags,
  ...flagsOf('findings', {}),
};
export const endsItself = true;

type Settings = ValuesOf<typeof flags>;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io, secrets } = cli;
  const settings = readFlags(flags, command, io);
  secrets.push(...secretsOf(flags, settings));
  const upstream = new URL(readBaseUrl(command.args[0] ?? '', 'upstream', io.stderr));
  const publication = preparePublication({ ...settings, json: false });
  const targets = publication.targets.filter(({ file }) => !settings.json || file !== '-');
  const share = createShare((settings.sample ?? 100) / 100);
  const outlet = createOutlet(cli, settings);
  const judge = await startJudge(judgedBy(upstream, settings, cli), secrets, share, outlet);
  /** What is undone at the end, or if something cannot start. The latest is the first. */
  const ends: (() => Promise<unknown>)[] = [judge.end];
  try {
    const operated = isOperated(cli, settings)
      ? (await import('../../proxy/metrics.ts')).createProxyMetrics(judge, share)
      : undefined;
    const operation = operated && (await startOperation(cli, settings, operated.register, reportRoutes(judge)));
    if (operation) ends.push(operation.end);
    outlet.operation = operation;
    const inspector = createInspector({
      judging: judge.judging,
      wrong: wrongAnswers(settings),
      refusesUnjudged: settings.unjudged === 'refuse',
      isRecording: settings.record !== undefined,
      share,
    });
    const server = await listen(settings, (where) =>
      startProxy({ upstream, ...where, inspector, counts: operated?.counts }),
    );
    const banner = settings.json ? io.stderr : io.stdout;
    banner.write(`proxy on ${server.url}, to ${visible(upstream.href)}\n`);

    // A proxy normally ends by being stopped.
    const write = async (report: Report | undefined): Promise<number> => {
      if (report === undefined) return exitStatus.broken;
      return publish(report, { ...cli, io: { ...io, signal: undefined } }, { ...publication, targets });
    };
    const ignoreSignals = listenToSignals(cli, judge, write);
    const uncaught = nextUncaught();
    const broken = await Promise.race([interrupted(io.signal), uncaught.error]);
    if (broken !== undefined)
      io.stderr.write(
        `error: The proxy broke. A report of what passed follows. Please report this: ${visible(broken)}\n`,
      );
    ignoreSignals();
    operation?.server?.drain();
    // A second signal ends the program at once.
    await server.close(10_000);
    const { report, repeated } = await judge.end();
    await outlet.teller?.end();
    for (const text of repeated) io.stderr.write(`${text}\n`);
    const { unjudged } = inspector.counts;
    const became = settings.unjudged === 'refuse' ? 'refused' : 'passed before they were judged';
    if (unjudged > 0) io.stderr.write(`${unjudged} answers took over 10 s or 8 MiB, and were ${became}.\n`);
    const status = await write(report);
    uncaught.ignore();
    if (broken !== undefined) return exitStatus.broken;
    return status;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

function judgedBy(upstream: URL, settings: Settings, { secrets }: Cli): WatchOptions {
  const { sample = 100, memory: memoryMb, includeBodies } = settings;
  const { record: file, recordSize = 256, recordKeep: keep = 4, redact } = settings;
  const how = { mostBytes: recordSize * 1024 ** 2, keep, hidesPersonal: redact !== undefined };
  if (file !== undefined) checkWritable(file, `--record ${visible(file)}`);
  return {
    upstream: upstream.href,
    strict: settings.strict,
    only: settings.only,
    skip: settings.skip,
    includeBodies,
    sample: sample / 100,
    memoryMb,
    delaysAnswers: wrongAnswers(settings) !== 'passes',
    journal: file === undefined ? undefined : { file, ...how },
    secrets: [...secrets],
  };
}

function wrongAnswers({ errors, mark }: Settings): InspectorOptions['wrong'] {
  if (errors) return 'is-refused';
  if (mark) return 'is-marked';
  return 'passes';
}

/** @throws UsageError if nothing can listen there */
async function listen<T>(settings: Settings, start: (where: Omit<ProxyOptions, 'upstream'>) => Promise<T>): Promise<T> {
  const { port = 4020, host = '127.0.0.1', timeout: timeoutMs = 60_000, ca, insecure } = settings;
  return start({ port, host, timeoutMs, ca, insecure }).catch((error: unknown) => {
    throw listenError(error, { port, host });
  });
}

function createOutlet({ io }: Cli, { json, onFinding }: Settings) {
  const { stdout, stderr } = io;
  const colors = colorsOf({ stdout: stderr, env: io.env });
  const untold = (why: string): void =>
    void stderr.write(`warning: --on-finding: a finding was not told (${visible(why)}).\n`);
  const teller = onFinding === undefined ? undefined : createTeller(onFinding, io.cwd, untold);
  return {
    teller,
    /** Once it is there, findings go to its collector too. */
    operation: undefined as RunningOperation | undefined,
    onFound(found: Found): void {
      if (json) stdout.write(`${JSON.stringify(found)}\n`);
      else stderr.write(`${colors.red('✗')} ${found.says}\n`);
      teller?.tell(found);
      const { says, traceparent, check, requirement, method, path: asked, status, at } = found;
      const attributes = { check, requirement, method, path: asked, status, at };
      this.operation?.otlp?.tell({ text: says, traceparent, attributes });
    },
    onNote: (text: string) => void stderr.write(`${text}\n`),
  };
}

function reportRoutes(judge: JudgeThread): Routes {
  const shown = (format: 'json' | 'html', type: string) => async () => {
    const { report } = await judge.report();
    if (report === undefined) throw new Error('the judge broke');
    return { type, body: reporters[format].reporter(report, { color: false }) };
  };
  return { '/': shown('html', 'text/html; charset=utf-8'), '/report': shown('json', 'application/json') };
}

/** SIGUSR1 prints the report so far, and SIGHUP writes it, until the returned function is called. */
function listenToSignals({ io }: Cli, judge: JudgeThread, write: (report: Report | undefined) => Promise<number>) {
  const tried = (work: (report: Report | undefined) => unknown) => (): void =>
    void judge
      .report()
      .then(({ report }) => work(report))
      .catch((error: unknown) => io.stderr.write(`error: No report was written: ${visible(String(error))}\n`));
  const summarize = tried((report) => {
    if (report) io.stderr.write(reporters.text.reporter(report, { color: false }));
  });
  const writeNow = tried(write);
  process.on('SIGUSR1', summarize);
  process.on('SIGHUP', writeNow);
  return (): void => {
    process.off('SIGUSR1', summarize);
    process.off('SIGHUP', writeNow);
  };
}
