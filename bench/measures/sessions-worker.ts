import { createMock } from '../../mock/index.ts';
import { NOW } from '../requests.ts';

/** Bytes. */
export interface SessionCosts {
  readonly sessions: number;
  /** Heap bytes per session: unused, and after one request. */
  readonly idle: number;
  readonly used: number;
  /** The whole heap, and the resident memory, after one request each. */
  readonly heap: number;
  readonly resident: number;
}

const SESSIONS = 10_000;
const mock = createMock({ now: Date.parse(NOW), frozen: true });
const { token, agentId } = mock.target;
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const before = heap();
const name = (i: number): string => `session-${i}`;
for (let i = 0; i < SESSIONS; i++) mock.session(name(i));
const idle = heap();
for (let i = 0; i < SESSIONS; i++)
  mock.handle({
    method: 'GET',
    target: `/api/v1/agents/${agentId}`,
    headers: { host: '127.0.0.1:4010', authorization: `Bearer ${token}`, 'x-mock-session': name(i) },
  });
const used = heap();
const costs: SessionCosts = {
  sessions: SESSIONS,
  idle: (idle - before) / SESSIONS,
  used: (used - before) / SESSIONS,
  heap: used,
  resident: process.memoryUsage().rss,
};
process.stdout.write(JSON.stringify(costs));
