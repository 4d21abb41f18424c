import path from 'node:path';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import type { Io } from '../io.ts';
import { chunksOf } from './chunks.ts';

/** Reads each named HAR file once, in their order. @throws UsageError for one that cannot be read or is not a HAR file */
export async function readHarFiles(
  { cwd }: Io,
  files: readonly string[],
  read: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const { HarError } = await import('../../conformance/recording/har-scanner.ts');
  for (const file of new Set(files.map((one) => path.resolve(cwd, one))))
    try {
      await read(chunksOf(file));
    } catch (error) {
      if (error instanceof HarError) throw new UsageError(`${visible(file)} is not a HAR file: ${error.message}.`);
      throw error;
    }
}
