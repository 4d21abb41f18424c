import { connect, type Socket } from 'node:net';

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

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Sends requests as fast as they are answered, and counts. It reads only as much of an answer as it needs to find its
 * end, so that the load costs little compared with the server.
 */
export function putLoad(asked: Load): Promise<Measured> {
  const { url, method, headers, body, variants = [{}], connections, warmUp, duration } = asked;
  const { hostname, port, host, pathname, search } = new URL(url);
  const requestWith = (more: Readonly<Record<string, string>>): Buffer =>
    Buffer.from(
      [
        `${method} ${pathname}${search} HTTP/1.1`,
        `host: ${host}`,
        ...Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`),
        ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
        '',
        body ?? '',
      ].join('\r\n'),
    );
  const began = performance.now() + warmUp;
  const ends = began + duration;
  const latencies: number[] = [];
  const sockets = new Set<Socket>();
  let answers = 0;
  let failures = 0;
  let bytes = 0;

  const open = (request: Buffer, onEnd: () => void): void => {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.setNoDelay(true);
    let sentAt = 0;
    const read = answerReader((status, length, isLast) => {
      const now = performance.now();
      answers++;
      bytes = length;
      if (status < 200 || status > 299) failures++;
      if (now >= began && now <= ends) latencies.push(now - sentAt);
      if (now > ends || isLast) socket.end();
      else send();
    });
    const send = (): void => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', read);
    socket.on('error', () => failures++);
    socket.on('close', () => {
      sockets.delete(socket);
      // Reconnects if a server closes after an answer, but not if it refuses connections.
      if (performance.now() < ends && failures < 1000) open(request, onEnd);
      else if (sockets.size === 0) onEnd();
    });
  };

  return new Promise((resolve) => {
    const done = (): void => {
      const sorted = Float64Array.from(latencies).toSorted();
      const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
      const perSecond = (latencies.length / duration) * 1000;
      resolve({ answers, perSecond, p50: at(0.5), p99: at(0.99), failures, bytes });
    };
    const requests = variants.map(requestWith);
    for (let i = 0; i < connections; i++) open(requests[i % requests.length] ?? requestWith({}), done);
    setTimeout(
      () => {
        for (const socket of sockets) socket.destroy();
      },
      warmUp + duration + 2000,
    ).unref();
  });
}

/**
 * Finds the ends of answers, by content-length or by the last chunk. `onAnswer` gets the status, the body size, and
 * whether the server closes the connection afterwards.
 */
export function answerReader(
  onAnswer: (status: number, length: number, isLast: boolean) => void,
): (data: Buffer) => void {
  let head = '';
  let status = 0;
  let length = 0;
  let missing = -1;
  let isChunked = false;
  let isLast = false;
  let tail: Buffer = Buffer.alloc(0);
  const ended = (): void => {
    head = '';
    missing = -1;
    isChunked = false;
    tail = Buffer.alloc(0);
    onAnswer(status, length, isLast);
  };
  return (data) => {
    let rest = data;
    if (missing < 0 && !isChunked) {
      const before = head.length;
      head += data.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      rest = data.subarray(end + HEAD_END.length - before);
      status = Number(head.slice(9, 12));
      const found = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2));
      isChunked = found === null && /\r\ntransfer-encoding: *chunked/i.test(head.slice(0, end + 2));
      isLast = /\r\nconnection: *close/i.test(head.slice(0, end + 2));
      length = isChunked ? 0 : Number(found?.[1] ?? 0);
      missing = isChunked ? -1 : length;
    }
    if (isChunked) {
      length += rest.length;
      tail = Buffer.concat([tail, rest]).subarray(-LAST_CHUNK.length);
      if (tail.equals(LAST_CHUNK)) ended();
      return;
    }
    missing -= rest.length;
    if (missing <= 0) ended();
  };
}
