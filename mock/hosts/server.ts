import type { IncomingMessage } from 'node:http';
import type { MockRequest } from '../call.ts';
import { createConnections } from './connections.ts';
import type { MockCore } from '../mock-core.ts';
import { createBodyCache, deliver, sendGuarded } from './deliver.ts';
import type { Gate } from '../../http/gate.ts';
import { mountedGate } from '../access/gate.ts';
import type { Middleware } from './mounted/mount.ts';
import { baseOf, bodyLimitOf, isOwn, isPage, ofWorld, parsedBody, targetOfRequest } from './mounted/mount.ts';
import { streamJournal, wantedStream } from './stream.ts';
import { createBodyBuffer } from '../../http/body.ts';
import { eventStreamHeaders } from '../../http/event-stream.ts';

/** As a listener for `node:http` and as a middleware. The `gate` comes before everything. */
export function createApp(mock: MockCore, gate: Gate = mountedGate): Middleware {
  const connections = createConnections();
  const bytesOf = createBodyCache();
  return (request, response, next) => {
    const target = targetOfRequest(request);
    if (next !== undefined && !isOwn(target)) return next();
    const on = connections.begin(request.socket);
    response.once('close', on.end);
    // A client that disconnects during the answer is not an error.
    response.on('error', () => response.destroy());
    sendGuarded(response, () => {
      const { method = '', httpVersion } = request;
      const [base, headers, parsed] = [baseOf(request, target), headersOf(request), parsedBody(request)];
      const sent = { method, target, base, headers, httpVersion, body: parsed, ...on.onHost() };
      const refused = gate(sent);
      if (refused) return deliver(response, refused);
      const inside = ofWorld(sent, gate);
      if (isPage(inside.target)) {
        const page = (require('../pages') as typeof import('../pages/index.ts')).pageFor(inside);
        if (page.status !== 304) response.setHeader('content-length', page.body.length);
        return void response.writeHead(page.status, page.headers).end(method === 'HEAD' ? undefined : page.body);
      }
      const session = wantedStream(inside);
      if (session !== undefined) {
        for (const [name, value] of Object.entries(eventStreamHeaders)) response.setHeader(name, value);
        return void response.once('close', streamJournal(mock, session, response));
      }
      // RFC 9112, section 6: a request has a body if it has one of these headers.
      const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
      if (coding === undefined && length === '0') return deliver(response, mock.respond(inside), bytesOf);
      const respond = ({ body, oversize }: Pick<MockRequest, 'body' | 'oversize'>): void => {
        // One literal: V8 takes longer for spreads than for all the rest of this.
        const { underWay, keptConnection } = on.onHost();
        const { target: to } = inside;
        const whole = { method, target: to, base, headers, body, oversize, underWay, keptConnection, httpVersion };
        sendGuarded(response, () => deliver(response, mock.respond(whole), bytesOf));
      };
      bodyOf(request, bodyLimitOf(mock, inside)).then(respond, () => response.destroy());
    });
  };
}

/** Without its encoding. What cannot be unpacked becomes a byte that no text has. Rejects if the client disconnects. */
async function bodyOf(request: IncomingMessage, limit: number): Promise<Pick<MockRequest, 'body' | 'oversize'>> {
  const parsed = parsedBody(request);
  if (parsed || request.readableEnded) return { body: parsed };
  const body = await received(request, limit);
  if (!body) return { oversize: true };
  const { 'content-encoding': encoding } = request.headers;
  if (encoding === undefined) return { body };
  const { isPacked, unpack } = require('../../http/unpack') as typeof import('../../http/unpack.ts');
  const unpacked = unpack(body, encoding, limit);
  if (!isPacked(unpacked)) return { body: unpacked };
  if (unpacked.failure === 'too-large') return { oversize: true };
  return { body: new Uint8Array([0xff]) };
}

/** A body; one that is too large is read to its end and dropped, so that its sender hears an answer. */
function received(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const buffer = createBodyBuffer(limit);
  return new Promise((resolve, reject) => {
    request.on('data', buffer.add);
    request.once('end', () => resolve(buffer.bytes()));
    request.once('error', reject);
  });
}

/** Repeated ones joined. In HTTP/2, the host is a pseudo-header (RFC 9113, section 8.3.1). */
function headersOf({ headers }: IncomingMessage): MockRequest['headers'] {
  const { 'set-cookie': cookies } = headers;
  if (cookies === undefined && !(':method' in headers)) return headers as MockRequest['headers'];
  const plain = Object.entries(headers).filter(([name, value]) => !name.startsWith(':') && value !== undefined);
  if (':method' in headers) plain.unshift(['host', headers[':authority'] ?? '']);
  return Object.fromEntries(plain.map(([name, value]) => [name, [value].flat().join(', ')]));
}
