import type { ServerResponse } from 'node:http';
import type { MockCore } from '../mock-core.ts';
import { sendGuarded } from './deliver.ts';

/** Milliseconds between signs of life, so that nothing on the way thinks that the stream is dead. */
const HEARTBEAT = 15_000;

/** Bytes that may wait for a reader, beside the last entry; who lets more wait does not read, and is dropped. */
export const MOST_WAITING = 4_000_000;

/**
 * Sends each exchange of a session as it is recorded, as server-sent events named `request`, until the client goes, the
 * client does not read, or the session ends. @throws MockError for a name that no session can have.
 */
export function streamJournal(
  mock: Pick<MockCore, 'session' | 'sessions'>,
  id: string,
  response: ServerResponse,
): void {
  const session = mock.session(id);
  response.setHeader('content-type', 'text/event-stream; charset=utf-8').setHeader('cache-control', 'no-store');
  const send = (text: () => string): void =>
    sendGuarded(response, () => {
      if (!response.writable) return;
      if (response.writableLength > MOST_WAITING) response.destroy();
      else response.write(text());
    });
  send(() => ': connected\n\n');
  const unsubscribe = session.journal.subscribe((entry) =>
    send(() => `id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`),
  );
  const forget = mock.sessions.onEnd(session, () => response.end());
  const timer = setInterval(() => send(() => ': alive\n\n'), HEARTBEAT);
  timer.unref();
  response.once('close', () => {
    clearInterval(timer);
    unsubscribe();
    forget();
  });
}
