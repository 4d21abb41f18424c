import { quoted } from '../text/visible.ts';
import { corsHeaders, isPreflight } from './cors.ts';
import type { Refused, IncomingRequest } from './exchange.ts';
import { hostName, isLocalName } from './local-names.ts';

/** The answer that refuses a request; `undefined` if the request may pass. */
export type Gate = (visit: IncomingRequest) => Refused | undefined;

/** How refusals name what a gate guards, and the way to open it. */
export interface Guarded {
  /** The begin of a sentence: `This mock`. */
  readonly who: string;
  /** A sentence that says how to let this host or origin in. */
  readonly remedy?: (name: string) => string;
}

/** The host of a URL that is an address, which no DNS entry can redirect. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\])$/;

/** Answers to names of this machine and to `hosts`; reachable by others, to addresses, or without `hosts` to any. */
export function createHostGate({ who, remedy }: Guarded, hosts: readonly string[], isLocal: () => boolean): Gate {
  /** The last host that passed: most requests name the same one. */
  let passed: string | undefined;
  return ({ headers: { host } }) => {
    // HTTP/1.0 has no Host, and no browser uses it.
    if (host === undefined || host === passed) return undefined;
    const name = hostName(host) ?? '';
    const isOpen = !isLocal() && (hosts.length === 0 || ADDRESS.test(name));
    if (isOpen || isLocalName(name) || hosts.includes(name)) {
      passed = host;
      return undefined;
    }
    const names = isLocal() ? 'names of this machine, such as localhost' : 'the hosts named at its start';
    const way = (name && remedy?.(name)) ?? '';
    return refusal(`${who} answers to ${names}, not to ${quoted(host, 200)}.${way}`);
  };
}

/** Lets pages of this machine pass, those of the same origin, and those of the `origins`. */
export function createOriginGate({ who, remedy }: Guarded, origins: readonly string[]): Gate {
  return ({ headers: { origin, host } }) => {
    if (origin === undefined || origins.includes('*') || isOwnOrLocal(origin, host)) return undefined;
    if (origins.includes(origin.toLowerCase())) return undefined;
    const way = /^[\w.:/[\]+-]{1,200}$/.test(origin) ? remedy?.(origin) : undefined;
    return refusal(`${who} serves pages from this machine, and not pages from ${quoted(origin, 200)}.${way ?? ''}`);
  };
}

/** Only pages of this origin may use it. Others may link to `pages`, paths that their visitors then open. */
export function createPageGate({ who }: Guarded, pages: RegExp): Gate {
  return ({ method, target, headers }) => {
    const { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': into } = headers;
    if (origin !== undefined) {
      if (isOwnOrLocal(origin, host)) return undefined;
      return refusal(`${who} obeys only pages from this machine, and not pages from ${quoted(origin, 200)}.`);
    }
    // Without an origin, nothing says which page sent the request.
    if (site !== 'cross-site') return undefined;
    if (method === 'GET' && mode === 'navigate' && into === 'document' && pages.test(target)) return undefined;
    return refusal(
      `${who} answers this to no page of another site. Open the address in the browser, or call it with fetch from a page on this machine.`,
    );
  };
}

function isOwnOrLocal(origin: string, host: string | undefined): boolean {
  const [, authority = ''] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  if (isLocalName(hostName(authority) ?? '')) return true;
  return host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase();
}

/** Requires a token, as `Bearer <token>` or as the password of `Basic`, which is how browsers send one. */
export function createTokenGate({ who }: Guarded, token: string): Gate {
  return (visit) => {
    // A preflight carries no token.
    if (isPreflight(visit)) return undefined;
    const sent = tokenOf(visit.headers['authorization'] ?? '');
    if (sent !== undefined && isSame(sent, token)) return undefined;
    const isWrong = sent === undefined ? '' : ', and this is not it';
    const { origin } = visit.headers;
    const { status, headers, body } = refusal(
      `${who} requires its admin token here${isWrong}. Send Authorization: Bearer <token>. In a browser, enter it as the password, with any user name.`,
      401,
    );
    const challenge = { 'www-authenticate': 'Basic realm="agent-contract admin", charset="UTF-8"' };
    return { status, headers: { ...headers, ...challenge, ...(origin && corsHeaders(origin)) }, body };
  };
}

function tokenOf(authorization: string): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password;
}

/** In constant time, so that a nearly right guess takes no longer. Nothing is imported: browsers load this module too. */
function isSame(one: string, other: string): boolean {
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function refusal(error: string, status = 403): Refused {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { status, headers, body: JSON.stringify({ error }) };
}
