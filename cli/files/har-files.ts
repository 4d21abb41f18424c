import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { readBaseUrl } from '../check/target.ts';
import { codeOf } from '../errors.ts';
import type { Io } from '../io.ts';

/** The argument and the option of a command that reads HAR files. */
export const harFilesArgument = ['<file...>', 'HAR files'] as const;
export const harBaseUrlOption = [
  '--base-url <url>',
  'URL before the documented paths (default: found from the paths)',
] as const;

/** The value of {@link harBaseUrlOption}. @throws UsageError */
export function readHarBaseUrl({ stderr }: Io, command: Command): string | undefined {
  const named = command.getOptionValue('baseUrl') as string | undefined;
  if (named === undefined) return undefined;
  return readBaseUrl(named, '--base-url', stderr);
}

/** Reads each named HAR file once, in their order. @throws UsageError for one that cannot be read or is not a HAR file */
export async function readHarFiles(
  { cwd, stderr }: Io,
  files: readonly string[],
  /** Resolves with whether the file has an end. */
  read: (chunks: AsyncIterable<Buffer>) => Promise<boolean>,
): Promise<void> {
  const { HarError } = await import('../../conformance/recording/har-scanner.ts');
  for (const file of new Set(files.map((one) => path.resolve(cwd, one))))
    try {
      const isWhole = await read(chunksOf(file));
      if (!isWhole)
        stderr.write(
          `${visible(file)} has no end: it was cut short, or is still being written. It counts as far as it goes.\n`,
        );
    } catch (error) {
      if (error instanceof HarError) throw new UsageError(`${visible(file)} is not a HAR file: ${error.message}.`);
      throw error;
    }
}

/** A file in chunks, so that a file of any size takes little memory. @throws UsageError if it cannot be read */
async function* chunksOf(file: string): AsyncIterable<Buffer> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`There is no file ${visible(file)}.`);
  if (stat.isDirectory()) throw new UsageError(`${visible(file)} is a folder; name the files in it.`);
  try {
    yield* createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UsageError(`${visible(file)} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}
