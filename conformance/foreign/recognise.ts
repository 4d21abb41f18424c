import { endpointIds, endpoints, type EndpointId } from '../../spec/index.ts';
import type { Reason } from './foreign-exchange.ts';
import { parseUrl } from '../../text/parse-url.ts';

/** The endpoint that a request is for. */
export interface Recognised {
  readonly endpoint: EndpointId;
  readonly agentId: string | undefined;
  /** Decoded pairs, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The session of the mock that the path names. */
  readonly world: string;
}

/** Why a request belongs to no endpoint, and what it asked for. */
export interface Unrecognised {
  readonly reason: Reason;
  readonly about: string;
  /** The agent that an undocumented request is about. */
  readonly agentId?: string | undefined;
}

/** Finds the endpoint of a request below a base URL. */
export interface Recogniser {
  of(method: string, url: string): Recognised | Unrecognised;
  /** The given base URL, or that of the first documented request. */
  readonly baseUrl: string | undefined;
}

const patterns = endpointIds.map((endpoint) => {
  const { method, path } = endpoints[endpoint];
  return { endpoint, method, path: new RegExp(`^${path.replace('{agentId}', '([^/]+)')}$`) };
});

/** The part of a path that some method documents. */
const DOCUMENTED = /^(.*?)(?=\/api\/v1\/(?:agents|workspaces)(?:\/|$))/s;
/** A session of the mock has its own path prefix. */
const SESSION = /\/_s\/([^/]+)$/;
const MAX_URL = 16_000;

/** @param given the URL before the documented paths; otherwise the first matching request decides. */
export function createRecogniser(given?: string): Recogniser {
  let base = given === undefined ? undefined : baseOf(given, '');
  let baseUrl = given;
  return {
    of(method, text) {
      const url = text.length > MAX_URL ? undefined : parseUrl(text);
      if (!url || !/^https?:$/.test(url.protocol)) return { reason: 'other-host', about: '' };
      const path = documentedPart(url.pathname);
      if (base === undefined && path !== undefined && matching(method, path.rest)) {
        base = baseOf(url.origin, path.prefix);
        baseUrl = base.origin + base.prefix;
      }
      const origin = url.origin;
      if (base === undefined || origin !== base.origin) return { reason: 'other-host', about: origin };
      const about = `${method.slice(0, 20)} ${url.pathname.slice(0, 80)}`;
      if (path === undefined || path.prefix !== base.prefix) return { reason: 'other-path', about };
      const found = matching(method, path.rest);
      if (!found) return unrecognised(path.rest, about);
      const agentId = found.id === undefined ? undefined : decoded(found.id);
      if (found.id !== undefined && agentId === undefined) return { reason: 'other-path', about };
      return { endpoint: found.endpoint, agentId, query: [...url.searchParams], world: path.world };
    },
    get baseUrl() {
      return baseUrl;
    },
  };
}

function baseOf(url: string, prefix: string): { readonly origin: string; readonly prefix: string } {
  const { origin, pathname } = new URL(url);
  return { origin, prefix: `${pathname.replace(/\/+$/, '')}${prefix}` };
}

function documentedPart(
  pathname: string,
): { readonly prefix: string; readonly rest: string; readonly world: string } | undefined {
  const [before] = DOCUMENTED.exec(pathname) ?? [];
  if (before === undefined) return undefined;
  const [session = '', world = ''] = SESSION.exec(before) ?? [];
  return {
    prefix: before.slice(0, before.length - session.length),
    rest: pathname.slice(before.length),
    world,
  };
}

function matching(
  method: string,
  rest: string,
): { readonly endpoint: EndpointId; readonly id: string | undefined } | undefined {
  for (const { endpoint, method: own, path } of patterns) {
    const found = own === method ? path.exec(rest) : null;
    if (found) return { endpoint, id: found[1] };
  }
  return undefined;
}

function unrecognised(rest: string, about: string): Unrecognised {
  const isPath = patterns.some(({ path }) => path.test(rest));
  const [, id] = /^\/api\/v1\/agents\/([^/]+)/.exec(rest) ?? [];
  return { reason: isPath ? 'other-method' : 'other-path', about, agentId: id === undefined ? undefined : decoded(id) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
