import { createEventStream, type EventReader, eventStreamHeaders, MOST_WAITING } from '../../http/event-stream.ts';
import { sessionOf } from '../access/address.ts';
import type { MockRequest } from '../call.ts';
import type { MockCore } from '../mock-core.ts';
import { sessionNames } from '../session/sessions.ts';
import { isPage } from './mounted/mount.ts';
import { platform } from '../../text/platform.ts';

/** The session whose exchanges a request wants to stream; `undefined` for any other request, or an invalid name. */
export function wantedStream(request: MockRequest): string | undefined {
  if (request.method !== 'GET') return undefined;
  const { id, target } = sessionOf(request);
  const isStream = /^\/__admin\/requests\/stream(?:\?|$)/.test(target);
  if (isStream && (id === '' || sessionNames.test(id))) return id;
  return undefined;
}

/** Sends each exchange as it is recorded, until the returned function is called, the session ends, or the reader is too slow. */
export function streamJournal(mock: Pick<MockCore, 'session' | 'sessions'>, id: string, reader: EventReader) {
  const session = mock.session(id);
  const events = createEventStream(reader);
  const unsubscribe = session.journal.subscribe((entry) => events.send('request', entry.id, entry));
  const forget = mock.sessions.onEnd(session, () => reader.end());
  return (): void => {
    clearInterval(events.timer);
    unsubscribe();
    forget();
  };
}

export type Beside = (request: MockRequest) => Response | undefined;

/** What a host serves besides the API, as the Fetch API has it: the stream of the journal and, if it has files, pages. */
export function besides(mock: MockCore, page?: (request: MockRequest) => Response): Beside {
  return (request) => {
    if (page && isPage(request.target)) return page(request);
    const session = wantedStream(request);
    if (session === undefined) return undefined;
    return journal(mock, session);
  };
}

function journal(mock: MockCore, session: string): Response {
  const encoder = new platform.TextEncoder();
  let stop: (() => void) | undefined;
  const stream = new platform.ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = streamJournal(mock, session, {
          get writableLength() {
            return MOST_WAITING - (controller.desiredSize ?? 0);
          },
          write: (text) => controller.enqueue(encoder.encode(text)),
          end() {
            stop?.();
            controller.close();
          },
          destroy() {
            stop?.();
            controller.error(new Error('The stream was not read.'));
          },
        });
      },
      cancel: () => stop?.(),
    },
    new platform.ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
  return new platform.Response(stream, { headers: eventStreamHeaders });
}
