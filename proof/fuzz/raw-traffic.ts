import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createMock } from '../../mock/index.ts';
import { randomOf } from '../../prove/random/random.ts';
import { exchange } from '../../prove/random/sending.ts';
import { judgedProxy } from '../../proxy/testing/judged-proxy.ts';
import { serveRaw } from '../hostile/serve.ts';
import { oddAnswer, sendOdd } from './odd-answers.ts';

type Start = (upstream: string) => Promise<{ readonly url: string; readonly close: () => Promise<unknown> }>;

/** Far below the patience of the clients. */
const timeoutMs = 100;

/** What forwards requests. */
export const forwarders: Readonly<Record<string, Start>> = {
  'the proxy': (upstream) => judgedProxy(upstream, { timeoutMs }),
  'the proxy, which holds back wrong answers,': (upstream) => judgedProxy(upstream, { timeoutMs, wrong: 'is-refused' }),
  'a mock with an upstream': (url) => createMock({ upstream: { url, timeout: timeoutMs } }).listen(),
};

/** Milliseconds that a client waits. */
const PATIENCE = 10_000;

/** Sends raw requests through what `start` starts, to a server that breaks HTTP. The same seed sends the same bytes both ways. */
export async function sendRawTraffic(start: Start, requests: number, seed: number) {
  const sockets = new Set<Socket>();
  const server = await serveRaw(
    (socket, { target }) => sendOdd(socket, oddAnswer(seed, Number(/\d+$/.exec(target)?.[0]))),
    (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    },
  );
  const tried = await start(server.url);
  const statuses: Record<string, number> = {};
  /** The numbers of requests without an answer. */
  const unanswered: number[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let count = next++; count < requests; count = next++) {
      const { status } = await exchange(tried.url, oddRequest(seed, count, server.url), PATIENCE);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 0) unanswered.push(count);
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
  await tried.close();
  const gone = [...sockets].map((socket) => once(socket, 'close'));
  await Promise.race([Promise.all(gone), new Promise((resolve) => setTimeout(resolve, PATIENCE).unref())]);
  const leftOpen = sockets.size;
  await server.close();
  return { statuses, unanswered, leftOpen };
}

const JSON_TYPE = 'Content-Type: application/json';
/** Weights, methods with their bodies, and headers; POST stands for the other methods with a body too. */
const SENT: readonly (readonly [weight: number, method: string, body: string, ...headers: string[]])[] = [
  [4, 'GET', ''],
  [3, 'HEAD', ''],
  [2, 'POST', '{}', JSON_TYPE, 'Content-Length: 2'],
  [1, 'POST', '2\r\n{}\r\n0\r\n\r\n', JSON_TYPE, 'Transfer-Encoding: chunked'],
  [1, 'POST', '{}', JSON_TYPE, 'Content-Length: 2', 'Expect: 100-continue'],
];
const OFFERS: readonly (readonly [weight: number, ...headers: string[]])[] = [
  [6, 'Connection: close'],
  [1, 'Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ'],
  [1, 'Connection: authorization, close'],
];

/** A request for the answer of that number. HTTP allows it, although few clients send the like. */
function oddRequest(seed: number, count: number, origin: string): string {
  const random = randomOf(seed + 1, count);
  const path = `/api/v1/agents/odd-${count}`;
  const target = random.weighted([
    [8, () => path],
    [1, () => origin + path],
    [1, () => `http://elsewhere.test${path}`],
  ]);
  const [method, body, ...framing] = random.weighted(SENT.map(([weight, ...sent]) => [weight, () => sent]));
  const offer = random.weighted(OFFERS.map(([weight, ...offered]) => [weight, () => offered]));
  const lines = [`Host: ${new URL(origin).host}`, 'Authorization: Bearer real-token', ...offer, ...framing];
  const verb = method === 'POST' ? random.of(['POST', 'PUT', 'DELETE']) : method;
  return `${verb} ${target} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
}
