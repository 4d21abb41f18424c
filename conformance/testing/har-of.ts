import { Readable } from 'node:stream';
import type { RecordingSource } from '../recording/read-recording.ts';

/** An exchange of a recording; what is left out is as in most of them. */
export interface HarExchange {
  readonly url: string;
  readonly at?: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly status?: number;
  /** Text, or what is written as JSON. */
  readonly body: unknown;
  /** Members beside the request and its answer. */
  readonly more?: object;
}

export function harOf(exchanges: readonly HarExchange[]): string {
  const entries = exchanges.map(({ url, at, method = 'GET', headers = {}, status = 200, body, more }, i) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      startedDateTime: new Date(at ?? Date.UTC(2026, 4, 20, 12) + i).toISOString(),
      time: 0.5,
      request: { method, url, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
      response: { status, headers: [], content: { size: Buffer.byteLength(text), text } },
      ...more,
    };
  });
  return JSON.stringify({ log: { version: '1.2', entries } });
}

/** A recording that arrives in these pieces. */
export function sourceOf(...pieces: readonly (string | Uint8Array)[]): RecordingSource {
  return { chunks: Readable.from(pieces.map((piece) => Buffer.from(piece as string))) };
}
