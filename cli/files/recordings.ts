import { createReadStream, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { MOST_BESIDE, type NamedSource, type RecordingSource } from '../../conformance/recording/read-recording.ts';
import { visible } from '../../text/visible.ts';
import { codeOf, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';

/** Reads each recording once, in order, apart or together. @throws UsageError for a file that is no readable recording */
export async function readRecordings(
  { cwd, stderr }: Io,
  files: readonly string[],
  /** Resolves with whether each recording has an end. */
  read: (sources: readonly RecordingSource[]) => Promise<readonly boolean[]>,
  isJoined = false,
): Promise<void> {
  const { RecordingError } = await import('../../conformance/recording/json-scanner.ts');
  const names = new Set(files.map((one) => path.resolve(cwd, one)));
  const sources = (await Promise.all([...names].map(sourcesIn))).flat();
  const groups = isJoined ? [sources] : sources.map((one) => [one]);
  for (const group of groups) {
    try {
      const areWhole = await read(group);
      for (const [index, isWhole] of areWhole.entries())
        if (!isWhole)
          stderr.write(
            `${visible(group[index]?.name ?? '')} has no end: it was cut short, or is still being written. It counts as far as it goes.\n`,
          );
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      const name = isJoined ? 'One of the files' : visible(group[0]?.name ?? '');
      throw new UsageError(`${name} is not a recording that can be read: ${error.message}.`, { cause: error });
    }
  }
}

/** The recordings that a name stands for: a file, those in a folder, or those in a zip file. @throws UsageError */
async function sourcesIn(file: string): Promise<readonly NamedSource[]> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`There is no file ${visible(file)}.`);
  if (stat.isDirectory()) {
    const sources = await Promise.all(namesIn(file).map(sourcesIn));
    if (sources.length > 0) return sources.flat();
    throw new UsageError(`${visible(file)} is a folder without a recording. ${NAMES_IN_FOLDERS}`);
  }
  const chunks = chunksOf(file);
  if (await isZip(file)) return (await import('./zip.ts')).recordingsInZip(file);
  return [{ name: file, chunks, beside: fileBeside.bind(undefined, file) }];
}

/** What the files of recordings end in, if it says enough. Others are read when they are named. */
const RECORDING =
  /(?:\.har|\.jsonl|\.ndjson|\.flows?|\.mitm|\.network|\.har\.zip|trace.*\.zip|^tap_.*\.json)(?:\.gz)?$/i;
const NAMES_IN_FOLDERS =
  'In a folder, files count that end in .har, .jsonl, .ndjson, .flow, .mitm, .network, .har.zip or trace.zip, and tap_….json of Envoy.';

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && RECORDING.test(one.name))
    .map((one) => path.join(one.parentPath, one.name))
    .toSorted();

/** A recording may come from anybody: it can name no file outside its folder. */
async function fileBeside(recording: string, name: string): Promise<Uint8Array | undefined> {
  const folder = realpathSync(path.dirname(recording));
  const file = path.join(folder, name);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MOST_BESIDE || !realpathSync(file).startsWith(folder + path.sep)) return undefined;
  return readFileSync(file);
}

/** A smaller file is read at once, so that thousands can be open. */
const SMALL = 1024 * 1024;

/** A file in chunks, so that a file of any size takes little memory. @throws UsageError if it cannot be read */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    const { size } = statSync(file);
    if (size > 0 && size < SMALL) yield readFileSync(file);
    else yield* createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new UsageError(`${visible(file)} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

async function isZip(file: string): Promise<boolean> {
  for await (const head of createReadStream(file, { end: 3 }) as AsyncIterable<Buffer>)
    return head.toString('latin1').startsWith('PK\x03\x04');
  return false;
}
