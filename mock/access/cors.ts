import type { MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';

/** Response headers that a script in a browser may read. Browsers hide most others. */
const EXPOSED =
  'date, location, preference-applied, retry-after, sl-violations, www-authenticate, allow, x-mock-session, x-agent-contract-source';
const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
/** How long a browser may cache a preflight, in seconds. */
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

/** Whether a request is a preflight. */
export const isPreflight = ({ method, headers }: MockRequest): boolean =>
  method === 'OPTIONS' && headers['origin'] !== undefined && headers['access-control-request-method'] !== undefined;

/** The answer to a preflight, or `undefined` for any other request. */
export function preflight(request: MockRequest): Wire | undefined {
  const { origin } = request.headers;
  if (!isPreflight(request) || origin === undefined) return undefined;
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
