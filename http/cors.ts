import type { Refused, IncomingRequest } from './exchange.ts';

/** Response headers that a script in a browser may read. Browsers hide most others. */
const EXPOSED =
  'date, location, preference-applied, retry-after, sl-violations, www-authenticate, allow, x-mock-session, x-agent-contract-source';

/** Headers that let a page of another origin read an answer, with its credentials. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'origin',
  };
}

export function isPreflight({ method, headers }: IncomingRequest): boolean {
  return (
    method === 'OPTIONS' && headers['origin'] !== undefined && headers['access-control-request-method'] !== undefined
  );
}

/** The answer to a preflight; `undefined` for any other request. */
export function preflight(visit: IncomingRequest): Refused | undefined {
  const { origin, 'access-control-request-headers': wanted } = visit.headers;
  if (!isPreflight(visit) || origin === undefined) return undefined;
  const headers: Record<string, string> = {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-max-age': '600',
    vary: 'origin, access-control-request-headers, access-control-request-private-network',
  };
  if (wanted !== undefined) headers['access-control-allow-headers'] = wanted;
  if (visit.headers['access-control-request-private-network'] === 'true')
    headers['access-control-allow-private-network'] = 'true';
  return { status: 204, headers, body: '' };
}
