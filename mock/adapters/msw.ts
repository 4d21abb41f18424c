import { answerOf, fromFetch, pause, toResponse, type Handler } from '../hosts/fetch.ts';
import { serviceUrls } from './service-urls.ts';
import { waitingTime } from '../wire/delivery.ts';
import { platform } from '../../text/platform.ts';

export { createMock, type InProcessMock } from './in-process.ts';
export { MockError } from '../mock-error.ts';
export type { MockOptions } from '../mock-core.ts';
export type { MockTarget } from '../store/target.ts';
export type { Session } from '../session/session.ts';

/** The needed part of `http` of Mock Service Worker; `H` is its handler. */
export interface MswHttp<H> {
  all(url: RegExp, resolver: (info: { readonly request: Request }) => Promise<Response | undefined>): H;
}

export interface MockHandlersOptions {
  /** The URL before the paths of the service, or a path at any origin. Default: any origin. */
  readonly baseUrl?: string;
  /**
   * Endpoints that the mock answers, by id (`list-results`) or section (`4.5`); other requests pass through. Default: all.
   */
  readonly only?: readonly string[];
}

/**
 * Handlers for `setupServer` and `setupWorker` of Mock Service Worker 2 that answer from a mock, or from one of its
 * sessions. A broken connection becomes a network error, and a slow answer comes late and in one piece.
 * @param http what `msw` exports under this name
 * @throws MockError for an invalid `baseUrl` or an unknown endpoint.
 */
export function mockHandlers<H>(
  http: MswHttp<H>,
  mock: Handler,
  { baseUrl, only }: MockHandlersOptions = {},
): readonly [H] {
  const urls = serviceUrls(baseUrl, only);
  return [
    http.all(urls.pattern, async ({ request }) => {
      // MSW then tries other handlers, and then the network.
      if (!urls.isAnswered(request.method, request.url)) return undefined;
      const wire = await answerOf(mock, { ...(await fromFetch(request)), target: urls.targetOf(request.url) });
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
