import http from 'node:http';
import net from 'node:net';
import { checks } from '../conformance/checks/index.ts';
import { createForeignJudge, type ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import type { Met } from '../conformance/foreign/met.ts';
import { reportForeign } from '../conformance/foreign/report-foreign.ts';
import type { Report } from '../conformance/report/report.ts';
import { createClean } from './clean.ts';
import type { UpstreamOptions } from './forward.ts';
import { createAdmin } from './live/admin.ts';
import { createTraffic } from './live/traffic.ts';
import { createInspector } from './inspect.ts';
import type { Backlog } from './backlog.ts';
import { startProxy } from './start.ts';
import { createFindingsLog } from './findings-log.ts';

type Listener = http.RequestListener;

/** Ends what a test has started, latest first. */
export const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server that answers as it is told. */
export async function upstreamOf(listener: Listener): Promise<http.Server & { readonly url: string }> {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())));
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}` });
}

export interface Standing {
  readonly url: string;
  /** Once it has judged all that passed. */
  readonly judge: () => ForeignJudge;
  readonly met: readonly Met[];
  readonly report: () => Report;
}

/** A proxy in this process, and what its judge has seen. */
export async function proxyTo(
  upstream: string,
  {
    isStrict = false,
    backlog,
    ...more
  }: Partial<UpstreamOptions> & { readonly isStrict?: boolean; readonly backlog?: Backlog } = {},
): Promise<Standing> {
  const by = { checks, strictNull: false, secrets: [] as { value: string }[] };
  const judge = createForeignJudge({ ...by, baseUrl: upstream });
  const clean = createClean(by.secrets);
  const traffic = createTraffic(clean);
  const log = createFindingsLog(judge, { write: () => undefined, hasColor: false }, clean);
  const met: Met[] = [];
  const report = (): Report => reportForeign(judge, by);
  const inspector = createInspector({
    judge,
    isStrict,
    ...(backlog && { backlog }),
    clean,
    record: (one) => void met.push(one),
    onPassed(passed) {
      traffic.add(passed);
      if (typeof passed.found !== 'string') log.add(passed.found, passed.met);
    },
    onBroken(error) {
      throw error;
    },
  });
  const proxy = await startProxy({
    upstream: new URL(upstream),
    timeoutMs: 10_000,
    port: 0,
    host: '127.0.0.1',
    inspector,
    admin: createAdmin({ report, causes: () => log.causes(), traffic }),
    ...more,
  });
  closing.push(() => proxy.close());
  return { url: proxy.url, judge: () => (inspector.flush(), judge), met, report };
}

/** What a client gets that writes the bytes of its request itself. */
export function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (data) => (got += data.toString('latin1')));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}
