import type { Backlog } from '../../proxy/backlog.ts';
import { startProxy } from '../../proxy/start.ts';
import { createWatch, type WatchOptions } from '../../proxy/watch.ts';
import type { Report } from '../../conformance/index.ts';
import { createMock, type MockOptions } from '../../mock/index.ts';
import { caches, proofNow } from '../target.ts';
import type { Program } from './typed-client.ts';

/** Milliseconds by which each request advances the frozen clock. */
const STEP_MS = 30;

/** Judges each exchange as it ends: the proof does not depend on how busy the machine is. */
const atOnce: Backlog = {
  noteTraffic: () => undefined,
  hasTime: false,
  isFull: false,
  runNow: (work) => work(),
  add: (work) => work(),
  flush: () => undefined,
};

/**
 * What the proxy reports about a mock, from the traffic of a program that uses it. Both listen on a port of their own.
 * @param recording gets the traffic, and every credential in it.
 */
export async function judgeTraffic(
  options: MockOptions,
  program: Program,
  { secrets = [], record }: Partial<Pick<WatchOptions, 'secrets' | 'record'>> = {},
): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, caches, ...options });
  const server = await mock.listen();
  let written = '';
  const watch = createWatch({
    terminal: { write: (text) => (written += text), hasColor: false },
    secrets,
    record,
    upstream: server.url,
    isStrict: false,
    strictNull: false,
    only: [],
    skip: [],
    backlog: atOnce,
    timing() {
      mock.clock.advance(STEP_MS);
      return { sentAt: mock.clock.now(), answeredAt: () => mock.clock.now() };
    },
  });
  const where = { port: 0, host: '127.0.0.1', timeoutMs: 10_000 };
  const proxy = await startProxy({ upstream: new URL(server.url), ...where, inspector: watch.inspector });
  try {
    await program({ mock, fetch, baseUrl: proxy.url });
    const [broken] = /^error: .*$/m.exec(written) ?? [];
    if (broken !== undefined) throw new Error(broken);
    return watch.report();
  } finally {
    watch.end();
    await proxy.close();
    await server.close();
  }
}
