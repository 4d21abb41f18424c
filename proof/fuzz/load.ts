import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { oddRequest } from '../../prove/random/odd-requests.ts';
import { randomOf } from '../../prove/random/random.ts';
import { exchange, failureOf, rawRequest } from '../../prove/random/raw-http.ts';
import type { RandomTarget } from '../../prove/random/sending.ts';
import type { Pinged } from './ping.ts';

/** The result of a load run; milliseconds, and megabytes of the process, 0 where they are unknown. */
export interface LoadReport {
  readonly requests: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** Unrequested 5xx, and complete requests without an answer. */
  readonly failures: readonly string[];
  /** None: a load run has no model. */
  readonly differences: readonly string[];
  /** The longest time that a side connection, which keeps pinging the mock, went without an answer. */
  readonly longestGap: number;
  readonly pings: number;
  readonly memoryAtStart: number;
  readonly memoryAtEnd: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
}

const LONGEST_WAIT = 60_000;
const MOST_SHOWN = 20;

type Kind = 'valid' | 'broken' | 'aborted' | 'slow' | 'huge';

/** How many of ten connections do what. */
const turns: readonly Kind[] = [
  ...(['valid', 'valid', 'valid', 'valid', 'broken', 'broken'] as const),
  ...(['aborted', 'slow', 'slow', 'huge'] as const),
];

/**
 * Keeps connections busy for a time, each with one kind of request: valid, broken, aborted half-way, answered slowly,
 * or huge. The same seed sends the same requests on each connection, as many as there is time for.
 */
export async function load(target: RandomTarget, { connections, seconds, seed }: LoadOptions): Promise<LoadReport> {
  const byKind: Record<string, number> = {};
  const failures: string[] = [];
  const until = performance.now() + seconds * 1000;
  const memory = (): number => Math.round((target.memory?.() ?? 0) / 1e6);
  const memoryAtStart = memory();

  const work = async (worker: number): Promise<void> => {
    const kind = turns[worker % turns.length] ?? 'valid';
    const headers = [
      ['authorization', `Bearer ${target.token}`],
      ['x-mock-session', `load-${worker % 40}`],
      ['content-type', 'application/json'],
    ] as const;
    for (let number = 0; performance.now() < until; number++) {
      const bytes = requestOf(kind, target, headers, seed * 1_000_003 + worker * 1009 + number);
      byKind[kind] = (byKind[kind] ?? 0) + 1;
      if (kind === 'aborted') {
        await abort(target.baseUrl, bytes);
        continue;
      }
      const failure = failureOf(bytes, await exchange(target.baseUrl, bytes, LONGEST_WAIT));
      if (failure !== undefined && failures.length < MOST_SHOWN) failures.push(failure);
    }
  };
  const side = once(
    new Worker(path.join(__dirname, 'ping.js'), { workerData: { baseUrl: target.baseUrl, seconds } }),
    'message',
  );
  await Promise.all(Array.from({ length: connections }, (_, worker) => work(worker)));
  const [{ pings, longestGap }] = (await side) as [Pinged];
  const requests = Object.values(byKind).reduce((sum, one) => sum + one, 0);
  return { requests, byKind, failures, differences: [], pings, longestGap, memoryAtStart, memoryAtEnd: memory() };
}

function requestOf(
  kind: Kind,
  { agentId, workspaceId }: RandomTarget,
  headers: readonly (readonly [string, string])[],
  seed: number,
): string {
  const get = (target: string, more: readonly (readonly [string, string])[] = []): string =>
    rawRequest({ method: 'GET', target, headers: [...headers, ...more], body: undefined });
  const post = (agent: string): string =>
    rawRequest({
      method: 'POST',
      target: '/api/v1/agents',
      headers,
      body: `{"workspaceId":"${workspaceId}","agent":${agent}}`,
    });
  const list = `/api/v1/agents/${agentId}/results?timeFilter=allTime&limit=100`;
  switch (kind) {
    case 'valid':
      return [get(list), get(`/api/v1/agents/${agentId}`), post('{"name":"Load"}')][seed % 3] ?? '';
    case 'broken': {
      const odd = oddRequest(randomOf(seed));
      return rawRequest({
        ...odd,
        target: odd.target.replaceAll('AGENT', agentId),
        headers: [...headers, ...odd.headers],
      });
    }
    case 'aborted':
      return post(`{"name":"${'a'.repeat(seed % 20_000)}"}`);
    case 'slow':
      return get(list, [['prefer', seed % 2 === 0 ? 'delay=500' : 'rate=20000']]);
    case 'huge':
      return post(hugeAgents[seed % hugeAgents.length] ?? '');
  }
}

/** Large, too deep, too large, and too wide. */
const hugeAgents = [
  `{"name":"H","x":"${'x'.repeat(3_000_000)}"}`,
  `{"name":"H","x":${'['.repeat(1_000_000)}`,
  `{"name":"H","x":"${'x'.repeat(11_000_000)}"}`,
  `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
];

/** Sends a part of a request, and disconnects without waiting. */
function abort(baseUrl: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes.slice(0, Math.ceil(bytes.length * 0.7)), 'latin1', () => socket.resetAndDestroy());
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
}
