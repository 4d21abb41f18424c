import type { MockRequest } from '../call.ts';
import type { MockCore } from '../mock-core.ts';
import { isPage } from './mounted/mount.ts';
import { eventStreamHeaders, MOST_WAITING } from '../../http/event-stream.ts';
import { streamJournal, wantedStream } from './stream.ts';
import { platform } from '../../text/platform.ts';

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
