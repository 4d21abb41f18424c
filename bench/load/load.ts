import { connect, type Socket } from 'node:net';
import { answerReader } from './answer-reader.ts';

/** One kind of request, repeated. */
export interface Load {
  /** `http://127.0.0.1:4010/api/v1/agents/x`; plain HTTP only. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Additional headers: a set for each connection in turn. */
  readonly variants?: readonly Readonly<Record<string, string>>[];
  /** Each is kept alive, with one request in flight at a time. */
  readonly connections: number;
  /** The warm-up and the measured time, in milliseconds. */
  readonly warmUp: number;
  readonly duration: number;
}

export interface Measured {
  /** All answers, including those during the warm-up and those that came too late to count. */
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, and broken connections. */
  readonly failures: number;
  /** The body size of the last answer. */
  readonly bytes: number;
}

/** What a load has met so far. */
interface Tally {
  readonly latencies: number[];
  answers: number;
  failures: number;
  bytes: number;
}

/** A load in progress, with its times on the clock of `performance.now()`. */
interface Running {
  readonly hostname: string;
  readonly port: number;
  readonly began: number;
  readonly ends: number;
  readonly tally: Tally;
  readonly sockets: Set<Socket>;
  readonly onEnd: () => void;
}

/**
 * Sends requests as fast as they are answered, and counts. It reads only as much of an answer as it needs to find its
 * end, so that the load costs little compared with the server.
 */
export function putLoad(asked: Load): Promise<Measured> {
  const { url, variants = [{}], connections, warmUp, duration } = asked;
  const { hostname, port } = new URL(url);
  const began = performance.now() + warmUp;
  const tally: Tally = { latencies: [], answers: 0, failures: 0, bytes: 0 };
  const sockets = new Set<Socket>();
  return new Promise((resolve) => {
    const onEnd = (): void => resolve(measuredFrom(tally, duration));
    const running = { hostname, port: Number(port), began, ends: began + duration, tally, sockets, onEnd };
    const requests = variants.map((more) => bytesOf(asked, more));
    for (let i = 0; i < connections; i++) connectTo(running, requests[i % requests.length] ?? bytesOf(asked, {}));
    setTimeout(
      () => {
        for (const socket of sockets) socket.destroy();
      },
      warmUp + duration + 2000,
    ).unref();
  });
}

function bytesOf({ url, method, headers, body }: Load, more: Readonly<Record<string, string>>): Buffer {
  const { host, pathname, search } = new URL(url);
  return Buffer.from(
    [
      `${method} ${pathname}${search} HTTP/1.1`,
      `host: ${host}`,
      ...Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
      '',
      body ?? '',
    ].join('\r\n'),
  );
}

/** One connection, which repeats a request until the load ends. */
function connectTo(running: Running, request: Buffer): void {
  const { hostname, port, began, ends, tally, sockets, onEnd } = running;
  const socket = connect(port, hostname);
  sockets.add(socket);
  socket.setNoDelay(true);
  let sentAt = 0;
  const send = (): void => {
    sentAt = performance.now();
    socket.write(request);
  };
  const read = answerReader((status, length, isLast) => {
    const now = performance.now();
    tally.answers++;
    tally.bytes = length;
    if (status < 200 || status > 299) tally.failures++;
    if (now >= began && now <= ends) tally.latencies.push(now - sentAt);
    if (now > ends || isLast) socket.end();
    else send();
  });
  socket.on('connect', send);
  socket.on('data', read);
  socket.on('error', () => tally.failures++);
  socket.on('close', () => {
    sockets.delete(socket);
    // Reconnects if a server closes after an answer, but not if it refuses connections.
    if (performance.now() < ends && tally.failures < 1000) connectTo(running, request);
    else if (sockets.size === 0) onEnd();
  });
}

function measuredFrom({ latencies, answers, failures, bytes }: Tally, duration: number): Measured {
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const perSecond = (latencies.length / duration) * 1000;
  return { answers, perSecond, p50: at(0.5), p99: at(0.99), failures, bytes };
}
