import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { RawHeaders } from './headers.ts';
import { parseUrl } from '../text/parse-url.ts';

/** The server that requests are forwarded to. */
export interface UpstreamServer {
  /** Paths are appended to it. */
  readonly upstream: URL;
  /** Certificates (PEM) to trust in place of the well-known authorities. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean;
}

/** A client of one server, over connections that are kept alive. */
export interface Connector {
  /** The path of the server's URL, before the documented paths; empty for its root. */
  readonly prefix: string;
  /** The path and query at the server for the target of a request; `undefined` if the target is not a path. */
  targetOf(url: string): string | undefined;
  /** Begins a request with the server's own `Host`. @throws what `node:http` throws for a header that cannot be sent */
  begin(method: string | undefined, target: string, headers: RawHeaders): ClientRequest;
  close(): void;
}

export function createConnector({ upstream, ca, insecure }: UpstreamServer): Connector {
  const { request: send, Agent } = upstream.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const tls = upstream.protocol === 'https:' ? { ca, rejectUnauthorized: insecure !== true } : {};
  return {
    prefix,
    targetOf(url) {
      if (url.startsWith('/')) return prefix + url;
      // A client that uses this server as its HTTP proxy sends an absolute URL.
      const whole = parseUrl(url);
      return whole && /^https?:$/.test(whole.protocol)
        ? prefix + whole.pathname + whole.search
        : url === '*'
          ? '*'
          : undefined;
    },
    begin: (method, path, headers) =>
      send({
        ...tls,
        protocol: upstream.protocol,
        hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
        port: upstream.port,
        method,
        path,
        agent,
        setHost: false,
        // Certificates and virtual hosts depend on the server's own name.
        headers: ['Host', upstream.host, ...headers] as unknown as OutgoingHttpHeaders,
      }),
    close: () => agent.destroy(),
  };
}
