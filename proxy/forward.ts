import { STATUS_CODES, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { createConnector, type UpstreamServer } from '../http/connect.ts';
import { sendOnward, unsendable, type Forwarding, type Receiver } from '../http/forward.ts';
import { headText, withoutHop, SOURCE, type RawHeaders } from '../http/headers.ts';
import { codeOf } from '../text/errors.ts';

export interface ForwarderOptions extends UpstreamServer {
  /** The milliseconds after which a silent upstream counts as down. */
  readonly timeoutMs: number;
  /** Learns how many seconds passed from the last byte of the upstream until the client's connection had it. */
  readonly added?: { observe(seconds: number): void } | undefined;
}

/** Inspects one request and its answer while they pass. It must not throw. */
export interface Inspection {
  readonly request?: ((chunk: Buffer) => void) | undefined;
  /** How long to hold the answer until it is complete and judged. Otherwise it is forwarded piece by piece. */
  readonly holds?: (() => Hold | undefined) | undefined;
  /** Receives a chunk of the answer's body, held or not. */
  readonly answer?: ((chunk: Buffer) => void) | undefined;
  /** The answer is complete. Says what to change in a held answer. */
  end(
    answer: { readonly status: number; readonly rawHeaders: RawHeaders },
    isHeld: boolean,
  ): Changes | Promise<Changes>;
  failed(): void;
}

export interface Hold {
  readonly mostBytes: number;
  readonly longestMs: number;
  /** A bound was met. Says what to send instead of the answer, which is otherwise forwarded piece by piece. */
  readonly giveUp?: () => Changes['instead'];
}

/** Headers to add to an answer, and an answer to send instead of it. */
export interface Changes {
  readonly headers: Readonly<Record<string, string>>;
  readonly instead?: { readonly status: number; readonly body: string } | undefined;
}

const HOST: ReadonlySet<string> = new Set(['host']);

export function createForwarder({ timeoutMs, added, ...server }: ForwarderOptions) {
  const connector = createConnector(server);

  return {
    /** The upstream's URL for a request; `undefined` if its target is no path there. */
    urlOf({ url = '/' }: IncomingMessage): string | undefined {
      const path = connector.targetOf(url);
      if (typeof path === 'string' && path.startsWith('/')) return connector.origin + path;
      return undefined;
    },
    forward(request: IncomingMessage, response: ServerResponse, inspection: Inspection | undefined): void {
      const path = connector.targetOf(request.url ?? '/');
      if (typeof path === 'number') return answerFor(response, path, untargeted[path]);
      const { method = 'GET', headers: sent, rawHeaders } = request;
      const headers = withoutHop(rawHeaders, HOST);
      if (sent['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
      const fail = (status: number, words: string): void => {
        inspection?.failed();
        // Once the head is sent, only a closed connection can tell the client that the body is incomplete.
        if (response.headersSent) breakOff(response);
        else answerFor(response, status, words);
      };
      let forwarding: Forwarding;
      try {
        const onward = { method, path, headers, body: hasBody(request) ? request : undefined };
        forwarding = sendOnward(
          connector,
          onward,
          { silent: timeoutMs },
          {
            ...givingBack(response, inspection, () => forwarding, added),
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
      if (inspection?.request) request.on('data', inspection.request);
    },
    webSocket(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const path = connector.targetOf(request.url ?? '/');
      const headers = withoutHop(request.rawHeaders, HOST);
      headers.push('Connection', 'Upgrade', 'Upgrade', 'websocket');
      if (typeof path === 'number') return void socket.end(`HTTP/1.1 ${path} ${STATUS_CODES[path]}\r\n\r\n`);
      try {
        connectSockets(connector.begin(request.method ?? 'GET', path, headers), socket, head, timeoutMs);
      } catch {
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      }
    },
    close: connector.close,
  };
}

/** Whether a request has a body, an empty one perhaps. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

const untargeted = {
  400: 'The target of the request is not a path.',
  421: 'The target of the request is an absolute URL of another host, and this proxy forwards to one upstream.',
} as const;

/** Connects a client with the upstream as soon as that has switched protocols. Both leave when one does. */
function connectSockets(out: ClientRequest, socket: Duplex, head: Buffer, timeoutMs: number): void {
  const refuse = (status: number): void => {
    if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n\r\n`);
    out.destroy();
  };
  out.setTimeout(timeoutMs, () => refuse(504));
  out.on('error', () => refuse(502));
  socket.on('error', () => out.destroy());
  socket.on('end', () => out.destroy());
  socket.on('close', () => out.destroy());
  out.on('response', (answer) => {
    if (unsendable(answer) !== undefined) return refuse(502);
    socket.write(headOf(answer));
    pipeline(answer, socket, () => undefined);
  });
  out.on('upgrade', (answer, upstreamSocket, first) => {
    out.setTimeout(0);
    const end = (): void => void (socket.destroy(), upstreamSocket.destroy());
    upstreamSocket.on('error', end);
    if (unsendable(answer, 101) !== undefined || socket.destroyed) return end();
    socket.write(headOf(answer));
    if (first.length > 0) socket.write(first);
    if (head.length > 0) upstreamSocket.write(head);
    pipeline(socket, upstreamSocket, end);
    pipeline(upstreamSocket, socket, end);
  });
  out.end();
}

/** The head of an answer to a request for a WebSocket, after which the connection carries no other request. */
function headOf({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const headers = statusCode === 101 ? rawHeaders : [...withoutHop(rawHeaders, new Set()), 'Connection', 'close'];
  return headText(`HTTP/1.1 ${statusCode} ${statusMessage}`, headers);
}

/** Sends an answer to the client: piece by piece, or, if the inspection holds it, once it is complete. */
function givingBack(
  response: ServerResponse,
  inspection: Inspection | undefined,
  forwarding: () => Forwarding,
  added: ForwarderOptions['added'],
): Omit<Receiver, 'fail'> {
  let answer: IncomingMessage | undefined;
  const held: Buffer[] = [];
  let size = 0;
  let hold: Hold | undefined;
  let isComplete = false;
  let timer: NodeJS.Timeout | undefined;

  const writeHead = (more: Changes['headers']): void => {
    const { statusCode: status = 502, statusMessage = '', rawHeaders = [] } = answer ?? {};
    const passed = withoutHop(rawHeaders, new Set([SOURCE, ...Object.keys(more)]));
    passed.push(SOURCE, 'upstream', ...Object.entries(more).flat());
    response.writeHead(status, statusMessage, passed);
  };
  const letGo = (): void => {
    const instead = hold?.giveUp?.();
    if (!release()) return;
    if (instead) {
      if (forwarding().abandon()) inspection?.failed();
      return answerFor(response, instead.status, instead.body);
    }
    writeHead({});
    for (const piece of held.splice(0)) response.write(piece);
    if (isComplete) response.end();
  };
  /** Ends the hold. @returns false if it has ended before */
  const release = (): boolean => {
    clearTimeout(timer);
    const wasHeld = hold !== undefined;
    hold = undefined;
    return wasHeld;
  };
  /** What throws here ends the answer, and nothing else. */
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      forwarding().abandon();
      if (response.headersSent) breakOff(response);
      else answerFor(response, 502, `The answer of the upstream cannot be forwarded: ${codeOf(error)}`);
    }
  };

  return {
    head(came) {
      answer = came;
      hold = inspection?.holds?.();
      if (!hold) return writeHead({});
      timer = setTimeout(() => guarded(letGo), hold.longestMs);
      response.on('close', release);
      came.on('close', () => !isComplete && release());
    },
    piece(bytes) {
      inspection?.answer?.(bytes);
      if (hold) {
        held.push(bytes);
        size += bytes.length;
        if (size > hold.mostBytes) letGo();
      } else if (!response.write(bytes)) {
        answer?.pause();
        response.once('drain', () => answer?.resume());
      }
    },
    end() {
      const { statusCode: status = 502, rawHeaders = [] } = answer ?? {};
      isComplete = true;
      if (added) {
        const at = performance.now();
        response.once('finish', () => added.observe((performance.now() - at) / 1000));
      }
      const changes = inspection?.end({ status, rawHeaders }, hold !== undefined);
      if (!(changes instanceof Promise)) return void response.end();
      void changes.then(({ headers, instead }) =>
        guarded(() => {
          if (!release()) return;
          if (instead) return answerFor(response, instead.status, instead.body, headers);
          writeHead(headers);
          response.end(Buffer.concat(held));
        }),
      );
    },
  };
}

/** A client that does not read what it has been sent is left after so many milliseconds. */
const LAST_PIECES_MS = 5_000;

/** Closes the connection after what has been sent, before the answer is complete. */
function breakOff(response: ServerResponse): void {
  const { socket } = response;
  response.flushHeaders();
  socket?.setTimeout(LAST_PIECES_MS, () => socket.destroy());
  socket?.destroySoon();
}

function answerFor(response: ServerResponse, status: number, words: string, headers: Changes['headers'] = {}): void {
  if (response.destroyed) return;
  const body = words.startsWith('{') ? words : JSON.stringify({ error: words });
  response.writeHead(status, { ...headers, 'content-type': 'application/json', [SOURCE]: 'proxy' });
  response.end(body);
}
