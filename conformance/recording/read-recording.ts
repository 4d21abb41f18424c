import { createGunzip, constants } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { Reason } from '../foreign/foreign-exchange.ts';
import { field, isObject, stringAt } from '../json.ts';
import { createFlowScanner } from './flow-scanner.ts';
import type { RecordedEntry } from './har-entry.ts';
import { createJsonScanner, RecordingError, type ScannedPart, type Scanner } from './json-scanner.ts';
import { readRecordedRun } from './own.ts';
import refused from './refused.json';
import { readItem } from './rows.ts';
import type { RecordedRun } from './write-har.ts';

/** A recording, and how the files beside it are read. */
export interface RecordingSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** `undefined` if there is no such file, or if it is too large. */
  readonly beside?: ((name: string) => Promise<Uint8Array | undefined>) | undefined;
}

/** A recording, with the name that messages give it. */
export interface NamedSource extends RecordingSource {
  readonly name: string;
}

/** A larger body beside a recording is left out. */
export const MOST_BESIDE = 32 * 1024 * 1024;

/** What a recording holds, in its order: an exchange, the reason why one cannot be used, or the run that it is of. */
export type RecordingPart =
  | { readonly kind: 'exchange'; readonly entry: RecordedEntry; readonly size: number }
  | { readonly kind: 'left-out'; readonly reason: Reason }
  | { readonly kind: 'run'; readonly run: RecordedRun };

/**
 * Reads a recording of any size: HAR, a list of its entries, JSON lines, flows of mitmproxy; packed by gzip, in UTF-8 or UTF-16.
 * @returns whether the file has an end. @throws RecordingError if it is none of these.
 */
export async function* readRecording({ chunks, beside }: RecordingSource): AsyncGenerator<RecordingPart, boolean> {
  let scanner: Scanner | undefined;
  let head = Buffer.alloc(0);
  const seen = { known: 0, unknown: 0 };
  const read = async function* (parts: readonly ScannedPart[]): AsyncGenerator<RecordingPart> {
    for (const part of parts) {
      const found = await foundIn(part, beside);
      if (part.kind !== 'member') seen[found ? 'known' : 'unknown']++;
      if (found) yield found;
    }
  };
  try {
    for await (const chunk of inUtf8(unpacked(chunks))) {
      if (head.length < HEAD) head = Buffer.concat([head, chunk.subarray(0, HEAD)]);
      scanner ??= /^\d+:/.test(head.toString('latin1')) ? createFlowScanner() : createJsonScanner();
      yield* read(scanner.push(chunk));
    }
    const { isWhole, parts } = (scanner ?? createJsonScanner()).end();
    yield* read(parts);
    if (seen.unknown > 0 && seen.known === 0) throw new RecordingError('no part of it is an exchange');
    return isWhole;
  } catch (error) {
    // Of some other files it is known what to do instead.
    const known = refused.find(({ begins, flags }) => new RegExp(begins, flags).test(head.toString('latin1')));
    if (!known || !(error instanceof RecordingError)) throw error;
    throw new RecordingError(`it is ${known.name}: ${known.instead}`, { cause: error });
  }
}

const HEAD = 4096;

async function foundIn(part: ScannedPart, beside: RecordingSource['beside']): Promise<RecordingPart | undefined> {
  if (part.kind === 'member') {
    const run = part.name === '_agentContract' ? readRecordedRun(part.value) : undefined;
    return run && { kind: 'run', run };
  }
  if (part.kind !== 'entry') return { kind: 'left-out', reason: part.kind };
  // The entries of a trace of Playwright are those of HAR, and their bodies are files beside it.
  const item = stringAt(part.value, 'type') === 'resource-snapshot' ? field(part.value, 'snapshot') : part.value;
  const entry = readItem(beside ? await withBodies(item, beside) : item);
  if (entry === undefined) return undefined;
  if (typeof entry === 'string') return { kind: 'left-out', reason: entry };
  return { kind: 'exchange', entry, size: part.size };
}

/** An entry with the bodies that are files beside it, as Playwright attaches them. */
async function withBodies(entry: unknown, beside: NonNullable<RecordingSource['beside']>): Promise<unknown> {
  const [request, response] = [field(entry, 'request'), field(entry, 'response')];
  if (!isObject(entry) || !isObject(request) || !isObject(response)) return entry;
  const [postData, content] = [field(request, 'postData'), field(response, 'content')];
  const [sent, got] = [await attached(postData, beside), await attached(content, beside)];
  const answer = got && { ...(content as object), text: got.toString('base64'), encoding: 'base64' };
  return {
    ...entry,
    request: { ...request, postData: sent ? { ...(postData as object), text: String(sent) } : postData },
    response: { ...response, content: answer ?? content },
  };
}

async function attached(of: unknown, beside: NonNullable<RecordingSource['beside']>): Promise<Buffer | undefined> {
  const sha1 = stringAt(of, '_sha1');
  const name = stringAt(of, '_file') ?? (sha1 && `resources/${sha1}`);
  const bytes = name === undefined ? undefined : await beside(name);
  return bytes && Buffer.from(bytes);
}

/** A file that gzip packed, unpacked; of one that was cut short, what is there. */
async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { first, all } = await begun(chunks);
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* all;
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  try {
    // The error comes out of the stream that is read.
    yield* pipeline(Readable.from(all), gunzip, () => {}) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (stringAt(error, 'code')?.startsWith('Z_') !== true) throw error;
    throw new RecordingError('it is packed by gzip, and broken', { cause: error });
  }
}

/** Text in UTF-16 becomes UTF-8. */
async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { first, all } = await begun(chunks);
  const [mark, zero] = [first.subarray(0, 2), first.subarray(0, 2).indexOf(0)];
  const encoding = UTF_16.find(
    ({ bytes, at }) => Buffer.from(bytes).equals(mark) || (mark.length > 1 && zero === at),
  )?.name;
  if (encoding === undefined) return yield* all;
  const decoder = new TextDecoder(encoding);
  for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }));
}

/** The marks at the beginning, and where the zero of an ASCII character is. */
const UTF_16 = [
  { name: 'utf-16le', bytes: [0xff, 0xfe], at: 1 },
  { name: 'utf-16be', bytes: [0xfe, 0xff], at: 0 },
] as const;

/** The first chunk, and all chunks with it. */
async function begun(chunks: AsyncIterable<Uint8Array>) {
  const reading = chunks[Symbol.asyncIterator]();
  const { value: first, done } = await reading.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    if (done !== true) yield first;
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) yield next.value;
  }
  return { first: done === true ? new Uint8Array() : first, all: all() };
}
