import { fromFetch, pause, toResponse, type Handler } from '../hosts/fetch.ts';
import { serviceUrls } from './service-urls.ts';
import { waitingTime } from '../hosts/delivery.ts';
import { platform } from '../../text/platform.ts';

export { createMock, type InProcessMock } from './in-process.ts';
export { MockError } from '../mock-error.ts';
export type { MockOptions } from '../mock-core.ts';
export type { MockTarget } from '../store/target.ts';
export type { Session } from '../session/session.ts';

/** The part of the `http` of Mock Service Worker that is needed; `H` is its handler. */
export interface MswHttp<H> {
  all(url: RegExp, resolver: (info: { readonly request: Request }) => Promise<Response>): H;
}

export interface MockHandlersOptions {
  /** What the paths of the service are appended to: a URL, or a path of any origin. Any origin unless given. */
  readonly baseUrl?: string;
}

/**
 * Handlers for `setupServer` and `setupWorker` of Mock Service Worker 2, which answer by a mock, or by one session of it.
 * A broken connection is a network error there, and an answer that is to be sent slowly comes whole but late.
 * @param http what `msw` exports under this name.
 * @throws MockError for a `baseUrl` that is none.
 */
export function mockHandlers<H>(http: MswHttp<H>, mock: Handler, { baseUrl }: MockHandlersOptions = {}): readonly [H] {
  const urls = serviceUrls(baseUrl);
  return [
    http.all(urls.pattern, async ({ request }) => {
      const wire = mock.handle({ ...(await fromFetch(request)), target: urls.targetOf(request.url) });
      const aborted = await pause(waitingTime(wire), request.signal).then(
        () => false,
        () => true,
      );
      return aborted || wire.delivery?.connection !== undefined
        ? platform.Response.error()
        : toResponse(wire, request.method);
    }),
  ];
}
