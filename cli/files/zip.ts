import { buffer } from 'node:stream/consumers';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { visible } from '../../text/visible.ts';
import { MOST_BESIDE, type NamedSource } from '../../conformance/recording/read-recording.ts';
import { codeOf, UsageError } from '../errors.ts';

const MOST_FILES = 200_000;

/** The HAR, or the network logs of a trace, in a zip file of Playwright. @throws UsageError if it is broken, or holds none. */
export async function recordingsInZip(file: string): Promise<readonly NamedSource[]> {
  const { zip, entries } = await open(file);
  zip.close();
  const names = [...entries.keys()];
  const found = names.filter((name) => /\.(?:har|network)$/.test(name));
  if (found.length > 0) return found.map((name) => sourceIn(file, name));
  if (names.some((name) => /^raw[\\/]\d+_c\.txt$/.test(name)))
    throw unreadable(file, 'a session of Fiddler: choose File, Export Sessions, HTTPArchive in Fiddler');
  throw unreadable(file, 'no file in it ends in .har or .network');
}

function sourceIn(file: string, name: string): NamedSource {
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    opened = await open(file);
    const { zip, entries } = opened;
    try {
      const entry = entries.get(name);
      if (entry) yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw unreadable(file, reasonOf(error), error);
    } finally {
      zip.close();
    }
  }
  /** While the chunks are read. */
  const beside = async (one: string): Promise<Uint8Array | undefined> => {
    const entry = opened?.entries.get(one);
    if (!opened || !entry || entry.uncompressedSize > MOST_BESIDE) return undefined;
    return opened.zip
      .openReadStreamPromise(entry)
      .then(buffer)
      .catch(() => undefined);
  };
  return { name: `${name} in ${file}`, chunks: chunks(), beside };
}

async function open(file: string): Promise<{ readonly zip: ZipFile; readonly entries: ReadonlyMap<string, Entry> }> {
  try {
    const zip = await openPromise(file, { autoClose: false });
    const entries = new Map<string, Entry>();
    if (zip.entryCount > MOST_FILES) throw new Error(`it holds more than ${MOST_FILES} files`);
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return { zip, entries };
  } catch (error) {
    throw unreadable(file, reasonOf(error), error);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && !('code' in error) ? visible(error.message) : codeOf(error);

const unreadable = (file: string, why: string, cause?: unknown): UsageError =>
  new UsageError(`${visible(file)} is a zip file, but not a recording that can be read: ${why}.`, { cause });
