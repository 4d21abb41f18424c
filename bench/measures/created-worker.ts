import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createMock } from '../../mock/index.ts';
import { load } from '../processes.ts';
import { NOW } from '../requests.ts';
import { median } from '../statistics.ts';

/** Microseconds. */
export interface RequestCost {
  readonly all: number;
  /** The part of it that was garbage collection. */
  readonly collecting: number;
}

/** The cost of a request after this many agents were created. */
export type CreatedCosts = readonly {
  readonly created: number;
  /** Microseconds of processor time. */
  readonly overSockets: { readonly create: number; readonly get: number };
  readonly inProcess: { readonly create: RequestCost; readonly get: RequestCost };
  /** Heap bytes per created agent. */
  readonly bytesEach: number;
}[];

const AT = [10_000, 100_000, 300_000, 1_000_000].filter((n) => n <= Number(process.argv[2] ?? Infinity));
/** Created before the measurement, so that the code is compiled. */
const FIRST = 5_000;
const READ = 100;
const READS = 5_000;
const TURNS = 9;
const LOADS = 3;
/** Milliseconds. */
const LOAD = { warmUp: 200, duration: 800 };

const mock = createMock({ now: Date.parse(NOW), frozen: true });
const { token, workspaceId } = mock.target;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const body = JSON.stringify({ workspaceId, agent: { name: 'One of many' } });
const bytes = new TextEncoder().encode(body);
/** Of every hundredth agent. */
const ids: string[] = [];
let made = 0;

function create(): void {
  const { status, body: text } = mock.handle({ method: 'POST', target: '/api/v1/agents', headers, body: bytes });
  const id = /"id":"([^"]+)"/.exec(text)?.[1];
  if (status !== 201 || id === undefined) throw new Error(text);
  // A copy: a slice of the answer would keep all of it in memory.
  if (made++ % 100 === 0) ids.push(Buffer.from(id).toString());
}

function get(id: string): void {
  const { authorization } = headers;
  const { status } = mock.handle({ method: 'GET', target: `/api/v1/agents/${id}`, headers: { authorization } });
  if (status !== 200) throw new Error(`${id}: ${status}`);
}

let collected = 0;
const collections = new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collected += duration * 1000;
});
collections.observe({ entryTypes: ['gc'] });

/** Microseconds of garbage collection so far; the observer learns of it a few turns later. */
async function collectedSoFar(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  return collected;
}

/** The mean of many runs of `work`. */
async function costOf(times: number, work: (i: number) => void): Promise<RequestCost> {
  const before = await collectedSoFar();
  // Wall-clock time, since collections are reported in it.
  const began = performance.now();
  for (let i = 0; i < times; i++) work(i);
  const all = ((performance.now() - began) * 1000) / times;
  return { all, collecting: ((await collectedSoFar()) - before) / times };
}

/** All agents, first to last, each read before, so that what is cached of them is. */
async function reading(): Promise<RequestCost> {
  const chosen = Array.from({ length: READ }, (_, i) => ids[Math.floor((i * ids.length) / READ)] ?? '');
  for (const id of chosen) get(id);
  const turns: RequestCost[] = [];
  for (let i = 0; i < TURNS; i++) turns.push(await costOf(READS, (at) => get(chosen[at % READ] ?? '')));
  return { all: median(turns.map(({ all }) => all)), collecting: median(turns.map(({ collecting }) => collecting)) };
}

/** Processor time of a request over a socket: the median of some loads. */
async function costOverSockets(
  url: string,
  rest: { method: 'GET' } | { method: 'POST'; body: string },
): Promise<number> {
  const costs: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    const began = process.cpuUsage();
    const { answers, failures } = await load({ url, headers, connections: 16, ...LOAD, ...rest });
    const { user, system } = process.cpuUsage(began);
    if (failures > 0) throw new Error(`${url}: ${failures} of ${answers} failed.`);
    costs.push((user + system) / answers);
  }
  return median(costs);
}

const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

async function main(): Promise<void> {
  const server = await mock.listen();
  const agents = `${server.url}/api/v1/agents`;
  for (let i = 0; i < FIRST; i++) create();
  await reading();
  await costOverSockets(agents, { method: 'POST', body });
  await costOverSockets(`${agents}/${ids[0] ?? ''}`, { method: 'GET' });
  const costs: CreatedCosts[number][] = [];
  const before = heap();
  const createdBefore = mock.store.created().agents.length;
  for (const created of AT) {
    const creating = await costOf(created - made, create);
    const inProcess = { create: creating, get: await reading() };
    const bytesEach = (heap() - before) / (mock.store.created().agents.length - createdBefore);
    const overSockets = {
      get: await costOverSockets(`${agents}/${ids[ids.length >> 1] ?? ''}`, { method: 'GET' }),
      create: await costOverSockets(agents, { method: 'POST', body }),
    };
    costs.push({ created, overSockets, inProcess, bytesEach });
  }
  collections.disconnect();
  await server.close();
  process.stdout.write(JSON.stringify(costs));
}

void main();
