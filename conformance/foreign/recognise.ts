import { endpointIds, endpoints } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reason } from './foreign-exchange.ts';
import { parseUrl, percentDecoded } from '../../text/parse-url.ts';

/** What a request is for; `world` is the session of the mock that its path names. */
export type Recognised = Pick<Exchange, 'endpoint' | 'agentId' | 'query'> & { readonly world: string };

const patterns = endpointIds.map((endpoint) => {
  const { method, path } = endpoints[endpoint];
  return { endpoint, method, path: new RegExp(`^${path.replace('{agentId}', '([^/]+)')}$`) };
});

/** The part of a path that some method documents. */
const DOCUMENTED = /^(.*?)(?=\/api\/v1\/(?:agents|workspaces)(?:\/|$))/s;
/** A session of the mock has its own path prefix. */
const SESSION = /\/_s\/([^/]+)$/;

/** The endpoint of a request below `given`; without it, the first request that matches shows the base URL. */
export function createRecogniser(given?: string) {
  let baseUrl = given;
  let base = parseUrl(given ?? '');
  return {
    /** Otherwise, why the request belongs to no endpoint, what it asked for, and the agent that it is about. */
    of(method: string, text: string): Recognised | { reason: Reason; about: string; agentId?: string | undefined } {
      const url = text.length > 16_000 ? undefined : parseUrl(text);
      if (!url || !/^https?:$/.test(url.protocol)) return { reason: 'other-host', about: '' };
      const { origin, pathname } = url;
      const [before] = DOCUMENTED.exec(pathname) ?? [];
      const [session = '', world = ''] = SESSION.exec(before ?? '') ?? [];
      const prefix = before?.slice(0, before.length - session.length);
      const rest = before === undefined ? '' : pathname.slice(before.length);
      const fitting = patterns.filter(({ path }) => path.test(rest));
      const found = fitting.find((pattern) => pattern.method === method);
      if (found) baseUrl ??= origin + prefix;
      base ??= parseUrl(baseUrl ?? '');
      if (base?.origin !== origin) return { reason: 'other-host', about: origin };
      const about = `${method.slice(0, 20)} ${pathname.slice(0, 80)}`;
      if (prefix !== base.pathname.replace(/\/+$/, '')) return { reason: 'other-path', about };
      const [, id] = (found?.path ?? /^\/api\/v1\/agents\/([^/]+)/).exec(rest) ?? [];
      const agentId = percentDecoded(id);
      if (!found) return { reason: fitting.length > 0 ? 'other-method' : 'other-path', about, agentId };
      if (id !== undefined && agentId === undefined) return { reason: 'other-path', about };
      return { endpoint: found.endpoint, agentId, query: [...url.searchParams], world };
    },
    /** The given base URL, or that of the first documented request. */
    get baseUrl() {
      return baseUrl;
    },
  };
}
