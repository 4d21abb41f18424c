import { existsSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Secret } from '../conformance/report/redact.ts';
import { UsageError } from '../conformance/usage-error.ts';
import { visible } from '../text/visible.ts';
import type { Found } from './findings-log.ts';
import type { Judging, Wrong } from './inspect.ts';
import { BROKE, createPacker, MEMORY, type Passed } from './passed.ts';
import type { Share } from './share.ts';
import type { FromJudge, JudgeStatus, Last, ToJudge, WatchOptions } from './watch.ts';

/** Exchanges are sent together, after so many milliseconds, or when a block is full. Each time costs both threads. */
const PAUSE_MS = 50;

export type JudgeThread = Awaited<ReturnType<typeof startJudge>>;

/**
 * Starts a judge in a thread of its own. `secrets` receives what its messages must not show. If it dies, of a lack of memory
 * for example, `onNote` hears why, another takes its place, and what waited is lost. @throws UsageError for an unknown check
 */
export async function startJudge(
  options: WatchOptions,
  secrets: Secret[],
  share: Share,
  events: { onNote(text: string): void; onFound(found: Found): void },
) {
  const own = secrets.length;
  const verdicts = new Map<number, (found: readonly Wrong[]) => void>();
  const asked = new Map<number, (last: Last) => void>();
  const skipped = { sampled: 0, 'not-judged': 0 };
  const packer = createPacker(send);
  let timer: NodeJS.Timeout | undefined;
  let questions = 0;
  const waiting = { exchanges: 0, bytes: 0 };
  const status: JudgeStatus = { heapBytes: 0, judged: 0, leftOut: {}, findings: {} };
  let ended: Promise<Last> | undefined;
  let begun: ((refused: string | undefined) => void) | undefined;
  const refused = new Promise<string | undefined>((resolve) => (begun = resolve));
  let port = open();

  function open(): Port {
    const opened = start(options);
    opened.on('message', receive);
    opened.on('error', ({ code, message }) => {
      broke(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed more memory than --memory gives it' : message);
    });
    return opened;
  }

  function broke(why: string): void {
    events.onNote(BROKE + visible(why));
    for (const answer of verdicts.values()) answer([]);
    for (const answer of asked.values()) answer({ report: undefined, repeated: [] });
    verdicts.clear();
    asked.clear();
    Object.assign(waiting, { exchanges: 0, bytes: 0 });
    if (!ended) port = open();
  }

  function receive(message: FromJudge): void {
    if (message.secrets) secrets.splice(own, Infinity, ...message.secrets);
    if (message.kind === 'begun') begun?.(message.refused);
    else if (message.kind === 'found') events.onFound(message.found);
    else if (message.kind === 'note') events.onNote(message.text);
    else if (message.kind === 'report') {
      asked.get(message.question)?.(message);
      asked.delete(message.question);
    } else if (message.kind === 'verdict') {
      verdicts.get(message.n)?.(message.wrong);
      verdicts.delete(message.n);
    } else {
      const { read, ...now } = message;
      if (read) {
        waiting.exchanges -= read.exchanges;
        waiting.bytes -= read.size;
        packer.reuse(read.bytes);
      }
      Object.assign(status, now);
      share.waiting(waiting.bytes);
    }
  }

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (packer.size === 0 && skipped.sampled + skipped['not-judged'] === 0) return;
    const packed = packer.take();
    waiting.exchanges += packed.exchanges;
    waiting.bytes += packed.size;
    port.postMessage({ kind: 'passed', packed, skipped: { ...skipped } });
    Object.assign(skipped, { sampled: 0, 'not-judged': 0 });
    share.waiting(waiting.bytes);
  }

  function add(passed: Passed): void {
    packer.add(passed);
    if (passed.waits) send();
    else timer ??= setTimeout(send, PAUSE_MS);
  }

  function ask(kind: 'report' | 'end'): Promise<Last> {
    send();
    return new Promise((resolve) => {
      asked.set(++questions, resolve);
      port.postMessage({ kind, question: questions } satisfies ToJudge);
    });
  }

  const judging: Judging = {
    see: add,
    verdictOn: (passed) =>
      new Promise((resolve) => {
        verdicts.set(passed.n, resolve);
        add(passed);
      }),
    skip(why) {
      skipped[why]++;
      timer ??= setTimeout(send, PAUSE_MS);
    },
  };

  const why = await refused;
  if (why !== undefined) throw new UsageError(why);
  return {
    judging,
    waiting,
    status,
    report: () => ask('report'),
    /** Judges what waits, and resolves with the last report. */
    end: (): Promise<Last> => (ended ??= ask('end').finally(() => port.close())),
  };
}

interface Port {
  postMessage(message: ToJudge): void;
  on(event: 'message', listener: (message: FromJudge) => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  close(): void;
}

const COMPILED = path.join(__dirname, 'judge-worker.js');

function start(options: WatchOptions): Port {
  if (existsSync(COMPILED)) {
    const { memoryMb = MEMORY } = options;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: Math.ceil(memoryMb / 8) };
    const worker = new Worker(COMPILED, { workerData: options, resourceLimits });
    return Object.assign(worker, { close: () => void worker.terminate() });
  }
  // Jest runs the source, for which there is no worker.
  const { port1, port2 } = new MessageChannel();
  void import('./watch.ts').then(({ serveJudge }) => serveJudge(port2, options));
  return port1;
}
