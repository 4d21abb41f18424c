import http from 'node:http';
import net from 'node:net';
import { listening } from '../../http/testing/test-server.ts';
import type { Found } from '../findings-log.ts';
import type { ForwarderOptions } from '../forward.ts';
import { createInspector, type InspectorOptions, type Judging } from '../inspect.ts';
import { startJudge } from '../judge-thread.ts';
import type { Passed } from '../passed.ts';
import { createShare } from '../share.ts';
import { startProxy } from '../start.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server that answers as it is told. */
export async function upstreamOf(listener: http.RequestListener): Promise<http.Server & { readonly url: string }> {
  const server = http.createServer(listener);
  return Object.assign(server, { url: (await listening(server)).url });
}

/** A proxy with the judge of the command, in this process. @throws the error of a judge that breaks */
export async function proxyTo(
  upstream: string,
  { wrong = 'passes', onUnjudged, share = createShare(), ...more }: Partial<ForwarderOptions & InspectorOptions> = {},
) {
  const fail = (why: string): never => {
    throw new Error(why);
  };
  const found: Found[] = [];
  const judged = { upstream, secrets: [], strict: false, only: [], skip: [], sample: 1, memoryMb: 192 };
  const events = { onFound: (one: Found) => void found.push(one), onBroken: fail, onNote: fail };
  const judge = await startJudge(judged, [], share, events);
  const recorded: Passed[] = [];
  const judging: Judging = { ...judge.judging, see: (one) => (recorded.push(one), judge.judging.see(one)) };
  const inspector = createInspector({ judging, wrong, onUnjudged, share, isRecording: more.isRecording });
  const to = { upstream: new URL(upstream), timeoutMs: 10_000, port: 0, host: '127.0.0.1' };
  const proxy = await startProxy({ ...to, inspector, ...more });
  closing.push(async () => {
    await proxy.close();
    await judge.end();
  });
  /** What was judged, and what was left out. */
  const traffic = async () => (await judge.report()).report?.traffic;
  return { ...proxy, found, recorded, traffic };
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
