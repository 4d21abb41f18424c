import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createMock } from '../../mock/index.ts';
import { randomOf, type Random } from '../../prove/random/random.ts';
import { exchange } from '../../prove/random/sending.ts';
import { startProxy } from '../../proxy/start.ts';
import { createWatch } from '../../proxy/watch.ts';
import { oddAnswer, sendOdd } from './odd-answers.ts';

/** What became of requests through something that forwards them to a server that breaks HTTP. */
export interface RawTraffic {
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without an answer: their numbers. */
  readonly unanswered: readonly number[];
  /** Connections to the server that were still open after the last client had gone. */
  readonly leftOpen: number;
}

type Start = (upstream: string) => Promise<{ readonly url: string; readonly close: () => Promise<unknown> }>;

/** Far below the patience of the clients. */
const timeoutMs = 100;

const startProxyTo =
  (isStrict: boolean): Start =>
  (upstream) => {
    const terminal = {
      hasColor: false,
      write(text: string) {
        if (text.startsWith('error:')) throw new Error(text);
      },
    };
    const watched = { upstream, isStrict, terminal, secrets: [], strictNull: false, only: [], skip: [] };
    const { inspector, live } = createWatch(watched);
    return startProxy({ upstream: new URL(upstream), timeoutMs, port: 0, host: '127.0.0.1', inspector, live });
  };

/** What forwards requests. */
export const forwarders: Readonly<Record<string, Start>> = {
  'the proxy': startProxyTo(false),
  'the proxy, which holds back wrong answers,': startProxyTo(true),
  'a mock with an upstream': async (upstream) => {
    const server = await createMock({ upstream: { url: upstream, timeout: timeoutMs } }).listen();
    return { url: server.url, close: () => server.close() };
  },
};

/** Milliseconds that a client waits. */
const PATIENCE = 10_000;
/** How many clients send at once. */
const CLIENTS = 16;

/** Sends raw requests through what `start` starts. The same seed sends the same bytes both ways. */
export async function sendRawTraffic(start: Start, requests: number, seed: number): Promise<RawTraffic> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      // The rest of a body names no target.
      const [, count] = /\/api\/v1\/agents\/odd-(\d+)/.exec(bytes.toString('latin1')) ?? [];
      if (count !== undefined) sendOdd(socket, oddAnswer(seed, Number(count)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tried = await start(`http://127.0.0.1:${port}`);

  const statuses: Record<string, number> = {};
  const unanswered: number[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let count = next++; count < requests; count = next++) {
      const { status } = await exchange(tried.url, oddRequest(seed, count, port), PATIENCE);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 0) unanswered.push(count);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, send));
  await tried.close();
  const gone = [...sockets].map((socket) => once(socket, 'close'));
  await Promise.race([Promise.all(gone), new Promise((resolve) => setTimeout(resolve, PATIENCE).unref())]);
  const leftOpen = sockets.size;
  for (const socket of sockets) socket.destroy();
  server.close();
  return { statuses, unanswered, leftOpen };
}

/** A request for the answer of that number. HTTP allows it, although few clients send the like. */
function oddRequest(seed: number, count: number, port: number): string {
  const random = randomOf(seed + 1, count);
  const path = `/api/v1/agents/odd-${count}`;
  const target = random.weighted([
    [8, () => path],
    [1, () => `http://127.0.0.1:${port}${path}`],
    [1, () => `http://elsewhere.test${path}`],
  ]);
  const { method, headers, body } = random.weighted<Sent>([
    [4, () => ({ method: 'GET', headers: [], body: '' })],
    [3, () => ({ method: 'HEAD', headers: [], body: '' })],
    [2, () => withBody(random, ['Content-Length: 2'], '{}')],
    [1, () => withBody(random, ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')],
    [1, () => withBody(random, ['Content-Length: 2', 'Expect: 100-continue'], '{}')],
  ]);
  const offer = random.weighted<readonly string[]>([
    [6, () => ['Connection: close']],
    [1, () => ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ']],
    [1, () => ['Connection: authorization, close']],
  ]);
  const lines = [`Host: 127.0.0.1:${port}`, 'Authorization: Bearer real-token', ...offer, ...headers];
  return `${method} ${target} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
}

interface Sent {
  readonly method: string;
  readonly headers: readonly string[];
  readonly body: string;
}

function withBody(random: Random, headers: readonly string[], body: string): Sent {
  return {
    method: random.of(['POST', 'PUT', 'DELETE']),
    headers: ['Content-Type: application/json', ...headers],
    body,
  };
}
