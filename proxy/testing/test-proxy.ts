import http from 'node:http';
import net from 'node:net';
import { listening } from '../../http/testing/test-server.ts';
import type { Passed } from '../passed.ts';
import { judgedProxy } from './judged-proxy.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

export async function upstreamOf(listener: http.RequestListener): Promise<http.Server & { readonly url: string }> {
  const server = http.createServer(listener);
  return Object.assign(server, { url: (await listening(server)).url });
}

/** A judged proxy that closes after the test, what it found, and what passed it. It goes to a URL, or to who answers so. */
export async function proxyTo(to: string | http.RequestListener, options?: Parameters<typeof judgedProxy>[1]) {
  const upstream = typeof to === 'string' ? to : (await upstreamOf(to)).url;
  const recorded: Passed[] = [];
  const proxy = await judgedProxy(upstream, options, (one) => {
    recorded.push({ ...one, answer: one.answer?.map((piece) => Buffer.from(piece)) });
  });
  closing.push(() => proxy.close());
  return { ...proxy, recorded };
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
