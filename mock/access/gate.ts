import { createHash, timingSafeEqual } from 'node:crypto';
import { isAdmin, sessionOf } from './address.ts';
import type { MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { corsHeaders, isPreflight } from './cors.ts';
import { hostName, isAddress, isLocalName, isLocalOrigin, readHost, readOrigin } from './local-names.ts';

/** Who may talk to a mock that listens. */
export interface GateOptions {
  /** Host names of the mock, besides those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may use the service, besides local ones and the mock's own; `*` is any. */
  readonly cors?: readonly string[] | undefined;
  /** Everything below `/__admin` requires it. No output shows it. */
  readonly adminToken?: string | undefined;
}

/** The answer that refuses a request; `undefined` if the request may pass. */
export type Gate = (request: MockRequest) => Wire | undefined;

/**
 * The gate of a mock that is mounted in another server, which knows its own names. Pages of other origins may use the
 * service, but nothing below `/__admin`.
 */
export const mountedGate: Gate = (request) => (isForAdmin(request) ? pageRefusal(request) : undefined);

/**
 * The gate of a mock that listens itself. `isLocal` says whether only this machine can reach it. Then it answers only
 * to names of this machine, so that no page can make its own name point here.
 * @throws MockError for an invalid host or origin.
 */
export function listeningGate(options: GateOptions, isLocal: () => boolean): Gate {
  const hosts = (options.allowedHosts ?? []).map(readHost);
  const origins = (options.cors ?? []).map(readOrigin);
  const { adminToken } = options;
  /** The last host that passed: most requests name the same one. */
  let letIn: string | undefined;
  const hostGate: Gate = (request) => {
    const { host } = request.headers;
    const why = host === letIn ? undefined : hostRefusal(request, hosts, isLocal());
    if (!why) letIn = host;
    return why;
  };
  return (request) =>
    hostGate(request) ??
    (origins.includes('*') ? undefined : originRefusal(request, origins)) ??
    (isForAdmin(request)
      ? (pageRefusal(request) ?? (adminToken === undefined ? undefined : tokenRefusal(request, adminToken)))
      : undefined);
}

const isForAdmin = (request: MockRequest): boolean => isAdmin(pathOf(request));

/** Path and query without the session. */
const pathOf = (request: MockRequest): string => sessionOf(request).target;

function hostRefusal({ headers: { host } }: MockRequest, named: readonly string[], isLocal: boolean): Wire | undefined {
  // HTTP/1.0 has no Host, and no browser uses it.
  if (host === undefined) return undefined;
  const name = hostName(host) ?? '';
  if (isLocalName(name) || named.includes(name)) return undefined;
  if (!isLocal && (named.length === 0 || isAddress(name))) return undefined;
  const way =
    name === ''
      ? ''
      : ` If that is its name, start it with --allowed-host ${name}, or listen({ allowedHosts: ["${name}"] }).`;
  const known = isLocal ? 'names of this machine, such as localhost' : 'the hosts named at its start';
  return refused(`This mock answers to ${known}, not to ${shown(host)}.${way}`);
}

function originRefusal(request: MockRequest, named: readonly string[]): Wire | undefined {
  const { origin } = request.headers;
  if (origin === undefined || isOwnOrLocal(request) || named.includes(origin.toLowerCase())) return undefined;
  const way = /^[\w.:/[\]+-]{1,200}$/.test(origin)
    ? ` If it is yours, start the mock with --cors ${origin}, or listen({ cors: ["${origin}"] }).`
    : '';
  return refused(`Pages from this machine may use this mock. Pages from ${shown(origin)} may not.${way}`);
}

/** Below `/__admin`, refuses all pages except those of this machine and the mock's own. */
function pageRefusal(request: MockRequest): Wire | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined)
    return isOwnOrLocal(request)
      ? undefined
      : refused(`Pages from ${shown(origin)} may not change the mock. Only pages from this machine may.`);
  // Without an origin, nothing says which page sent the request.
  return site === 'cross-site' && !isVisit(request)
    ? refused(
        'Pages from other sites may not request anything below /__admin. Open its address in the browser, or call it with fetch from a page on this machine.',
      )
    : undefined;
}

/** A navigation to the dashboard, for example from a link. */
const isVisit = (request: MockRequest): boolean =>
  request.method === 'GET' &&
  request.headers['sec-fetch-mode'] === 'navigate' &&
  request.headers['sec-fetch-dest'] === 'document' &&
  /^\/__admin\/ui(?:\/(?:index\.html)?)?(?:\?|$)/.test(pathOf(request));

const isOwnOrLocal = ({ headers: { origin = '', host } }: MockRequest): boolean =>
  isLocalOrigin(origin) ||
  (host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase());

/** Health is for probes, which have no token. A preflight carries no token either. */
function tokenRefusal(request: MockRequest, token: string): Wire | undefined {
  const isProbe = /^(?:GET|HEAD)$/.test(request.method) && /^\/__admin\/health(?:\?|$)/.test(pathOf(request));
  if (isProbe || isPreflight(request)) return undefined;
  const given = tokenOf(request.headers['authorization'] ?? '');
  if (given !== undefined && isSame(given, token)) return undefined;
  const { origin } = request.headers;
  return refusal(
    401,
    `This mock requires its admin token below /__admin${given === undefined ? '' : ', and this is not it'}. Send Authorization: Bearer <token>. In a browser, enter it as the password, with any user name.`,
    {
      'www-authenticate': 'Basic realm="agent-contract admin", charset="UTF-8"',
      ...(origin === undefined ? {} : corsHeaders(origin)),
    },
  );
}

/** The token of `Bearer <token>`, or the password of `Basic`, which is how browsers send one. */
function tokenOf(authorization: string): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Compares in constant time, so that a nearly right guess takes no longer. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

const refused = (error: string): Wire => refusal(403, error);

const refusal = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): Wire => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body: JSON.stringify({ error }),
});
