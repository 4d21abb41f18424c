import { getHeapStatistics } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import { checks } from '../conformance/checks/index.ts';
import { createForeignJudge, FULL } from '../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../conformance/foreign/report-foreign.ts';
import { visible, type Secret } from '../conformance/report/redact.ts';
import type { Report } from '../conformance/report/report.ts';
import { selectChecks } from '../conformance/select.ts';
import { UsageError } from '../conformance/usage-error.ts';
import type { Wrong } from './inspect.ts';
import { createClean } from './clean.ts';
import { createFindingsLog, type Found } from './findings-log.ts';
import { openJournal, type JournalOptions } from './journal.ts';
import { BROKE, exchangeOf, MEMORY, unpackAll, type PackedExchanges, type Passed } from './passed.ts';

export interface WatchOptions {
  readonly upstream: string;
  readonly strict?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** What no output may show, besides the credentials that the judge sees. */
  readonly secrets: readonly Secret[];
  readonly journal?: JournalOptions | undefined;
  readonly sample?: number;
  /** The heap of the judge. */
  readonly memoryMb?: number;
  readonly delaysAnswers?: boolean;
  readonly includeBodies?: boolean | undefined;
}

type Skipped = Readonly<Record<'sampled' | 'not-judged', number>>;

/** What the thread that forwards tells the one that judges. */
export type ToJudge =
  | { readonly kind: 'passed'; readonly packed: PackedExchanges; readonly skipped: Skipped }
  | { readonly kind: 'report' | 'end'; readonly question: number };

/** What the thread that judges tells, with the secrets if there are new ones. */
export type FromJudge = { readonly secrets?: readonly Secret[] | undefined } & (
  | { readonly kind: 'begun'; readonly refused: string | undefined }
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'verdict'; readonly n: number; readonly wrong: readonly Wrong[] }
  | ({ readonly kind: 'report'; readonly question: number } & Last)
  | ({ readonly kind: 'judged'; readonly read?: PackedExchanges | undefined } & JudgeStatus)
);

/** The report on all traffic so far, if the judge is not broken, and what occurred more than once. */
export interface Last {
  readonly report: Report | undefined;
  readonly repeated: readonly string[];
}

export interface JudgeStatus {
  readonly heapBytes: number;
  readonly judged: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly findings: Readonly<Record<string, number>>;
}

/** The judge of passing traffic, its findings and its journal. @throws UsageError for an unknown check */
export function createWatch(
  options: WatchOptions,
  { onFound, onNote }: { onFound?: (found: Found) => void; onNote?: (text: string) => void } = {},
) {
  const { upstream, strict = false, sample, memoryMb = MEMORY, includeBodies } = options;
  const secrets: Secret[] = [...options.secrets];
  const by = { checks: selectChecks(checks, options), strict, secrets };
  // The rest is for what is read right now, and for what the collector of garbage has not met yet.
  const full = { ...FULL, bytes: (memoryMb * 1024 ** 2) / 2.4 };
  const judge = createForeignJudge({ ...by, baseUrl: upstream.replace(/\/+$/, ''), full });
  const clean = createClean(secrets, includeBodies);
  const log = createFindingsLog(judge, clean, onFound);
  const journal = options.journal && openJournal(options.journal, secrets, onNote);

  return {
    secrets,
    judge,
    log,
    journal,
    /** @returns what is wrong with its answer alone */
    see(passed: Passed): readonly Wrong[] {
      const exchange = exchangeOf(passed);
      try {
        if (passed.begins) judge.begin();
        if (!passed.isJudged) return (judge.know(exchange), []);
        const found = judge.see(exchange, passed);
        if (typeof found === 'string') return [];
        log.add(found, exchange);
        return found.map(({ at, ...of }) => {
          return { at, expected: clean.sentence(of.expected), actual: clean.sentence(of.actual) };
        });
      } finally {
        // The judge comes first, since it finds the credentials.
        if (passed.isWhole) journal?.add(exchange, passed);
      }
    },
    report: (): Report => reportForeign(judge, { ...by, sample, includeBodies }),
    end(): void {
      log.conclude();
      journal?.end();
    },
  };
}

/** Judges what comes through a port, until it is told to end. */
export function serveJudge(port: MessagePort, options: WatchOptions): void {
  const note = (text: string): void => send({ kind: 'note', text });
  const onFound = (found: Found): void => {
    send({ kind: 'found', found });
    sendStatus();
  };
  let watch: ReturnType<typeof createWatch>;
  try {
    watch = createWatch(options, { onFound, onNote: note });
    port.postMessage({ kind: 'begun', refused: undefined } satisfies FromJudge);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    port.postMessage({ kind: 'begun', refused: error.message } satisfies FromJudge);
    return port.close();
  }
  let told = options.secrets.length;
  const send = (message: FromJudge): void => {
    const { secrets } = watch;
    const isNew = secrets.length !== told;
    told = secrets.length;
    port.postMessage(isNew ? { ...message, secrets: secrets.slice(options.secrets.length) } : message);
  };
  let isBroken = false;
  const safely = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!isBroken) note(BROKE + visible(String(error)));
      isBroken = true;
      return otherwise;
    }
  };
  // Nothing is judged before what was there before.
  const ready = watch.journal?.continueFrom(watch.judge).then(
    (text) => text !== undefined && note(text),
    (error: unknown) => note(visible(String(error))),
  );

  const sendStatus = (read?: PackedExchanges): void => {
    const { leftOut, seen } = watch.judge;
    const { used_heap_size: heapBytes } = getHeapStatistics();
    const counted = leftOut.all().map(({ reason, count }) => [reason, count] as const);
    const about = { judged: seen.count, leftOut: Object.fromEntries(counted), findings: watch.log.counts };
    send({ kind: 'judged', read, heapBytes, ...about });
  };

  const take = (message: ToJudge): void => {
    if (message.kind !== 'passed') {
      if (message.kind === 'end') safely(() => watch.end(), undefined);
      const report = safely(watch.report, undefined);
      send({ kind: 'report', question: message.question, report, repeated: watch.log.repeated() });
      if (message.kind === 'end') port.close();
      return;
    }
    for (const why of ['sampled', 'not-judged'] as const) watch.judge.leftOut.note(why, '', message.skipped[why]);
    for (const passed of unpackAll(message.packed)) {
      const wrong = safely(() => watch.see(passed), []);
      if (passed.waits) send({ kind: 'verdict', n: passed.n, wrong });
    }
    sendStatus(message.packed);
  };
  port.on('message', (message: ToJudge) => void Promise.resolve(ready).then(() => take(message)));
}
