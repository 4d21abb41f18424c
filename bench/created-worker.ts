import { createMock } from '../mock/index.ts';
import { NOW } from './requests.ts';
import { median } from './statistics.ts';

/** What a request costs when so many agents have been created before; in microseconds. */
export type CreatedCosts = readonly {
  readonly created: number;
  readonly create: number;
  readonly get: number;
  /** Bytes on the heap for each created agent. */
  readonly bytesEach: number;
}[];

const AT = [10_000, 100_000, 300_000, 1_000_000].filter((n) => n <= Number(process.argv[2] ?? Infinity));
/** Created before anything is measured, so that what is compiled while it runs is. */
const FIRST = 5_000;
const READ = 100;
const READS = 20_000;

const mock = createMock({ now: Date.parse(NOW), frozen: true });
const { token, workspaceId } = mock.target;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const body = new TextEncoder().encode(JSON.stringify({ workspaceId, agent: { name: 'One of many' } }));
/** Of every hundredth agent. */
const ids: string[] = [];
let made = 0;

function create(): void {
  const { status, body: text } = mock.handle({ method: 'POST', target: '/api/v1/agents', headers, body });
  const id = /"id":"([^"]+)"/.exec(text)?.[1];
  if (status !== 201 || id === undefined) throw new Error(text);
  // A copy: what was cut out of the answer would keep all of it alive.
  if (made++ % 100 === 0) ids.push(Buffer.from(id).toString());
}

function get(id: string): void {
  const { status } = mock.handle({
    method: 'GET',
    target: `/api/v1/agents/${id}`,
    headers: { authorization: headers.authorization },
  });
  if (status !== 200) throw new Error(`${id}: ${status}`);
}

/** So many agents, from the first to the last, each read once before, so that what is remembered of them is. */
function spread(): (i: number) => void {
  const chosen = Array.from({ length: READ }, (_, i) => ids[Math.floor((i * ids.length) / READ)] ?? '');
  for (const id of chosen) get(id);
  return (i) => get(chosen[i % READ] ?? '');
}

function mean(n: number, work: (i: number) => void): number {
  const began = process.cpuUsage();
  for (let i = 0; i < n; i++) work(i);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / n;
}

const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
for (let i = 0; i < FIRST; i++) create();
mean(READS, spread());
const before = heap();
/** The median of some turns, since now and then one of them meets a collection of everything that was created. */
function reading(): number {
  const read = spread();
  return median(Array.from({ length: 9 }, () => mean(READS / 4, read)));
}

const costs: CreatedCosts = AT.map((created) => ({
  created,
  create: mean(created - made, create),
  get: reading(),
  bytesEach: (heap() - before) / (created - FIRST),
}));
process.stdout.write(JSON.stringify(costs));
