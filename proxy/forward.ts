import { maxHeaderSize, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { createConnector, type UpstreamServer } from '../http/connect.ts';
import { forwarded, SOURCE, type RawHeaders } from '../http/headers.ts';
import { explain } from '../http/explain-failure.ts';

/** The server to forward to. */
export interface UpstreamOptions extends UpstreamServer {
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
  /** The answer is complete. Returns headers to add to a held answer, or an answer to send instead of it. */
  end(answer: { readonly status: number; readonly rawHeaders: RawHeaders }, isHeld: boolean): Verdict;
  /** The answer broke off, or the client disconnected. */
  failed(): void;
}

export interface Verdict {
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

export function createForwarder({ timeoutMs, ...server }: UpstreamOptions): Forwarder {
  const connector = createConnector(server);
  const { upstream } = server;
  const targetOf = ({ url = '/' }: IncomingMessage): string | undefined => connector.targetOf(url);
  const begin = (request: IncomingMessage, path: string, more: readonly string[] = []): ClientRequest =>
    connector.begin(request.method, path, [...forwarded(request.rawHeaders, OWN), ...more]);

  return {
    urlOf(request) {
      const target = targetOf(request);
      return target?.startsWith('/') === true ? upstream.origin + target : undefined;
    },
    forward(request, response, inspection) {
      const path = targetOf(request);
      if (path === undefined) return answerFor(response, 400, 'The target of the request is not a path.');
      const hasBody =
        request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
      // A chunked body stays chunked.
      const chunked = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
      let out: ClientRequest;
      try {
        out = begin(request, path, chunked);
      } catch (error) {
        inspection?.failed();
        return answerFor(response, 400, `The request cannot be forwarded: ${wordsOf(error)}`);
      }
      pass(request, response, out, { hasBody, inspection, timeoutMs });
    },
    upgrade(request, socket, head) {
      const path = targetOf(request);
      if (path === undefined) return void socket.destroy();
      const out = begin(request, path, ['Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? '']);
      const end = (): void => void (socket.destroy(), out.destroy());
      out.on('error', end);
      socket.on('error', end);
      out.on('response', end);
      out.on('upgrade', (answer, upstreamSocket, first) => {
        const lines = [`HTTP/1.1 101 ${answer.statusMessage ?? ''}`];
        for (let i = 0; i < answer.rawHeaders.length; i += 2)
          lines.push(`${answer.rawHeaders[i]}: ${answer.rawHeaders[i + 1]}`);
        socket.write(`${lines.join('\r\n')}\r\n\r\n`);
        if (first.length > 0) socket.write(first);
        if (head.length > 0) upstreamSocket.write(head);
        pipeline(socket, upstreamSocket, end);
        pipeline(upstreamSocket, socket, end);
      });
      out.end();
    },
    close: () => connector.close(),
  };
}

const OWN: ReadonlySet<string> = new Set(['host']);
const ONLY_SOURCE: ReadonlySet<string> = new Set([SOURCE]);

interface Passing {
  readonly hasBody: boolean;
  readonly inspection: Inspection | undefined;
  readonly timeoutMs: number;
}

/** Forwards a request, and returns its answer. Handles every way in which either may break off. */
function pass(request: IncomingMessage, response: ServerResponse, out: ClientRequest, how: Passing): void {
  const { hasBody, inspection, timeoutMs } = how;
  let isOver = false;
  const fail = (status: number, words: string): void => {
    if (isOver) return;
    isOver = true;
    inspection?.failed();
    out.destroy();
    // Once the head is sent, only a closed connection can tell the client that the body is incomplete.
    if (response.headersSent) response.destroy();
    else answerFor(response, status, words);
  };
  out.setTimeout(timeoutMs, () => fail(504, `The upstream was silent for ${timeoutMs} ms.`));
  out.on('error', (error) => fail(502, `The request to the upstream failed. ${explained(error, out)}`));
  response.on('close', () => {
    if (isOver || response.writableFinished) return;
    isOver = true;
    inspection?.failed();
    out.destroy();
  });
  out.on('response', (answer) => {
    answer.on('aborted', () => fail(502, 'The upstream broke off its answer.'));
    answer.on('error', () => fail(502, 'The upstream broke off its answer.'));
    try {
      giveBack(answer, response, inspection, () => {
        isOver = true;
      });
    } catch (error) {
      fail(502, `The upstream's answer cannot be forwarded: ${wordsOf(error)}`);
    }
  });
  if (hasBody && inspection?.request) request.on('data', inspection.request);
  if (hasBody) pipeline(request, out, () => undefined);
  else out.end();
}

/** Sends an answer to the client: chunk by chunk, or, if the inspection holds it, once it is complete. */
function giveBack(
  answer: IncomingMessage,
  response: ServerResponse,
  inspection: Inspection | undefined,
  done: () => void,
): void {
  const { statusCode: status = 502, statusMessage = '' } = answer;
  const { rawHeaders } = answer;
  const held: Buffer[] = [];
  let size = 0;
  let isHeld = inspection?.holds?.(answer.headers['content-type'] ?? '') === true;
  let timer: NodeJS.Timeout | undefined;

  const writeHead = (added: Readonly<Record<string, string>>): void => {
    const own = Object.entries(added).flat();
    const names = own.length === 0 ? ONLY_SOURCE : new Set([SOURCE, ...Object.keys(added)]);
    const passed = forwarded(rawHeaders, names);
    passed.push(SOURCE, 'upstream', ...own);
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
      return;
    }
    if (!response.write(chunk)) {
      answer.pause();
      response.once('drain', () => answer.resume());
    }
  });
  answer.on('end', () => {
    clearTimeout(timer);
    if (!answer.complete) return;
    done();
    if (!isHeld) {
      response.end();
      inspection?.end({ status, rawHeaders }, false);
      return;
    }
    const verdict = inspection?.end({ status, rawHeaders }, true);
    if (verdict?.instead) return answerFor(response, verdict.instead.status, verdict.instead.body, verdict.headers);
    writeHead(verdict?.headers ?? {});
    response.end(Buffer.concat(held));
  });
  answer.on('close', () => clearTimeout(timer));
}

/** Sends an answer of the proxy itself. */
function answerFor(
  response: ServerResponse,
  status: number,
  words: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  const body = words.startsWith('{') ? words : JSON.stringify({ error: words });
  response.writeHead(status, { ...headers, 'content-type': 'application/json', [SOURCE]: 'proxy' });
  response.end(body);
}

/** The reason of a failure, with the remedy if one is known. */
const explained = (error: unknown, { protocol, host }: ClientRequest): string =>
  explain(error, { host, origin: `${protocol}//${host}`, maxHeaderBytes: maxHeaderSize }).message;

const wordsOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message.slice(0, 100)) : 'unknown error';
