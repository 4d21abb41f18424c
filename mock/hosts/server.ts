import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MockRequest } from '../call.ts';
import { bodyLimit } from './body-limit.ts';
import { createConnections, type OnHost } from './connections.ts';
import type { MockCore } from '../mock-core.ts';
import { deliver, deliverLater, sendGuarded } from './deliver.ts';
import type { Gate } from '../../http/gate.ts';
import { mountedGate } from '../access/gate.ts';
import { isOwn, isPage, ofWorld, parsedBody, targetOf, type Middleware } from './mounted/mount.ts';
import { streamJournal, wantedStream } from './stream.ts';
import { readBody } from '../../http/body.ts';
import { eventStreamHeaders, readerOf } from '../../http/event-stream.ts';

/**
 * The mock as a listener for `node:http` and as a middleware. A request without a body is answered at once. The `gate`
 * comes before everything.
 */
export function createApp(mock: MockCore, gate: Gate = mountedGate): Middleware {
  const connections = createConnections();
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
      bodyOf(request, bodyLimit(mock, asked)).then(
        (body) =>
          sendGuarded(response, () => deliverLater(response, mock.respond({ ...asked, ...on.onHost(), ...body }))),
        () => response.destroy(),
      );
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
  for (const [name, value] of Object.entries(eventStreamHeaders)) response.setHeader(name, value);
  const stop = streamJournal(mock, session, readerOf(response));
  response.once('close', stop);
}

function readRequest(request: IncomingMessage, target: string, on: OnHost): MockRequest {
  const { method = '' } = request;
  return { method, target, headers: headersOf(request), body: parsedBody(request), ...on };
}

/**
 * The body without its encoding, read here or by an earlier parser. One that cannot be unpacked becomes a byte that no text
 * has, so that it is refused like any other that cannot be read. Rejects if the client disconnects.
 */
async function bodyOf(request: IncomingMessage, limit: number): Promise<Pick<MockRequest, 'body' | 'oversize'>> {
  const parsed = parsedBody(request);
  if (parsed || request.readableEnded) return { body: parsed };
  const body = await readBody(request, limit, 'drop');
  if (!body) return { oversize: true };
  const { 'content-encoding': encoding } = request.headers;
  if (encoding === undefined) return { body };
  const { isPacked, unpack } = require('../../http/unpack') as typeof import('../../http/unpack.ts');
  const unpacked = unpack(body, encoding, limit);
  if (!isPacked(unpacked)) return { body: unpacked };
  if (unpacked.failure === 'too-large') return { oversize: true };
  return { body: new Uint8Array([0xff]) };
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
