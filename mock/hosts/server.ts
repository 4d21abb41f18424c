import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from 'express';
import type { MockRequest } from '../call.ts';
import { bodyLimit } from './body-limit.ts';
import { createConnections, type OnHost } from './connections.ts';
import type { MockCore } from '../mock-core.ts';
import { deliver, deliverLater, sendGuarded } from './deliver.ts';
import type { Gate } from '../../http/gate.ts';
import { mountedGate } from '../access/gate.ts';
import { isOwn, isPage, ofWorld, parsedBody, targetOf, type Middleware } from './mounted/mount.ts';
import { streamHeaders, streamJournal, wantedStream } from './stream.ts';

/**
 * The mock as a listener for `node:http` and as a middleware. A request without a body is answered at once. Express
 * reads a body that nobody has read, and is loaded with the first. The `gate` comes before everything.
 */
export function createApp(mock: MockCore, gate: Gate = mountedGate): Middleware {
  const connections = createConnections();
  const readBody = bodyReader();
  return (request, response, next) => {
    const target = targetOf(request);
    if (next !== undefined && !isOwn(target)) return next();
    const on = connections.begin(request.socket);
    response.once('close', on.end);
    // A client that disconnects during the answer is not an error.
    response.on('error', () => response.destroy());
    sendGuarded(response, () => {
      const read = readRequest(request, target, on.onHost());
      const refused = gate(read);
      if (refused) return deliver(response, refused);
      const asked = ofWorld(read, gate);
      if (isPage(asked.target)) return sendPage(response, asked);
      const session = wantedStream(asked);
      if (session !== undefined) return sendJournal(mock, session, response);
      if (!hasBody(request)) return deliverLater(response, mock.respond(asked));
      readBody(request, response, bodyLimit(mock, asked), (error) => {
        if (error !== undefined && request.destroyed && !request.complete) return response.destroy();
        const failed = error === undefined ? {} : whatFailed(error);
        deliverLater(response, mock.respond({ ...readRequest(request, target, on.onHost()), ...failed }));
      });
    });
  };
}

/** RFC 9112, section 6: a request has a body if it has one of these headers. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function sendPage(response: ServerResponse, asked: MockRequest): void {
  const { status, headers, body } = (require('../pages') as typeof import('../pages/index.ts')).pageFor(asked);
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': body.length }) });
  response.end(asked.method === 'HEAD' ? undefined : body);
}

function sendJournal(mock: MockCore, session: string, response: ServerResponse): void {
  for (const [name, value] of Object.entries(streamHeaders)) response.setHeader(name, value);
  const stop = streamJournal(mock, session, {
    waiting: () => response.writableLength,
    write: (text) => sendGuarded(response, () => void (response.writable && response.write(text))),
    end: () => response.end(),
    drop: () => response.destroy(),
  });
  response.once('close', stop);
}

type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  done: (error?: unknown) => void,
) => void;

/** Reads the body into `body` of the request, decompressed and up to a limit. */
function bodyReader(): ReadBody {
  const readers = new Map<number, Handler>();
  return (request, response, limit, done) => {
    const { raw } = require('express') as typeof import('express');
    const reader = readers.get(limit) ?? raw({ type: () => true, limit });
    readers.set(limit, reader);
    type HandlerArguments = Parameters<Handler>;
    reader(request as HandlerArguments[0], response as HandlerArguments[1], (error?: unknown) =>
      sendGuarded(response, () => done(error)),
    );
  };
}

/** The body: the bytes that were read, or what an earlier parser made of them. */
function readRequest(request: IncomingMessage, target: string, on: OnHost): MockRequest {
  const { method = '' } = request;
  const body = parsedBody(request);
  return { method, target, headers: headersOf(request), body, ...on };
}

/**
 * Node.js joins repeated headers, except `set-cookie`, which no client sends. In HTTP/2, which dev servers use over
 * TLS, the host is a pseudo-header (RFC 9113, section 8.3.1).
 */
function headersOf({ headers }: IncomingMessage): MockRequest['headers'] {
  if (':method' in headers) {
    const plain = Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(':') || value === undefined ? [] : [[name, String(value)] as const],
    );
    return { host: String(headers[':authority'] ?? ''), ...Object.fromEntries(plain) };
  }
  const { 'set-cookie': cookies } = headers;
  return (cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }) as MockRequest['headers'];
}

/** A body that could not be read: too large, or not decodable. */
function whatFailed(error: unknown): Partial<MockRequest> {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  return type === 'entity.too.large' ? { oversize: true } : { body: new Uint8Array([0xff]) };
}
