import { createReadStream, statSync } from 'node:fs';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf } from '../errors.ts';

/** A file in chunks, so that a file of any size takes little memory. @throws UsageError if it cannot be read */
export async function* chunksOf(file: string): AsyncIterable<Buffer> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`There is no file ${visible(file)}.`);
  if (stat.isDirectory()) throw new UsageError(`${visible(file)} is a folder; name the files in it.`);
  try {
    yield* createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UsageError(`${visible(file)} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}
