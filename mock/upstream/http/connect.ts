import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { RawHeaders } from './headers.ts';
import { parseUrl } from '../../../text/parse-url.ts';

/** A server that requests are sent on to. */
export interface ServerBehind {
  /** Paths are appended to it. */
  readonly upstream: URL;
  /** Certificates (PEM) to trust in place of the well-known authorities. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean;
}

/** The way to a server, over connections that are kept. */
export interface Connector {
  /** What the paths of the server begin with; empty where that is its root. */
  readonly prefix: string;
  /** Path and query at the server of what a request names; `undefined` where that is no path. */
  targetOf(url: string): string | undefined;
  /** Begins a request under the server's own name. Throws what `node:http` throws for a header that cannot be sent. */
  begin(method: string | undefined, target: string, headers: RawHeaders): ClientRequest;
  close(): void;
}

export function createConnector({ upstream, ca, insecure }: ServerBehind): Connector {
  const { request: send, Agent } = upstream.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const tls =
    upstream.protocol === 'https:'
      ? { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: insecure !== true }
      : {};
  return {
    prefix,
    targetOf(url) {
      if (url.startsWith('/')) return prefix + url;
      // As a client writes it that takes us for its proxy.
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
        // The server is asked under its own name, of which certificates and virtual hosts are.
        headers: ['Host', upstream.host, ...headers] as unknown as OutgoingHttpHeaders,
      }),
    close: () => agent.destroy(),
  };
}
