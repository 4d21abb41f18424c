import type { MockRequest } from '../call.ts';
import { sessionOf } from '../access/address.ts';
import type { MockCore } from '../mock-core.ts';
import { isSessionName } from '../session/sessions.ts';

/** Milliseconds between keep-alive comments, so that no proxy drops the stream. */
const HEARTBEAT = 15_000;

/** Bytes that may wait for a reader, besides the last event. A reader that falls further behind is disconnected. */
export const MOST_WAITING = 4_000_000;

/** The receiver of events. */
export interface Reader {
  /** Bytes that were written but not yet consumed. */
  waiting(): number;
  write(text: string): void;
  /** Ends the stream after its last event. */
  end(): void;
  /** Ends the stream at once, since its reader is too slow. */
  drop(): void;
}

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

/**
 * The session whose exchanges a request wants to stream; `undefined` for any other request. An invalid session name is
 * refused as everywhere.
 */
export function wantedStream(request: MockRequest): string | undefined {
  if (request.method !== 'GET') return undefined;
  const { id, target } = sessionOf(request);
  const isStream = /^\/__admin\/requests\/stream(?:\?|$)/.test(target);
  return isStream && (id === '' || isSessionName(id)) ? id : undefined;
}

/**
 * Sends each exchange of a session as it is recorded, as server-sent events named `request`. It ends when the returned
 * function is called, the reader is too slow, or the session ends. @throws MockError for an invalid session name.
 */
export function streamJournal(mock: Pick<MockCore, 'session' | 'sessions'>, id: string, reader: Reader): () => void {
  const session = mock.session(id);
  const send = (text: string): void => {
    if (reader.waiting() > MOST_WAITING) reader.drop();
    else reader.write(text);
  };
  send('retry: 1000\n: connected\n\n');
  const unsubscribe = session.journal.subscribe((entry) =>
    send(`id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`),
  );
  const forget = mock.sessions.onEnd(session, () => reader.end());
  const timer = setInterval(() => send(': alive\n\n'), HEARTBEAT);
  timer.unref();
  return () => {
    clearInterval(timer);
    unsubscribe();
    forget();
  };
}
