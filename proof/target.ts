import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Wire } from '../mock/call.ts';
import { bytesOf } from '../mock/hosts/delivery.ts';
import { createMock, type Mock, type MockOptions, type MockRequest } from '../mock/index.ts';
import { createConnections, type Connections } from '../mock/hosts/connections.ts';
import { runConformance, type Report, type RunOptions, type Transport } from '../conformance/index.ts';

/** A Wednesday in the middle of a month, so that every span of time differs from every other. */
export const proofNow = Date.UTC(2026, 4, 20, 15, 30);

/** How far a clock that stands still is moved on by each request, in milliseconds. */
const PACE = 30;

/**
 * Sends requests to a mock in the same process. Those that are sent at the same time are under way at the same time, and
 * connections are kept, as they are by a client over the network. `onRequest` hears of each before it is answered.
 */
export function inProcess(mock: Mock, onRequest: (request: MockRequest) => void = () => undefined): Transport {
  const connections = createConnections();
  return async ({ url, method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const { end, ...on } = await begun(connections);
    const request = {
      method,
      target: pathname + search,
      headers,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      ...on,
    };
    if (mock.clock.isFrozen) mock.clock.advance(PACE);
    onRequest(request);
    const wire = mock.handle(request);
    await turn();
    end();
    return { status: wire.status, headers: wire.headers, body: sharedBytesOf(wire) };
  };
}

/** Bytes of large bodies: most trials answer the same lists, which then are written and read once. */
const bodies = new LRUCache<string, Uint8Array>({ maxSize: 48 * 1024 * 1024, sizeCalculation: ({ length }) => length });
const LARGE = 4 * 1024;

function sharedBytesOf(wire: Wire): Uint8Array {
  if (wire.encoding !== undefined || wire.body.length < LARGE) return bytesOf(wire);
  const known = bodies.get(wire.body);
  if (known) return known;
  const bytes = bytesOf(wire);
  bodies.set(wire.body, bytes);
  return bytes;
}

/** A request that others have had time to join. */
async function begun(connections: Connections): Promise<ReturnType<Connections['begin']>> {
  const on = connections.begin();
  await turn();
  return on;
}

/** What of a target the mock's world holds; some personas lack some of it. */
export const idsOf = ({ target }: Mock): Pick<RunOptions, 'token'> & Partial<RunOptions> => ({
  ...Object.fromEntries(Object.entries(target).filter(([, value]) => value !== '')),
  token: target.token,
});

/** Runs the checks against a mock made for the purpose, and what lies before it: its clock stands still, nothing waits. */
export function judge(
  options: MockOptions,
  run: Partial<RunOptions> = {},
  wrap: (transport: Transport) => Transport = (transport) => transport,
): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, ...options });
  return runConformance({
    baseUrl: 'http://mock.test',
    ...idsOf(mock),
    transport: wrap(inProcess(mock)),
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
    ...run,
  });
}
