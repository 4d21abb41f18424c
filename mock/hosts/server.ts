import type { IncomingMessage, RequestListener } from 'node:http';
import type { ErrorRequestHandler, Handler } from 'express';
import type { Profile } from '../../spec/index.ts';
import { ADMIN } from '../admin/index.ts';
import type { MockRequest } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { createConnections, type OnHost } from './connections.ts';
import { sessionOf } from '../core.ts';
import type { MockCore } from '../mock-core.ts';
import { deliver, sendGuarded } from './deliver.ts';
import { mountedGate, type Gate } from '../access/gate.ts';
import { isSessionName } from '../session/sessions.ts';
import { isOwn, noteMount, parsedBody, targetOf, type Middleware } from './mount.ts';
import { streamJournal } from './stream.ts';

/**
 * The mock as a listener for `node:http` and as a middleware. A request to the service that has no body is answered at
 * once; all others go through Express, which is loaded with the first of them: its router alone takes longer than most
 * answers. Whoever `gate` does not let in comes no further, whatever was asked for.
 */
export function createApp(mock: MockCore, gate: Gate = mountedGate): Middleware {
  let app: RequestListener | undefined;
  const connections = createConnections();
  const onHost: OnHosts = new WeakMap();
  return (request, response, next) => {
    const target = targetOf(request);
    if (next !== undefined && !isOwn(target)) return next();
    noteMount(request, target);
    const on = connections.begin(request.socket);
    onHost.set(request, on);
    response.once('close', on.end);
    // What is written to a client that has gone is nobody's loss.
    response.on('error', () => response.destroy());
    sendGuarded(response, () => {
      const asked = readRequest(request, onHost);
      const refused = gate(asked);
      if (refused) return deliver(response, refused);
      if (isService(target) && !hasBody(request)) return deliver(response, mock.handle(asked));
      app ??= createExpressApp(mock, gate, onHost);
      app(request, response);
    });
  };
}

/** What each request has beside it; one request is one object on its way through Express. */
type OnHosts = WeakMap<IncomingMessage, OnHost>;

/** The endpoints, `/__admin` beside them, and pages for people. */
function createExpressApp(mock: MockCore, gate: Gate, onHost: OnHosts): RequestListener {
  const express = require('express') as typeof import('express');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // As the gate reads paths.
  app.enable('case sensitive routing');
  app.get([`${ADMIN}/requests/stream`, `/_s/:session${ADMIN}/requests/stream`], (request, response, next) => {
    const { id } = sessionOf(readRequest(request, onHost));
    // What no session can be called is refused like any other request.
    if (request.method === 'GET' && (id === '' || isSessionName(id))) streamJournal(mock, id, response);
    else next();
  });
  // Who may ask for the ids of the mock finds them in the document of its reference too.
  app.get('/docs/openapi.json', (request, response, next) => {
    const asked = { ...readRequest(request, onHost), target: `${ADMIN}/service/openapi.json` };
    if (gate(asked)) next();
    else deliver(response, mock.handle(asked));
  });
  app.use(['/docs', `${ADMIN}/ui`], (request, response, next) => {
    (require('../pages') as typeof import('../pages/index.ts')).pages()(request, response, next);
  });
  const bodyFailed: ErrorRequestHandler = (error, request, response, _next) =>
    request.destroyed && !request.complete
      ? response.destroy()
      : deliver(response, mock.handle({ ...readRequest(request, onHost), ...whatFailed(error) }));
  const failed: ErrorRequestHandler = (error, _request, response, _next) =>
    sendGuarded(response, () => {
      throw error;
    });
  app.use(bodyReader(mock, express.raw, onHost), bodyFailed);
  app.use((request, response) => deliver(response, mock.handle(readRequest(request, onHost))));
  app.use(failed);
  return app;
}

const isService = (target: string): boolean => /^(?:\/_s\/[^/?]*)?\/api\//.test(target);

/** RFC 9112, section 6: one of these says that a request has a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Reads bodies of up to what the profile of the request's session allows. */
function bodyReader(mock: MockCore, raw: typeof import('express').raw, onHost: OnHosts): Handler {
  const readers = new Map<number, Handler>();
  return (request, response, next) => {
    const limit = chosen(profileFor(mock, readRequest(request, onHost)), 'body-limit');
    const reader = readers.get(limit) ?? raw({ type: () => true, limit });
    readers.set(limit, reader);
    reader(request, response, next);
  };
}

/** The profile of the session that a request belongs to; a session that is not there yet has the mock's. */
function profileFor(mock: MockCore, request: MockRequest): Profile {
  if (request.headers['x-mock-session'] === undefined && !request.target.startsWith('/_s/')) return mock.profile;
  const { id } = sessionOf(request);
  return mock.sessions.has(id) ? mock.session(id).profile : mock.profile;
}

/** Express keeps the bytes of a body in `body`; a parser before the mock, what it made of them. */
function readRequest(request: IncomingMessage, onHost: OnHosts): MockRequest {
  const { method = '', url: target = '' } = request;
  const body = parsedBody(request);
  return {
    method,
    target,
    headers: headersOf(request),
    ...(body === undefined ? {} : { body }),
    ...onHost.get(request),
  };
}

/** Node.js gives the values of one name as a list for `set-cookie` alone, which no client has reason to send. */
function headersOf({ headers }: IncomingMessage): MockRequest['headers'] {
  const { 'set-cookie': cookies } = headers;
  return (cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }) as MockRequest['headers'];
}

/** A body that could not be read: over the limit, or encoded in a way that could not be undone. */
function whatFailed(error: unknown): Partial<MockRequest> {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  return type === 'entity.too.large' ? { oversize: true } : { body: new Uint8Array([0xff]) };
}
