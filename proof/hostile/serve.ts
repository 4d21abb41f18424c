import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createMock, type Mock, type Mode, type Wire } from '../../mock/index.ts';

/** Tokens that none of our texts contains by chance, with every character that some notation escapes. */
export const tokens = {
  write: `Zq3+/x"7<Kw&'Vb%9\\=Jt~4{Hs}`,
  read: 'r5Xc-PmQ8_vLz.W2kYd',
  guest: 'g7Tn-BhR4_sJx.D9fUq',
};

export type Start = (mock: Mock) => Promise<RunningServer>;

/** How a server behaves, and how the program is run against it. */
export type ServerBehaviour = Start | Unusual;
export type ServerBehaviours = Readonly<Record<string, ServerBehaviour>>;

export interface Unusual {
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

export interface RunningServer {
  readonly url: string;
  /** Requests at a place where none may ever arrive. */
  readonly astray?: () => number;
  /** Forbidden things that the server saw. */
  readonly problems?: () => readonly string[];
  readonly close: () => Promise<unknown>;
}

/** The mock behind most hostile servers, with tokens that differ from any other text. */
export const createTarget = (): Mock => createMock({ tokens: { [tokens.write]: 'write', ...others } });
const others: Readonly<Record<string, Mode>> = { [tokens.read]: 'read', [tokens.guest]: 'guest' };

/** A server on loopback, on a free port. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** The number of requests or, for a server that reads nothing, of connections. */
  readonly requests: () => number;
  /** The most requests in flight at once. */
  readonly atOnce: () => number;
  /** When each request arrived, by a monotonic clock. */
  readonly arrivals: readonly number[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** A request, as the server got it. */
export interface ServedRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer of which each part may be anything. */
export interface ServedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export type Answering = (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>;

/** An HTTP server by Node.js. */
export async function serveHttp(answer: Answering): Promise<Served> {
  const arrivals: number[] = [];
  let underWay = 0;
  let atOnce = 0;
  const send = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, headers = {}, body = '' } = await answer(await read(request));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    response.end(body);
  };
  const server = createHttpServer({ maxHeaderSize: 512 * 1024 }, (request, response) => {
    arrivals.push(performance.now());
    atOnce = Math.max(atOnce, ++underWay);
    response.on('close', () => underWay--);
    send(request, response).catch(() => response.destroy());
  });
  return listening(server, { arrivals, atOnce: () => atOnce });
}

/** A server whose answers depend on the mock behind it. */
export const http =
  (answer: (mock: Mock) => Answering): Start =>
  (mock) =>
    serveHttp(answer(mock));

/** A raw server: `onRequest` is called with each request head, and writes any bytes. */
export async function serveRaw(
  onRequest: (socket: Socket, head: string, number: number) => void,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<Served> {
  const arrivals: number[] = [];
  const server = createServer((socket) => {
    let pending = '';
    onConnection(socket);
    socket.on('data', (data) => {
      pending += data.toString('latin1');
      for (let end = headEnd(pending); end !== undefined; end = headEnd(pending)) {
        const head = pending.slice(0, end);
        pending = pending.slice(end);
        arrivals.push(performance.now());
        onRequest(socket, head, arrivals.length);
      }
    });
  });
  return listening(server, { arrivals, atOnce: () => 0 });
}

/** The end of the first complete request. */
function headEnd(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  if (text.length >= end + 4 + length) return end + 4 + length;
  return undefined;
}

async function listening(
  server: Server,
  { arrivals, atOnce }: { readonly arrivals: readonly number[]; readonly atOnce: () => number },
): Promise<Served> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: () => arrivals.length,
    atOnce,
    arrivals,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function read(request: IncomingMessage): Promise<ServedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
  return { method: request.method ?? '', target: request.url ?? '', headers, body: Buffer.concat(chunks) };
}

/** The mock's answer to a request. */
export function asMock(mock: Mock, { body, ...request }: ServedRequest): Wire {
  return mock.handle({ ...request, body: body.length === 0 ? undefined : body });
}

/** A mock whose accepted answers are changed on their way out. */
export const changed =
  (mock: Mock, change: (json: unknown, request: ServedRequest) => unknown): Answering =>
  (request) => {
    const wire = asMock(mock, request);
    if (wire.status >= 300) return wire;
    const body = change(JSON.parse(wire.body), request);
    return { ...wire, headers: withoutLength(wire), body: typeof body === 'string' ? body : JSON.stringify(body) };
  };

export const withoutLength = ({ headers }: Pick<Wire, 'headers'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));

/** A copy of parsed JSON in which `change` maps each string, given the name of its property. */
export function mapStrings(json: unknown, change: (text: string, name: string) => unknown, name = ''): unknown {
  if (typeof json === 'string') return change(json, name);
  if (Array.isArray(json)) return json.map((item) => mapStrings(item, change, name));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]: [string, unknown]) => [key, mapStrings(value, change, key)]),
  );
}
