import { Readable } from 'node:stream';
import type { RecordingSource } from '../recording/read-recording.ts';

/** A recording that arrives in these pieces. */
export function sourceOf(...pieces: readonly (string | Uint8Array)[]): RecordingSource {
  return { chunks: Readable.from(pieces.map((piece) => Buffer.from(piece as string))) };
}
