import { appendFileSync, closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Ticks } from '../conformance/foreign/exchange-of.ts';
import type { ForeignExchange } from '../conformance/foreign/foreign-exchange.ts';
import type { ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import { feedRecordings } from '../conformance/recording/judge-recording.ts';
import { createPersonal } from '../conformance/recording/personal.ts';
import { createHarWriter, type HarWriter } from '../conformance/recording/write-har.ts';
import { visible, type Secret } from '../conformance/report/redact.ts';

export interface JournalOptions {
  /** Compressed if its name ends in `.gz`. */
  readonly file: string;
  /** A file of so many bytes is put aside, and another begins. */
  readonly mostBytes: number;
  /** How many files that were put aside are kept. */
  readonly keep: number;
  readonly hidesPersonal?: boolean | undefined;
}

/** Characters to collect before each write, and milliseconds. */
const PIECE = 256 * 1024;
const PAUSE_MS = 400;
const END = '\n]}}\n';

/**
 * Opens a recording on disk, to which is only added: each exchange is in it within half a second. What is there already is put
 * aside, as `traffic.1.har`; the older one becomes `traffic.2.har`.
 * @param secrets more may be added while writing
 * @param onFailure is told once when something cannot be written, and is lost
 */
export function openJournal(
  { file, mostBytes, keep, hidesPersonal = false }: JournalOptions,
  secrets: readonly Secret[],
  onFailure?: (why: string) => void,
) {
  const isPacked = file.endsWith('.gz');
  /** Tells the times of counting apart. */
  const since = Date.now();
  const personal = hidesPersonal ? createPersonal() : undefined;
  let text = '';
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let writer: HarWriter | undefined;

  const aside = (n: number): string => {
    if (n === 0) return file;
    const { dir, base } = path.parse(file);
    const [name = '', ...extensions] = base.split(/(?=\.(?:har(?:\.gz)?|gz)$)/);
    return path.join(dir, [name, `.${n}`, ...extensions].join(''));
  };

  function putAside(): void {
    size = 0;
    if (sizeOf(file) === 0) return;
    for (let n = keep; n > 0; n--) if (existsSync(aside(n - 1))) renameSync(aside(n - 1), aside(n));
  }

  /** Each piece is a member of its own, so that what was written can be read whatever follows. */
  const bytesOf = (piece: string): Uint8Array => (isPacked ? gzipSync(piece, { level: 3 }) : Buffer.from(piece));

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text === '') return;
    const bytes = bytesOf(text);
    text = '';
    try {
      appendFileSync(file, bytes);
      size += bytes.byteLength;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure?.(`error: --record: what passes is not recorded: ${visible(String(error))}`);
      hasFailed = true;
    }
  }

  const end = (): void => {
    flush();
    writer?.end();
    flush();
    writer = undefined;
  };

  const last = Buffer.from(bytesOf(END));
  const wasKilled = sizeOf(file) > 0 && !lastBytes(file, last.length).equals(last);
  putAside();

  return {
    add(exchange: ForeignExchange, { n, begun }: Ticks): void {
      if (!writer) {
        // Requests and answers are private.
        if (!hasFailed) writeFileSync(file, '', { mode: 0o600 });
        writer = createHarWriter((piece) => (text += piece), secrets, { personal });
      }
      writer.add({ ...exchange, own: { n, begun, since, hasAllHeaders: exchange.hasAllHeaders } });
      if (text.length > PIECE) flush();
      timer ??= setTimeout(flush, PAUSE_MS).unref();
      if (size < mostBytes) return;
      end();
      putAside();
    },
    end,
    /** Judges what a killed program has recorded. @returns what the user should know @throws RecordingError if it is none */
    async continueFrom(judge: ForeignJudge): Promise<string | undefined> {
      if (!wasKilled || keep === 0) return undefined;
      await feedRecordings([{ chunks: createReadStream(aside(1)) }], judge);
      return `${visible(aside(1))} was left by a proxy that was killed. The report covers its ${judge.seen.count} exchanges too.`;
    },
  };
}

/** 0 for what is not there, or is no file. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function lastBytes(file: string, count: number): Buffer {
  const source = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(count);
    return bytes.subarray(0, readSync(source, bytes, 0, count, Math.max(0, sizeOf(file) - count)));
  } finally {
    closeSync(source);
  }
}
