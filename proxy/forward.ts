import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { createConnector, type UpstreamServer } from '../http/connect.ts';
import { codeOf, sendOnward, type Forwarding } from '../http/forward.ts';
import { withoutHop, SOURCE, type RawHeaders } from '../http/headers.ts';

/** The server to forward to. */
export interface ForwarderOptions extends UpstreamServer {
  /** The milliseconds after which a silent upstream counts as down. */
  readonly timeoutMs: number;
}

/** Inspects one request and its answer while they pass. It must not throw. */
export interface Inspection {
  /** Receives a chunk of the request's body. */
  readonly request?: ((chunk: Buffer) => void) | undefined;
  /** Whether to hold an answer of this media type until it is complete. Other answers are forwarded chunk by chunk. */
  readonly holds?: ((type: string) => boolean) | undefined;
  /** Receives a chunk of the answer's body, held or not. */
  readonly answer?: ((chunk: Buffer) => void) | undefined;
  /** The answer is complete. Says what to change in a held answer. */
  end(answer: { readonly status: number; readonly rawHeaders: RawHeaders }, isHeld: boolean): Changes;
  /** The answer broke off, or the client disconnected. */
  failed(): void;
}

/** Headers to add to an answer, and an answer to send instead of it. */
export interface Changes {
  readonly headers: Readonly<Record<string, string>>;
  readonly instead?: { readonly status: number; readonly body: string } | undefined;
}

/** The proxy holds at most so many bytes of an answer, for at most so many milliseconds. */
const MOST_HELD = 1024 * 1024;
const LONGEST_HELD_MS = 200;

export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse, inspection: Inspection | undefined): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The upstream's URL for a request; `undefined` if its target is not a path. */
  urlOf(request: IncomingMessage): string | undefined;
  close(): void;
}

const HOST: ReadonlySet<string> = new Set(['host']);

export function createForwarder({ timeoutMs, ...server }: ForwarderOptions): Forwarder {
  const connector = createConnector(server);
  const pathOf = ({ url = '/' }: IncomingMessage): string | undefined => connector.targetOf(url);

  return {
    urlOf(request) {
      const path = pathOf(request);
      if (path?.startsWith('/') === true) return connector.origin + path;
      return undefined;
    },
    forward(request, response, inspection) {
      const path = pathOf(request);
      if (path === undefined) return answerFor(response, 400, 'The target of the request is not a path.');
      const { method = 'GET', headers: sent, rawHeaders } = request;
      const isChunked = sent['transfer-encoding'] !== undefined;
      const hasBody = isChunked || sent['content-length'] !== undefined;
      const headers = withoutHop(rawHeaders, HOST);
      if (isChunked) headers.push('Transfer-Encoding', 'chunked');
      const fail = (status: number, words: string): void => {
        inspection?.failed();
        // Once the head is sent, only a closed connection can tell the client that the body is incomplete.
        if (response.headersSent) response.destroy();
        else answerFor(response, status, words);
      };
      let forwarding: Forwarding;
      try {
        const onward = { method, path, headers, body: hasBody ? request : undefined };
        forwarding = sendOnward(
          connector,
          onward,
          { silent: timeoutMs },
          {
            answer: (answer) => giveBack(answer, response, inspection, () => forwarding.complete()),
            fail: ({ failure, message }) =>
              fail(failure === 'timeout' ? 504 : 502, `The request to the upstream failed. ${message}`),
          },
        );
      } catch (error) {
        return fail(400, `The request cannot be forwarded: ${codeOf(error)}`);
      }
      response.on('close', () => {
        if (!response.writableFinished && forwarding.abandon()) inspection?.failed();
      });
      if (hasBody && inspection?.request) request.on('data', inspection.request);
    },
    upgrade(request, socket, head) {
      const path = pathOf(request);
      if (path === undefined) return void socket.destroy();
      const headers = withoutHop(request.rawHeaders, HOST);
      headers.push('Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? '');
      connectSockets(connector.begin(request.method ?? 'GET', path, headers), socket, head);
    },
    close: () => connector.close(),
  };
}

/** Connects a client with the upstream as soon as that has switched protocols. */
function connectSockets(out: ClientRequest, socket: Duplex, head: Buffer): void {
  const end = (): void => void (socket.destroy(), out.destroy());
  out.on('error', end);
  socket.on('error', end);
  out.on('response', end);
  out.on('upgrade', ({ statusMessage = '', rawHeaders }, upstreamSocket, first) => {
    const lines = [`HTTP/1.1 101 ${statusMessage}`];
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (first.length > 0) socket.write(first);
    if (head.length > 0) upstreamSocket.write(head);
    pipeline(socket, upstreamSocket, end);
    pipeline(upstreamSocket, socket, end);
  });
  out.end();
}

/** Sends an answer to the client: chunk by chunk, or, if the inspection holds it, once it is complete. */
function giveBack(
  answer: IncomingMessage,
  response: ServerResponse,
  inspection: Inspection | undefined,
  complete: () => void,
): void {
  const { statusCode: status = 502, statusMessage = '', rawHeaders } = answer;
  const held: Buffer[] = [];
  let size = 0;
  let isHeld = inspection?.holds?.(answer.headers['content-type'] ?? '') === true;
  let timer: NodeJS.Timeout | undefined;

  const writeHead = (added: Changes['headers']): void => {
    const passed = withoutHop(rawHeaders, new Set([SOURCE, ...Object.keys(added)]));
    passed.push(SOURCE, 'upstream', ...Object.entries(added).flat());
    response.writeHead(status, statusMessage, passed);
  };
  const letGo = (): void => {
    clearTimeout(timer);
    if (!isHeld) return;
    isHeld = false;
    writeHead({});
    for (const chunk of held.splice(0)) response.write(chunk);
  };
  if (isHeld) timer = setTimeout(letGo, LONGEST_HELD_MS);
  else writeHead({});

  answer.on('data', (chunk: Buffer) => {
    inspection?.answer?.(chunk);
    if (isHeld) {
      held.push(chunk);
      size += chunk.length;
      if (size > MOST_HELD) letGo();
    } else if (!response.write(chunk)) {
      answer.pause();
      response.once('drain', () => answer.resume());
    }
  });
  answer.on('end', () => {
    clearTimeout(timer);
    if (!answer.complete) return;
    complete();
    if (!isHeld) {
      response.end();
      inspection?.end({ status, rawHeaders }, false);
      return;
    }
    const { headers = {}, instead } = inspection?.end({ status, rawHeaders }, true) ?? {};
    if (instead) return answerFor(response, instead.status, instead.body, headers);
    writeHead(headers);
    response.end(Buffer.concat(held));
  });
  answer.on('close', () => clearTimeout(timer));
}

/** Sends an answer of the proxy itself. */
function answerFor(response: ServerResponse, status: number, words: string, headers: Changes['headers'] = {}): void {
  if (response.destroyed) return;
  const body = words.startsWith('{') ? words : JSON.stringify({ error: words });
  response.writeHead(status, { ...headers, 'content-type': 'application/json', [SOURCE]: 'proxy' });
  response.end(body);
}
