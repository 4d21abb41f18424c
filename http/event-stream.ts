import type { ServerResponse } from 'node:http';

/** Milliseconds between keep-alive comments, so that no proxy drops the stream. */
const HEARTBEAT = 15_000;

/** Bytes that may wait for a reader, besides the last event. A reader that falls further behind is disconnected. */
export const MOST_WAITING = 4_000_000;

export interface EventReader {
  /** Bytes that were written but not yet consumed. */
  waiting(): number;
  write(text: string): void;
  end(): void;
  /** Ends the stream at once, since its reader is too slow. */
  drop(): void;
}

export const eventStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

export function createEventStream(reader: EventReader) {
  const write = (text: string): void => {
    if (reader.waiting() > MOST_WAITING) reader.drop();
    else reader.write(text);
  };
  const timer = setInterval(() => write(': alive\n\n'), HEARTBEAT);
  timer.unref();
  write('retry: 1000\n: connected\n\n');
  return {
    send: (name: string, id: number, data: unknown): void =>
      write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    stop: (): void => clearInterval(timer),
  };
}

export function readerOf(response: ServerResponse): EventReader {
  return {
    waiting: () => response.writableLength,
    write: (text) => void (response.writable && response.write(text)),
    end: () => response.end(),
    drop: () => response.destroy(),
  };
}
