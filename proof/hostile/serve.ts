import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { IncomingRequest } from '../../http/exchange.ts';
import { createMock, type Mock, type Wire } from '../../mock/index.ts';

/** Tokens that none of our texts contains by chance, with every character that some notation escapes. */
export const tokens = {
  write: `Zq3+/x"7<Kw&'Vb%9\\=Jt~4{Hs}`,
  read: 'r5Xc-PmQ8_vLz.W2kYd',
  guest: 'g7Tn-BhR4_sJx.D9fUq',
};

export type Start = (mock: Mock) => Promise<RunningServer>;

/** How a server behaves, and how the program is run against it. */
export interface ServerBehaviour {
  readonly start: Start;
  /** Some of its answers never end, so that each must be given up. */
  readonly hangs?: true;
  /** Its answers take so long that no run completes: half the time shows as much. */
  readonly isHeavy?: true;
  readonly arguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is not judged although the server keeps the contract. Default: nothing. */
  readonly notJudged?: RegExp;
  /** Reports to write, if not those of all servers of its kind. */
  readonly formats?: readonly string[];
}

/** Behaviours by what they do. Each name completes "a server that ...". */
export type ServerBehaviours = Readonly<Record<string, Start | ServerBehaviour>>;

export interface RunningServer {
  readonly url: string;
  /** Forbidden things that the server saw. */
  readonly problems?: () => readonly string[];
  readonly close: () => Promise<unknown>;
}

/** The mock behind most hostile servers, with tokens that differ from any other text. */
export const createTarget = (): Mock =>
  createMock({ tokens: { [tokens.write]: 'write', [tokens.read]: 'read', [tokens.guest]: 'guest' } });

/** The variables that name the parts of a target to the program, if all its identifiers begin with a text. */
export function variablesOf({ target }: Mock, before = ''): Readonly<Record<string, string>> {
  return {
    AGENT_CONTRACT_WORKSPACE_ID: before + target.workspaceId,
    AGENT_CONTRACT_AGENT_ID: before + target.agentId,
    AGENT_CONTRACT_PUBLISHED_AGENT_ID: before + target.publishedAgentId,
    AGENT_CONTRACT_V5_AGENT_ID: before + target.v5AgentId,
  };
}

export type ServedRequest = IncomingRequest & { readonly body: Buffer };

/** An answer of which each part may be anything. */
export interface ServedAnswer {
  readonly status: number;
  /** Node.js adds a `Date`, unless it has one here, even if that is `undefined`. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Uint8Array;
}

export type Answering = (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>;

/**
 * A server by Node.js on a free loopback port. It counts connections and the most requests at once, and notes when each
 * request arrived.
 */
async function serve(
  onRequest: (request: ServedRequest, response: ServerResponse) => unknown,
  onConnection: (socket: Socket) => void = () => undefined,
) {
  const arrivals: number[] = [];
  const sockets = new Set<Socket>();
  const seen = { connections: 0, underWay: 0, atOnce: 0 };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: target = '' } = request;
    // A client sends no header of several values.
    const headers = request.headers as IncomingRequest['headers'];
    await onRequest({ method, target, headers, body: await buffer(request) }, response);
  };
  const server = createServer({ maxHeaderSize: 512 * 1024 }, (request, response) => {
    arrivals.push(performance.now());
    seen.atOnce = Math.max(seen.atOnce, ++seen.underWay);
    response.on('close', () => seen.underWay--);
    receive(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    seen.connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export const serveHttp = (answer: Answering) =>
  serve(async (request, response) => {
    const { status, headers = {}, body = '' } = await answer(request);
    response.sendDate = !('date' in headers);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
    response.statusCode = status;
    response.end(body);
  });

/** A server whose answers depend on the mock behind it. */
export const http =
  (answer: (mock: Mock) => Answering): Start =>
  (mock) =>
    serveHttp(answer(mock));

/** A raw server: `onRequest` is called with each request, and writes any bytes. */
export function serveRaw(
  onRequest: (socket: Socket, request: ServedRequest, number: number) => void,
  onConnection?: (socket: Socket) => void,
): Promise<RunningServer> {
  let count = 0;
  return serve((request, response) => {
    const { socket } = response;
    if (!socket) return;
    response.detachSocket(socket);
    onRequest(socket, request, ++count);
  }, onConnection);
}

/** The mock's answer to a request, without its length, since a server may change the body. */
export function asMock(mock: Mock, { body, ...request }: ServedRequest): Wire {
  const wire = mock.handle({ ...request, body: body.length === 0 ? undefined : body });
  const { 'content-length': _, ...headers } = wire.headers;
  return { ...wire, headers };
}

/** The mock, with one answer to all requests that it refuses. */
export const withRefusal = (isRefused: (request: ServedRequest) => boolean, answer: ServedAnswer): Start =>
  http((mock) => (request) => {
    if (isRefused(request)) return answer;
    return asMock(mock, request);
  });

/** A mock whose accepted answers are changed on their way out. */
export const changed =
  (mock: Mock, change: (json: unknown, request: ServedRequest) => unknown): Answering =>
  (request) => {
    const wire = asMock(mock, request);
    if (wire.status >= 300) return wire;
    const body = change(JSON.parse(wire.body), request);
    return { ...wire, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };
