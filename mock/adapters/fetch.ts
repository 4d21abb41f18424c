import { createFetch, type Handler } from '../hosts/fetch.ts';
import { serviceUrls, type ServiceOptions } from './service-urls.ts';

export interface MockFetchOptions extends ServiceOptions {
  /** Handles other requests. Default: the global `fetch` at the time of the call. */
  readonly fetch?: typeof fetch;
}

/**
 * A `fetch` whose requests to the service, or to some of its endpoints, a mock or one of its sessions answers. All
 * other requests go to the real `fetch`.
 * @throws MockError for an invalid `baseUrl` or an unknown endpoint.
 */
export function mockFetch(mock: Handler, options: MockFetchOptions = {}): typeof fetch {
  const { fetch: real = globalThis.fetch } = options;
  const urls = serviceUrls(options);
  const answer = createFetch({
    respond: (request) => mock.respond({ ...request, target: urls.targetOf(`http://service${request.target}`) }),
  });
  return (input, init) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const url = isRequest ? input.url : String(input);
    const method = (init?.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
    const isService = urls.pattern.test(url) && urls.isAnswered(method, url);
    if (isService) return answer(input, init);
    return real(input, init);
  };
}
