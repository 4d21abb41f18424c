import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { bodyBytes, type Wire } from '../mock/wire/wire.ts';
import { createCaches, createMock, type Mock, type MockOptions, type MockRequest } from '../mock/index.ts';
import { createConnections } from '../mock/hosts/connections.ts';
import { codingsOf, fieldsOf } from '../http/form.ts';
import { runConformance, type Report, type RunOptions, type Transport } from '../conformance/index.ts';

/** A Wednesday in the middle of a month, so that all time spans differ. */
export const proofNow = Date.UTC(2026, 4, 20, 15, 30);

/** Milliseconds by which each request advances a frozen clock. */
export const PACE = 30;

/** Sends requests to a mock in this process: concurrently and on kept connections, as a client over a network. */
export function inProcess(mock: Mock, onRequest: (request: MockRequest) => void = () => undefined): Transport {
  const connections = createConnections();
  return async ({ url, method, headers, body, form = {} }) => {
    const { pathname, search } = new URL(url);
    const on = connections.begin(form.connection === 'new' ? {} : undefined);
    const codings = codingsOf(form);
    // Others can overlap with it.
    await turn();
    const request = {
      method,
      target: pathname + search,
      headers: { ...(codings !== undefined && { 'accept-encoding': codings }), ...fieldsOf(form), ...headers },
      httpVersion: form.version === '1.0' ? '1.0' : '1.1',
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      ...on.onHost(),
    };
    if (mock.clock.isFrozen) mock.clock.advance(PACE);
    onRequest(request);
    const wire = mock.handle(request);
    await turn();
    on.end();
    return { status: wire.status, headers: wire.headers, body: sharedBytesOf(wire) };
  };
}

/** Cached bytes of large bodies: most trials answer the same lists, which are then written and parsed once: a third of its time. */
const bodies = new LRUCache<string, Uint8Array>({ maxSize: 48 * 1024 * 1024, sizeCalculation: ({ length }) => length });
const LARGE = 4 * 1024;

function sharedBytesOf(wire: Wire): Uint8Array {
  if (wire.encoding !== undefined || wire.body.length < LARGE) return bodyBytes(wire);
  const known = bodies.get(wire.body);
  if (known) return known;
  const bytes = bodyBytes(wire);
  bodies.set(wire.body, bytes);
  return bytes;
}

/** The parts of a target that the mock's world has; some personas lack some. */
export const idsOfTarget = ({ target }: Mock): Pick<RunOptions, 'token'> & Partial<RunOptions> => ({
  ...Object.fromEntries(Object.entries(target).filter(([, value]) => value !== '')),
  token: target.token,
});

/** The mocks of most trials show the same worlds, which are then generated and written once: a twentieth of its time. */
export const caches = createCaches();

/** Runs the checks against a new mock, and a layer before it. Its clock is frozen, and nothing waits. */
export function judge(
  options: MockOptions,
  run: Partial<RunOptions> = {},
  wrap: (transport: Transport) => Transport = (transport) => transport,
): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, caches, ...options });
  return runConformance({
    baseUrl: 'http://mock.test',
    ...idsOfTarget(mock),
    transport: wrap(inProcess(mock)),
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
    ...run,
  });
}
