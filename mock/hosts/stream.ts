import { createEventStream, type EventReader } from '../../http/event-stream.ts';
import { sessionOf } from '../access/address.ts';
import type { MockRequest } from '../call.ts';
import type { MockCore } from '../mock-core.ts';
import { isSessionName } from '../session/sessions.ts';

/**
 * The session whose exchanges a request wants to stream; `undefined` for any other request. An invalid session name is
 * refused as everywhere.
 */
export function wantedStream(request: MockRequest): string | undefined {
  if (request.method !== 'GET') return undefined;
  const { id, target } = sessionOf(request);
  const isStream = /^\/__admin\/requests\/stream(?:\?|$)/.test(target);
  if (isStream && (id === '' || isSessionName(id))) return id;
  return undefined;
}

/**
 * Sends each exchange of a session as it is recorded, as server-sent events named `request`. It ends when the returned
 * function is called, the reader is too slow, or the session ends. @throws MockError for an invalid session name.
 */
export function streamJournal(
  mock: Pick<MockCore, 'session' | 'sessions'>,
  id: string,
  reader: EventReader,
): () => void {
  const session = mock.session(id);
  const events = createEventStream(reader);
  const unsubscribe = session.journal.subscribe((entry) => events.send('request', entry.id, entry));
  const forget = mock.sessions.onEnd(session, () => reader.end());
  return () => {
    events.stop();
    unsubscribe();
    forget();
  };
}
