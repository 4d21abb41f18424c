import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Handler, type Request } from 'express';
import type { Profile } from '../spec/index.ts';
import { ADMIN } from './admin/index.ts';
import type { MockRequest } from './call.ts';
import { chosen } from './choices/index.ts';
import { sessionOf, type MockCore } from './core.ts';
import { deliver } from './deliver.ts';
import { streamJournal } from './stream.ts';

/** The mock as an Express application: the six endpoints, `/__admin` beside them, and pages for people. */
export function createApp(mock: MockCore): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Most requests have no body and want no page; they need not pass by what is for the others.
  app.use((request, response, next) => {
    if (isService(request.originalUrl) && !hasBody(request)) deliver(response, mock.handle(readRequest(request)));
    else next();
  });
  app.get([`${ADMIN}/requests/stream`, `/_s/:session${ADMIN}/requests/stream`], (request, response) =>
    streamJournal(mock.session(sessionOf(readRequest(request)).id).journal, response),
  );
  app.use(['/docs', `${ADMIN}/ui`], (request, response, next) => {
    (require('./pages') as typeof import('./pages/index.ts')).pages()(request, response, next);
  });
  const bodyFailed: ErrorRequestHandler = (error, request, response, _next) =>
    deliver(response, mock.handle({ ...readRequest(request), ...whatFailed(error) }));
  const failed: ErrorRequestHandler = (_error, _request, response, _next) => {
    if (response.headersSent) response.destroy();
    else response.status(500).json({ error: 'The mock failed. This is a defect of the mock; please report the request.' });
  };
  app.use(readBody(mock), bodyFailed);
  app.use((request, response) => deliver(response, mock.handle(readRequest(request))));
  app.use(failed);
  return app;
}

const isService = (target: string): boolean => /^(?:\/_s\/[^/?]*)?\/api\//.test(target);

/** RFC 9112, section 6: one of these says that a request has a body. */
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Reads bodies of up to what the profile of the request's session allows. */
function readBody(mock: MockCore): Handler {
  const readers = new Map<number, Handler>();
  return (request, response, next) => {
    const limit = chosen(profileFor(mock, request), 'body-limit');
    const reader = readers.get(limit) ?? express.raw({ type: () => true, limit });
    readers.set(limit, reader);
    reader(request, response, next);
  };
}

/** The profile of the session that a request belongs to; a session that is not there yet has the mock's. */
function profileFor(mock: MockCore, request: Request): Profile {
  const header = request.headers['x-mock-session'];
  if (typeof header !== 'string' && !request.originalUrl.startsWith('/_s/')) return mock.profile;
  const { id } = sessionOf(readRequest(request));
  return mock.sessions.has(id) ? mock.session(id).profile : mock.profile;
}

function readRequest(request: Request): MockRequest {
  const { method, originalUrl: target } = request;
  const headers = headersOf(request);
  const body: unknown = request.body;
  return body instanceof Uint8Array ? { method, target, headers, body } : { method, target, headers };
}

/** Node.js gives the values of one name as a list for `set-cookie` alone, which no client has reason to send. */
function headersOf({ headers }: Request): MockRequest['headers'] {
  const { 'set-cookie': cookies } = headers;
  return (cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }) as MockRequest['headers'];
}

/** A body that could not be read: over the limit, or encoded in a way that could not be undone. */
function whatFailed(error: unknown): Partial<MockRequest> {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  return type === 'entity.too.large' ? { oversize: true } : { body: new Uint8Array([0xff]) };
}
