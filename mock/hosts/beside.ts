import type { MockRequest } from '../call.ts';
import type { MockCore } from '../mock-core.ts';
import { isPage } from './mounted/mount.ts';
import { eventStreamHeaders, MOST_WAITING } from '../../http/event-stream.ts';
import { streamJournal, wantedStream } from './stream.ts';
import { platform } from '../../text/platform.ts';

/** What a host serves besides the API, as the Fetch API has it: pages, and the stream of the journal. */
export function besides(mock: MockCore): (request: MockRequest) => Response | undefined {
  return (request) => {
    if (isPage(request.target)) return page(request);
    const session = wantedStream(request);
    if (session === undefined) return undefined;
    return journal(mock, session);
  };
}

function page(request: MockRequest): Response {
  const { status, headers, body } = (require('../pages') as typeof import('../pages/index.ts')).pageFor(request);
  const isEmpty = request.method === 'HEAD' || status === 304;
  return new platform.Response(isEmpty ? null : body, { status, headers });
}

function journal(mock: MockCore, session: string): Response {
  const encoder = new platform.TextEncoder();
  let stop = (): void => {};
  const stream = new platform.ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = streamJournal(mock, session, {
          waiting: () => MOST_WAITING - (controller.desiredSize ?? 0),
          write: (text) => controller.enqueue(encoder.encode(text)),
          end() {
            stop();
            controller.close();
          },
          drop() {
            stop();
            controller.error(new Error('The stream was not read.'));
          },
        });
      },
      cancel: () => stop(),
    },
    new platform.ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
  return new platform.Response(stream, { headers: eventStreamHeaders });
}
