import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { bodyBytes, type ConnectionFault, cookiesIn, type Wire } from '../wire/wire.ts';
import { failure, isWithoutBody, reportFailure } from '../wire/sendable.ts';

/** Milliseconds between the chunks of a slow body. */
const BEAT = 50;

type BytesOf = (wire: Wire) => Uint8Array;

/** Delivers an answer, once it is there, as requested: late, slowly, or as a broken connection. */
export function deliver(response: ServerResponse, wire: Wire | Promise<Wire>, bytesOf: BytesOf = bodyBytes): void {
  if ('then' in wire) return void wire.then((came) => sendGuarded(response, () => deliver(response, came, bytesOf)));
  const { delay = 0 } = wire.delivery ?? {};
  const step = send.bind(undefined, response, wire, bytesOf);
  if (delay <= 0) return sendGuarded(response, step);
  const timer = setTimeout(sendGuarded, delay, response, step);
  response.once('close', () => clearTimeout(timer));
}

/** Runs one step of sending an answer. An error is reported, and fails only this request. */
export function sendGuarded(response: ServerResponse, step: () => void): void {
  try {
    step();
  } catch (error) {
    reportFailure(response.req.method ?? '', response.req.url ?? '', error);
    if (response.headersSent) response.destroy();
    else response.writeHead(failure.status, failure.headers).end(failure.body);
  }
}

function send(response: ServerResponse, wire: Wire, bytesOf: BytesOf): void {
  const { status, cookies, delivery } = wire;
  const headers: OutgoingHttpHeaders = { ...wire.headers };
  // As Node.js takes them: a list where there are several of one name.
  if (cookies !== undefined) headers['set-cookie'] = [...cookiesIn(wire)];
  if (response.headersSent || response.destroyed) return;
  // An HTTP/2 connection is shared, so only the stream of this answer breaks.
  if (delivery?.connection !== undefined) {
    if ('stream' in response) return void response.destroy(new Error(delivery.connection));
    return breakOff(response, delivery.connection);
  }
  if (isWithoutBody(status)) return void response.writeHead(status, headers).end();
  const isRead = response.req.method === 'GET' || response.req.method === 'HEAD';
  if (!isRead && delivery?.rate === undefined && wire.encoding === undefined) {
    // As a text, which Node.js joins with the head and encodes at once.
    headers['content-length'] = Buffer.byteLength(wire.body);
    return void response.writeHead(status, headers).end(wire.body);
  }
  const bytes = isRead ? bytesOf(wire) : bodyBytes(wire);
  headers['content-length'] = bytes.length;
  response.writeHead(status, headers);
  if (response.req.method === 'HEAD') response.end();
  else if (delivery?.rate !== undefined) sendSlowly(response, bytes, delivery.rate);
  else response.end(bytes);
}

/** Keeps recent bodies as UTF-8: encoding a page of results takes longer than finding it. */
export function createBodyCache(): BytesOf {
  const encoded = new LRUCache<string, Uint8Array>({ max: 256, maxSize: 8_000_000 });
  return (wire) => {
    if (wire.encoding !== undefined) return bodyBytes(wire);
    const known = encoded.get(wire.body);
    if (known) return known;
    const bytes = Buffer.from(wire.body);
    encoded.set(wire.body, bytes, { size: bytes.length + 1 });
    return bytes;
  };
}

/** `rate` is in bytes per second. */
function sendSlowly(response: ServerResponse, body: Uint8Array, rate: number): void {
  const began = performance.now();
  let sent = 0;
  const beat = (): void => {
    const due = Math.min(body.length, Math.ceil(((performance.now() - began) * rate) / 1000));
    if (due > sent) response.write(body.subarray(sent, due));
    sent = due;
    if (sent === body.length) response.end();
  };
  const timer = setInterval(() => sendGuarded(response, beat), BEAT);
  response.once('finish', () => clearInterval(timer)).once('close', () => clearInterval(timer));
}

const lastWords = {
  MALFORMED_RESPONSE_CHUNK:
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nnot a chunk\r\n',
  RANDOM_DATA_THEN_CLOSE: '\u0001\u0002 this is no HTTP \u0003\u0004\r\n\r\n',
};

function breakOff({ socket }: ServerResponse, fault: ConnectionFault): void {
  if (fault === 'EMPTY_RESPONSE') socket?.destroy();
  else if (fault !== 'CONNECTION_RESET_BY_PEER') socket?.end(lastWords[fault]);
  else if (socket && 'resetAndDestroy' in socket) socket.resetAndDestroy();
}
