import type { MockRequest } from '../call.ts';
import { sessionOf } from '../core.ts';
import type { MockCore } from '../mock-core.ts';
import { isSessionName } from '../session/sessions.ts';

/** Milliseconds between signs of life, so that nothing on the way thinks that the stream is dead. */
const HEARTBEAT = 15_000;

/** Bytes that may wait for a reader, beside the last entry; who lets more wait does not read, and is dropped. */
export const MOST_WAITING = 4_000_000;

/** Where events go to. */
export interface Reader {
  /** Bytes that were written and have not been taken. */
  waiting(): number;
  write(text: string): void;
  /** Ends the stream, since nothing more comes. */
  end(): void;
  /** Ends it at once, since nobody reads. */
  drop(): void;
}

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

/**
 * The name of the session whose exchanges a request wants to hear of; `undefined` for any other request. A name that no
 * session can have is refused as it is everywhere.
 */
export function wantedStream(request: MockRequest): string | undefined {
  if (request.method !== 'GET') return undefined;
  const { id, target } = sessionOf(request);
  const isStream = /^\/__admin\/requests\/stream(?:\?|$)/.test(target);
  return isStream && (id === '' || isSessionName(id)) ? id : undefined;
}

/**
 * Sends each exchange of a session as it is recorded, as server-sent events named `request`, until the function that is
 * returned is called, the client does not read, or the session ends. @throws MockError for a name that no session can have.
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
