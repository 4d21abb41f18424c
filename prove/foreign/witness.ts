import { createInspector } from '../../proxy/inspect.ts';
import { exchangeOf } from '../../proxy/passed.ts';
import { startProxy } from '../../proxy/start.ts';
import { createWatch } from '../../proxy/watch.ts';
import type { Ticks } from '../../conformance/foreign/exchange-of.ts';
import type { ForeignExchange } from '../../conformance/foreign/foreign-exchange.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/index.ts';
import { createMock, type MockOptions } from '../../mock/index.ts';
import { caches, PACE, proofNow } from '../target.ts';
import type { Program } from './typed-client.ts';

/** What the proxy reports about a mock from a program's traffic, which `recording` gets with every credential in it. */
export async function judgeTraffic(
  options: MockOptions,
  program: Program,
  recording?: { readonly secrets: Secret[]; readonly record: (exchange: ForeignExchange, place: Ticks) => void },
): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, caches, ...options });
  const server = await mock.listen();
  const watch = createWatch({ upstream: server.url, secrets: [], includeBodies: true });
  let broken: unknown;
  const inspector = createInspector({
    judging: {
      see(passed) {
        try {
          watch.see(passed);
          recording?.secrets.splice(0, Infinity, ...watch.secrets);
          if (passed.isWhole) recording?.record(exchangeOf(passed), passed);
        } catch (error) {
          broken ??= error;
        }
      },
      verdictOn: () => Promise.resolve([]),
      skip: () => undefined,
    },
    wrong: 'passes',
    timing() {
      mock.clock.advance(PACE);
      return { sentAt: mock.clock.now(), answeredAt: () => mock.clock.now() };
    },
  });
  const where = { port: 0, host: '127.0.0.1', timeoutMs: 10_000 };
  const proxy = await startProxy({ upstream: new URL(server.url), ...where, inspector });
  try {
    await program({ mock, fetch, baseUrl: proxy.url });
    if (broken !== undefined) throw broken;
    return watch.report();
  } finally {
    watch.end();
    await proxy.close();
    await server.close();
  }
}
