import { fromFetch, wholeAnswer, type Handler } from '../hosts/fetch.ts';
import { serviceUrls, type ServiceOptions } from './service-urls.ts';
import { platform } from '../../text/platform.ts';

export { createMock, type InProcessMock } from './in-process.ts';
export { MockError } from '../mock-error.ts';
export type { ServiceOptions } from './service-urls.ts';
export type { MockOptions } from '../mock-core.ts';
export type { MockTarget } from '../store/target.ts';
export type { Session } from '../session/session.ts';

/** The needed part of `http` of Mock Service Worker; `H` is its handler. */
export interface MswHttp<H> {
  all(url: RegExp, resolver: (info: { readonly request: Request }) => Promise<Response | undefined>): H;
}

/**
 * Handlers for `setupServer` and `setupWorker` of Mock Service Worker 2 that answer from a mock, or from one of its
 * sessions. A broken connection becomes a network error, and a slow answer comes late and in one piece.
 * @param http what `msw` exports under this name
 * @throws MockError for an invalid `baseUrl` or an unknown endpoint.
 */
export function mockHandlers<H>(http: MswHttp<H>, mock: Handler, options: ServiceOptions = {}): readonly [H] {
  const urls = serviceUrls(options);
  return [
    http.all(urls.pattern, async ({ request }) => {
      // MSW then tries other handlers, and then the network.
      if (!urls.isAnswered(request.method, request.url)) return undefined;
      const sent = { ...(await fromFetch(request)), target: urls.targetOf(request.url) };
      return wholeAnswer(mock, sent, request.signal).catch(() => platform.Response.error());
    }),
  ];
}
