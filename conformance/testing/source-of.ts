import type { RecordingSource } from '../recording/read-recording.ts';

/** A recording that arrives in these pieces. */
export function sourceOf(...pieces: readonly (string | Uint8Array)[]): RecordingSource {
  return {
    chunks: (async function* () {
      for (const piece of pieces) yield Buffer.from(piece as string);
    })(),
  };
}
