import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import type { MockRequest, Wire } from './call.ts';
import { chosen } from './choices/index.ts';
import { adminRoutes } from './admin.ts';
import type { Mock } from './mock.ts';

/** The mock as an Express application: the six endpoints, and `/__admin` beside them. */
export function createApp(mock: Mock): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/__admin', adminRoutes(mock));
  app.use((request, response, next) => {
    const limit = chosen(mock.profile, 'body-limit');
    express.raw({ type: () => true, limit })(request, response, next);
  });
  app.use((request, response) => send(response, mock.handle(readRequest(request))));
  const bodyFailed: ErrorRequestHandler = (error, request, response, _next) => {
    send(response, mock.handle({ ...readRequest(request), ...whatFailed(error) }));
  };
  app.use(bodyFailed);
  return app;
}

function readRequest(request: Request): MockRequest {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  const body: unknown = request.body;
  return {
    method: request.method,
    target: request.originalUrl,
    headers,
    ...(body instanceof Uint8Array ? { body } : {}),
  };
}

/** A body that could not be read: over the limit, or encoded in a way that could not be undone. */
function whatFailed(error: unknown): Partial<MockRequest> {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  return type === 'entity.too.large' ? { oversize: true } : { body: new Uint8Array([0xff]) };
}

function send(response: Response, wire: Wire): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(wire.status, { ...wire.headers, 'content-length': Buffer.byteLength(wire.body) });
  response.end(response.req.method === 'HEAD' ? undefined : wire.body);
}
