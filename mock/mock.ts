import type { Server, ServerResponse } from 'node:http';
import { createCore, extended } from './core.ts';
import type { MockCore, MockOptions } from './mock-core.ts';
import { besides } from './hosts/beside.ts';
import { createFetch } from './hosts/fetch.ts';
import { createHandler, type FetchHandler, type HandlerOptions } from './hosts/mounted/handler.ts';
import type { Middleware } from './hosts/mounted/mount.ts';
import type { MockRouter } from './hosts/mounted/router.ts';
import { listeningGate, type Gate, type GateOptions } from './access/gate.ts';
import { isLoopback, readAdminToken } from './access/local-names.ts';
import { MockError } from './mock-error.ts';

/** A mock with hosts: a server, a listener for one, and a `fetch` without any. */
export interface Mock extends MockCore {
  /**
   * A request listener for `node:http`, supertest and the like, and a middleware for Express, Connect, Fastify and Vite:
   * mounted on a path it answers below it, and what is not its own goes to `next`.
   */
  readonly app: Middleware;
  /**
   * A new router of Express with the mock in it, for routes of one's own beside it: the mock comes first, and passes on
   * what is not its own.
   */
  router(): MockRouter;
  /**
   * Answers like the global `fetch`, in process: no port, no socket. The origin of the URL does not matter. Redirects are
   * not followed.
   */
  readonly fetch: typeof fetch;
  /**
   * A handler for servers that speak the Fetch API (Hono, Next, Bun, Deno), with the dashboard and the reference. Pages of
   * other sites are kept out of `/__admin`. @throws MockError for a base path that is none.
   */
  handler(options?: HandlerOptions): FetchHandler;
  /**
   * Starts a server, on loopback and any free port unless told otherwise.
   * @throws the error of `listen`, and MockError for a host, an origin or an admin token that is none.
   */
  listen(options?: ListenOptions): Promise<MockServer>;
}

export interface ListenOptions extends GateOptions {
  /** 0, the default, takes any free one. */
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
  /** Stops listening, lets requests that are being answered end for up to so many milliseconds (0 unless given), and ends the rest. */
  close(grace?: number): Promise<void>;
}

/**
 * Creates a stateful mock of the service: the endpoints over a generated world.
 * @throws MockError for an unknown persona, profile, gap, choice or fault, a setting out of range, or a state or seed
 * that does not fit.
 */
export function createMock(options: MockOptions = {}): Mock {
  const core = createCore(options);
  let app: Middleware | undefined;
  const hosts = {
    get app(): Middleware {
      app ??= lazyApp(core);
      return app;
    },
    router: (): MockRouter =>
      (require('./hosts/mounted/router') as typeof import('./hosts/mounted/router.ts')).createRouter(hosts.app),
    fetch: createFetch(core, besides(core)),
    handler: (handlerOptions?: HandlerOptions): FetchHandler => createHandler(core, handlerOptions),
    async listen({ port = 0, host = '127.0.0.1', tls, ...more }: ListenOptions = {}): Promise<MockServer> {
      checkAdminToken(core, more.adminToken);
      let isLocal = true;
      const listener = lazyApp(
        core,
        listeningGate(more, () => isLocal),
      );
      const server =
        tls === undefined
          ? (require('node:http') as typeof import('node:http')).createServer(limits, listener)
          : (require('node:https') as typeof import('node:https')).createServer(
              { ...limits, ...tls, handshakeTimeout: limits.headersTimeout },
              listener,
            );
      const running = await listening(server, tls === undefined ? 'http' : 'https', port, host);
      ({ isLocal } = running);
      return running;
    },
  };
  const mock: Mock = extended(core, hosts);
  return mock;
}

/** The tokens of the service are shown to whoever asks. @throws MockError */
function checkAdminToken({ tokens }: MockCore, adminToken: string | undefined): void {
  if (adminToken === undefined) return;
  if (tokens.has(readAdminToken(adminToken)))
    throw new MockError(
      'The admin token is a token of the service too, which the mock shows to everybody. Take another.',
    );
}

/**
 * Milliseconds in which a client has to send its request, so that half a one holds no connection for ever. An answer
 * may take as long as it likes, and a connection is kept while a client thinks: one that is closed just as the next
 * request is on its way is an error that no client expects.
 */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
};

/** Loads what serves sockets with the first request that comes over one. */
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    isLocal: typeof address === 'object' && address !== null && isLoopback(address.address),
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
          // A stream has no end of its own, and a connection that is kept alive would be waited for.
          if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.end();
          response.once('close', () => server.closeIdleConnections());
        }
      }),
  };
}
