import { once } from 'node:events';
import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { RawHeaders } from './headers.ts';
import { bracketed, isLocalName } from './local-names.ts';
import { parseUrl } from '../text/parse-url.ts';

export interface UpstreamServer {
  /** Paths are appended to it. */
  readonly upstream: URL;
  /** Certificates (PEM) to trust in place of the well-known authorities. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
}

/** Lets a server listen, and resolves with its URL. @throws the error of `listen` */
export async function listenOn(server: http.Server, port: number, host: string): Promise<string> {
  await once(server.listen(port, host), 'listening');
  const { port: own } = server.address() as AddressInfo;
  return `http://${bracketed(host)}:${own}`;
}

export type Connector = ReturnType<typeof createConnector>;

export function createConnector({ upstream, ca, insecure }: UpstreamServer) {
  const { host, origin, protocol, port } = upstream;
  const isSecure = protocol === 'https:';
  const { request: send, Agent } = isSecure ? https : http;
  // Most servers close an idle connection after five seconds, and nobody need wait for that.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: 4_000 });
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const tls = isSecure && { ca, rejectUnauthorized: insecure !== true };
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  return {
    /** `api.example.com:8080` */
    host,
    origin,
    /** The path of the server's URL, before the documented paths; empty for its root. */
    prefix,
    /** The path and query of a target, or why there is none: 400 if it is no path, 421 for the URL of another host. */
    targetOf(url: string): string | 400 | 421 {
      if (url.startsWith('/')) return prefix + url;
      if (url === '*') return '*';
      // A client that uses this server as its HTTP proxy sends an absolute URL.
      const whole = /^https?:/i.test(url) ? parseUrl(url) : undefined;
      if (whole === undefined) return 400;
      if (whole.host !== host && !isLocalName(whole.hostname)) return 421;
      return prefix + whole.pathname + whole.search;
    },
    /** Begins a request with the server's own `Host`. @throws what `node:http` throws for a header that cannot be sent */
    begin(method: string, path: string, raw: RawHeaders): ClientRequest {
      // Certificates and virtual hosts depend on the server's own name.
      const headers = ['Host', host, ...raw] as unknown as OutgoingHttpHeaders;
      return send({ ...tls, protocol, hostname, port, method, path, agent, setHost: false, headers });
    },
    close: (): void => agent.destroy(),
  };
}
