import { appendFileSync, closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { readSync, renameSync, statSync, truncateSync } from 'node:fs';
import type { Ticks } from '../../conformance/foreign/exchange-of.ts';
import type { ForeignExchange } from '../../conformance/foreign/foreign-exchange.ts';
import type { Exchange } from '../../conformance/http/exchange.ts';
import { createHarWriter, ownOf, type RecordedRun } from '../../conformance/recording/write-har.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import { visible } from '../../conformance/report/redact.ts';
import { parseJson } from '../../text/json.ts';
import { checkWritable, writeFile } from '../files/files.ts';

export type Recorder = ReturnType<typeof createRecorder>;

/** Characters to collect before each write, and milliseconds. */
const PIECE = 256 * 1024;
const PAUSE_MS = 500;

/**
 * Writes a recording while exchanges arrive; the file gets its final name when it is complete. With `isLive` it has that name
 * from its begin, each exchange is in it within half a second, and what a killed program has left is continued.
 * @param secrets more may be added while writing. @throws UsageError if the file cannot be written.
 */
export function createRecorder(
  file: string,
  secrets: readonly Secret[],
  { run, isLive = false }: { readonly run?: RecordedRun; readonly isLive?: boolean } = {},
) {
  const label = `--record ${visible(file)}`;
  checkWritable(file, label);
  const target = isLive ? file : `${file}.${process.pid}.tmp`;
  const continues = isLive && cutToContinue(file);
  // Requests and answers are private.
  if (!continues) writeFile(label, target, '', { mode: 0o600 });
  /** Tells the parts of a recording apart. */
  const since = Date.now();
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    appendFileSync(target, text);
    text = '';
  };
  const write = (piece: string): void => {
    text += piece;
    if (text.length > PIECE) flush();
    else if (isLive) timer ??= setTimeout(flush, PAUSE_MS).unref();
  };
  const writer = createHarWriter(write, secrets, { run, continues });
  return {
    /** An exchange that passed a proxy, with its place among the others. */
    add: (exchange: ForeignExchange, place: Ticks): void =>
      writer.add({ ...exchange, own: { ...place, since, hasAllHeaders: exchange.hasAllHeaders } }),
    /** An exchange of our own run, with the body of its answer. */
    addExchange: (exchange: Exchange, body?: Uint8Array): void => {
      const { excerpt, sentAt, answer } = exchange;
      writer.add({
        request: excerpt.request,
        answer: answer && { status: answer.status, headers: answer.headers, body },
        sentAt,
        answeredAt: sentAt + excerpt.durationMs,
        own: ownOf(exchange),
      });
    },
    end(): void {
      writer.end();
      flush();
      if (!isLive) renameSync(target, file);
    },
  };
}

const HEAD = Buffer.from('{"log":{"version":"1.2","creator":{"name":"agent-contract"');
const END = Buffer.from('\n]}}\n');
/** No entry is longer, so that the last whole one ends among so many bytes. */
const TAIL = 64 * 1024 * 1024;

/** Cuts one of our recordings that has no end after its last whole entry. @returns false for any other file */
function cutToContinue(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const [head, tail] = [readBytes(file, 0, HEAD.length), readBytes(file, Math.max(0, size - TAIL), TAIL)];
  if (!head.equals(HEAD) || tail.subarray(-END.length).equals(END)) return false;
  // Each entry has a line of its own; a comma and the next line follow together, but a crash may have come between them.
  const last = tail.lastIndexOf('\n{');
  if (last === -1) return false;
  const [, entry = ''] = /^\n(.*?),?$/s.exec(tail.subarray(last).toString()) ?? [];
  const length = size - tail.length + last;
  if (parseJson(entry) !== undefined) truncateSync(file, length + 1 + Buffer.byteLength(entry));
  else if (tail[last - 1] === COMMA) truncateSync(file, length - 1);
  else return false;
  return true;
}

const COMMA = 0x2c;

function readBytes(file: string, from: number, length: number): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0);
  const source = openSync(file, 'r');
  try {
    const { size } = fstatSync(source);
    const buffer = Buffer.alloc(Math.min(length, size - from));
    return buffer.subarray(0, readSync(source, buffer, 0, buffer.length, from));
  } finally {
    closeSync(source);
  }
}
