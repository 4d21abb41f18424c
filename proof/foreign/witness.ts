import { createClean } from '../../proxy/clean.ts';
import { createInspector, type Timing } from '../../proxy/inspect.ts';
import type { Backlog } from '../../proxy/backlog.ts';
import { startProxy } from '../../proxy/start.ts';
import { checks, type Report } from '../../conformance/index.ts';
import { createForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../../conformance/foreign/report-foreign.ts';
import { createMock, type MockOptions } from '../../mock/index.ts';
import { proofNow } from '../target.ts';
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

/** What the proxy reports about a mock, from the traffic of a program that uses it. Both listen on a port of their own. */
export async function judgeTraffic(options: MockOptions, program: Program): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, ...options });
  const server = await mock.listen();
  const by = { checks, strictNull: false, secrets: [] as { value: string }[] };
  const judge = createForeignJudge({ ...by, baseUrl: server.url });
  const errors: unknown[] = [];
  const timing = (): Timing => {
    mock.clock.advance(STEP_MS);
    return { sentAt: mock.clock.now(), answeredAt: () => mock.clock.now() };
  };
  const inspector = createInspector({
    judge,
    isStrict: false,
    clean: createClean(by.secrets),
    onPassed: () => undefined,
    onBroken: (error) => errors.push(error),
    backlog: atOnce,
    timing,
  });
  const where = { port: 0, host: '127.0.0.1', timeoutMs: 10_000 };
  const proxy = await startProxy({ upstream: new URL(server.url), ...where, inspector });
  try {
    await program({ mock, fetch, baseUrl: proxy.url });
    if (errors.length > 0) throw errors[0];
    return reportForeign(judge, by);
  } finally {
    await proxy.close();
    await server.close();
  }
}
