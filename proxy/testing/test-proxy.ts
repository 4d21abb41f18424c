import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { ForeignExchange } from '../../conformance/foreign/foreign-exchange.ts';
import type { ForwarderOptions } from '../forward.ts';
import { startProxy } from '../start.ts';
import { createWatch, type WatchOptions } from '../watch.ts';

/** Closes what a test has started, the latest first. */
export const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The URL of a server that listens until the test ends. */
export async function listening(server: net.Server | http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    const closed = once(server, 'close');
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

/** A server that answers as it is told. */
export async function upstreamOf(listener: http.RequestListener): Promise<http.Server & { readonly url: string }> {
  const server = http.createServer(listener);
  return Object.assign(server, { url: await listening(server) });
}

/** A proxy in this process, with the judge of the command. @throws the error of a judge that throws */
export async function proxyTo(
  upstream: string,
  {
    isStrict = false,
    unjudged,
    backlog,
    ...more
  }: Partial<ForwarderOptions & Pick<WatchOptions, 'isStrict' | 'unjudged' | 'backlog'>> = {},
) {
  const recorded: ForeignExchange[] = [];
  const { inspector, live, report } = createWatch({
    upstream,
    isStrict,
    unjudged,
    terminal: { write: refuseErrors, hasColor: false },
    secrets: [],
    strictNull: false,
    only: [],
    skip: [],
    record: (exchange) => void recorded.push(exchange),
    backlog,
  });
  const to = { upstream: new URL(upstream), timeoutMs: 10_000, port: 0, host: '127.0.0.1' };
  const proxy = await startProxy({ ...to, inspector, live, ...more });
  closing.push(() => proxy.close());
  /** What was judged, and what was left out. */
  const traffic = () => report().traffic;
  return { ...proxy, recorded, report, traffic };
}

function refuseErrors(text: string): void {
  if (text.startsWith('error:')) throw new Error(text);
}

/** The answer to a client that writes the bytes of its request itself. */
export function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (data) => (got += data.toString('latin1')));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}
