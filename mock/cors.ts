import type { MockRequest, Wire } from './call.ts';

/** Headers that a script in a browser may read; browsers hide all others but a few. */
const EXPOSED =
  'date, location, preference-applied, retry-after, sl-violations, www-authenticate, allow, x-mock-session';
const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
/** How long a browser may remember that it may ask, in seconds. */
const REMEMBERED = '600';

/** Headers that let a page of another origin read an answer, with its credentials. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'origin',
  };
}

/** The answer to a browser that asks before it sends, or `undefined` for any other request. */
export function preflight(request: MockRequest): Wire | undefined {
  const { origin } = request.headers;
  if (request.method !== 'OPTIONS' || origin === undefined) return undefined;
  if (request.headers['access-control-request-method'] === undefined) return undefined;
  const wanted = request.headers['access-control-request-headers'];
  return {
    status: 204,
    headers: {
      ...corsHeaders(origin),
      'access-control-allow-methods': METHODS,
      ...(wanted === undefined ? {} : { 'access-control-allow-headers': wanted }),
      ...(request.headers['access-control-request-private-network'] === 'true'
        ? { 'access-control-allow-private-network': 'true' }
        : {}),
      'access-control-max-age': REMEMBERED,
      vary: 'origin, access-control-request-headers, access-control-request-private-network',
    },
    body: '',
  };
}

/** Whether a page of this origin runs on this machine, and may therefore change the mock itself. */
export const isLocalOrigin = (origin: string): boolean =>
  /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(origin);
