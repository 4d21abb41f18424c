/** Milliseconds between keep-alive comments, so that no proxy drops the stream. */
const HEARTBEAT = 15_000;

/** Bytes that may wait for a reader, besides the last event. A reader that falls further behind is disconnected. */
export const MOST_WAITING = 4_000_000;

/** A response of `node:http`, or what can be written to and ended like one. */
export interface EventReader {
  /** Bytes that were written but not yet consumed. */
  readonly writableLength: number;
  /** False if it has ended, and nothing may be written any more. */
  readonly writable?: boolean;
  write(text: string): unknown;
  end(): unknown;
  /** Ends the stream at once, since its reader is too slow. */
  destroy(): unknown;
}

export const eventStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

export function createEventStream(reader: EventReader) {
  const write = (text: string): void => {
    if (reader.writableLength > MOST_WAITING) reader.destroy();
    else if (reader.writable !== false) reader.write(text);
  };
  const timer = setInterval(() => write(': alive\n\n'), HEARTBEAT);
  timer.unref();
  write('retry: 1000\n: connected\n\n');
  return {
    send: (name: string, id: number, data: unknown): void =>
      write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    timer,
  };
}
