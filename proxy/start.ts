import http from 'node:http';
import type { Duplex } from 'node:stream';
import { listenOn } from '../http/connect.ts';
import { headText, withoutHop } from '../http/headers.ts';
import { createForwarder, type ForwarderOptions } from './forward.ts';
import type { Inspector } from './inspect.ts';
import type { Counts } from './metrics.ts';

export interface ProxyOptions extends ForwarderOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Default: nothing is judged. */
  readonly inspector?: Inspector | undefined;
  readonly counts?: Counts | undefined;
}

/** Starts a proxy. @throws the error of `listen`. */
export async function startProxy({ port, host, inspector, counts, ...options }: ProxyOptions) {
  const forwarder = createForwarder({ ...options, added: counts?.added });
  const upgraded = new Set<Duplex>();
  let inFlight = 0;
  let drained: (() => void) | undefined;
  const server = http.createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    // A client may disconnect while we write.
    response.on('error', () => response.destroy());
    inFlight++;
    response.on('close', () => {
      inFlight--;
      counts?.requests.inc({ status: String(response.statusCode) });
      if (inFlight === 0) drained?.();
    });
    const url = forwarder.urlOf(request);
    forwarder.forward(request, response, url === undefined ? undefined : inspector?.inspect(request, url));
  });
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return withoutUpgrade(server, request, socket, head);
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    forwarder.webSocket(request, socket, head);
  });
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
  return {
    url: await listenOn(server, port, host),
    /** Takes no new connection, lets requests in flight end for so many milliseconds, and then ends them. */
    close(drainMs = 0): Promise<void> {
      server.close();
      for (const socket of upgraded) socket.destroy();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          server.closeAllConnections();
          forwarder.close();
          resolve();
        };
        const timer = setTimeout(end, drainMs);
        drained = end;
        if (inFlight === 0 || drainMs === 0) end();
      });
    },
  };
}

const OFFER: ReadonlySet<string> = new Set(['http2-settings']);

/**
 * Gives a request back to the server without its offer to switch to another protocol, such as the HTTP/2 that many clients
 * offer: a server may ignore an offer (RFC 9110, 7.8). Node.js reads no body of a request with an offer, so it reads it anew.
 */
function withoutUpgrade(server: http.Server, request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const kept = withoutHop(rawHeaders, OFFER);
  const { 'transfer-encoding': coding, connection = '' } = request.headers;
  if (coding !== undefined) kept.push('Transfer-Encoding', coding);
  if (/\bclose\b/i.test(connection)) kept.push('Connection', 'close');
  const text = headText(`${method} ${url} HTTP/${httpVersion}`, kept);
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]));
  server.emit('connection', socket);
}
