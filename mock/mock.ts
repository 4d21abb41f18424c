import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCore } from './core.ts';
import type { MockRequest } from './call.ts';
import type { MockCore, MockOptions } from './mock-core.ts';
import { besides } from './hosts/stream.ts';
import { createFetch } from './hosts/fetch.ts';
import { createHandler, type FetchHandler, type HandlerOptions } from './hosts/mounted/handler.ts';
import type { Middleware } from './hosts/mounted/mount.ts';
import type { MockRouter } from './hosts/mounted/router.ts';
import type { Gate } from '../http/gate.ts';
import { type GateOptions, listeningGate, readAdminToken } from './access/gate.ts';
import { bracketed, isLoopback } from '../http/local-names.ts';
import { MockError } from './mock-error.ts';
import { platform } from '../text/platform.ts';
import { behindOf } from './upstream/behind.ts';

/** A mock with its hosts: a server, a request listener, and a `fetch` without a server. */
export interface Mock extends MockCore {
  /**
   * A request listener for `node:http`, supertest and the like, and a middleware for Express, Connect, Fastify and
   * Vite. It answers below the path where it is mounted, and passes other requests to `next`.
   */
  readonly app: Middleware;
  /** A new Express router with the mock first, to which you can add your own routes for other requests. */
  router(): MockRouter;
  /** Like the global `fetch`, in process, for any origin of the URL. It does not follow redirects. */
  readonly fetch: typeof fetch;
  /**
   * A handler for servers that speak the Fetch API (Hono, Next, Bun, Deno), with the dashboard and the reference. Pages
   * from other sites cannot reach `/__admin`. @throws MockError for an invalid base path.
   */
  handler(options?: HandlerOptions): FetchHandler;
  /** Starts a server, on loopback by default. @throws the error of `listen`, and MockError for an invalid option. */
  listen(options?: ListenOptions): Promise<MockServer>;
}

export interface ListenOptions extends GateOptions {
  /** Default: 0, which takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Serves HTTPS with this certificate and key, both PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface MockServer {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  readonly port: number;
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean;
  /** Lets the process end while the server listens. */
  unref(): void;
  /** Stops listening, waits up to this many milliseconds for answers in progress (default: 0), and ends the rest. */
  close(grace?: number): Promise<void>;
}

/**
 * Creates a stateful mock of the service: the endpoints over a generated world.
 * @throws MockError for an unknown persona, profile, gap, choice or fault, a setting out of range, or an invalid state
 * or seed.
 */
export function createMock(options: MockOptions = {}): Mock {
  const core = createCore(options, behindOf);
  const app = lazyApp(core);
  const beside = besides(core, page);
  return Object.assign(core, {
    app,
    router: (): MockRouter =>
      (require('./hosts/mounted/router') as typeof import('./hosts/mounted/router.ts')).createRouter(app),
    fetch: createFetch(core, beside),
    handler: createHandler.bind(undefined, core, beside),
    listen: listen.bind(undefined, core),
  });
}

/** Loads the code for pages with the first of them. */
function page(request: MockRequest): Response {
  const { status, headers, body } = (require('./pages') as typeof import('./pages/index.ts')).pageFor(request);
  const isEmpty = request.method === 'HEAD' || status === 304;
  return new platform.Response(isEmpty ? null : body, { status, headers });
}

async function listen(
  core: MockCore,
  { port = 0, host = '127.0.0.1', tls, ...more }: ListenOptions = {},
): Promise<MockServer> {
  // The mock shows the service tokens to everybody.
  if (more.adminToken !== undefined && core.tokens.has(readAdminToken(more.adminToken)))
    throw new MockError(
      'The admin token is also a token of the service, which the mock shows to everybody. Choose another.',
    );
  let isLocal = true;
  const gate = listeningGate(more, () => isLocal);
  const running = await listening(createServer(tls, lazyApp(core, gate)), tls ? 'https' : 'http', port, host);
  ({ isLocal } = running);
  return running;
}

function createServer(tls: ListenOptions['tls'], listener: Middleware): Server {
  if (!tls) return (require('node:http') as typeof import('node:http')).createServer(limits, listener);
  const options = { ...limits, ...tls, handshakeTimeout: limits.headersTimeout };
  return (require('node:https') as typeof import('node:https')).createServer(options, listener);
}

/** Half a request cannot hold a connection for ever; an idle one stays, as no client expects an end as it sends the next. */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
};

/** Loads the code for sockets with the first request over one. */
function lazyApp(core: MockCore, gate?: Gate): Middleware {
  let app: Middleware | undefined;
  return (request, response, next) => {
    app ??= (require('./hosts/server') as typeof import('./hosts/server.ts')).createApp(core, gate);
    app(request, response, next);
  };
}

async function listening(server: Server, scheme: string, port: number, host: string): Promise<MockServer> {
  const running = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${bracketed(host)}:${bound}`,
    port: bound,
    isLocal: isLoopback(address),
    unref() {
      server.on('connection', (socket) => socket.unref());
      server.unref();
    },
    close: (grace = 0) =>
      new Promise((resolve) => {
        const timer = grace > 0 ? setTimeout(() => server.closeAllConnections(), grace) : undefined;
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        if (grace <= 0) server.closeAllConnections();
        for (const response of running) {
          // A stream never ends by itself, and a kept-alive connection would delay the end.
          if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.end();
          response.once('close', () => server.closeIdleConnections());
        }
      }),
  };
}
