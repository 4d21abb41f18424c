import http from 'node:http';
import { listenOn } from '../connect.ts';
import type { Refused, IncomingRequest } from '../exchange.ts';
import { createHostGate, createPageGate, createTokenGate } from '../gate.ts';
import { isLoopback } from '../local-names.ts';

/** What an operator may read besides the probes. */
export type Routes = Readonly<Record<string, () => Promise<{ readonly type: string; readonly body: string }>>>;

const COMMON = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

const PROBES: readonly string[] = ['/healthz', '/readyz'];

/** Probes and `routes` for operators; all but probes need the `token`. @throws the error of `listen` */
export async function startOperating(
  { host, port, token }: { readonly host: string; readonly port: number; readonly token?: string | undefined },
  routes: Routes,
) {
  let isReady = true;
  const guarded = { who: 'The port for operators' };
  const pages = createPageGate(guarded, /^\/(?:report)?(?:\?|$)/);
  const gates = [createHostGate(guarded, [], () => isLoopback(host)), pages];
  if (token !== undefined) gates.push(createTokenGate(guarded, token));
  async function answer({ method = '', url = '', headers }: http.IncomingMessage): Promise<Refused> {
    const [path = ''] = url.split('?', 1);
    if (path === '/readyz' && !isReady) return { status: 503, headers: TEXT, body: 'not ready\n' };
    if (PROBES.includes(path)) return { status: 200, headers: TEXT, body: 'ok\n' };
    const visit: IncomingRequest = { method, target: url, headers: headers as IncomingRequest['headers'] };
    for (const gate of gates) {
      const refused = gate(visit);
      if (refused) return refused;
    }
    const route = routes[path];
    const all = [...PROBES, ...Object.keys(routes)].join(', ');
    if (!route) return { status: 404, headers: TEXT, body: `There are ${all}.\n` };
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, headers: { ...TEXT, allow: 'GET, HEAD' }, body: '' };
    const { type, body } = await route();
    return { status: 200, headers: { 'content-type': type }, body };
  }

  const server = http.createServer((request, response) => {
    response.on('error', () => response.destroy());
    void answer(request)
      .catch((): Refused => ({ status: 500, headers: TEXT, body: 'This cannot be told now.\n' }))
      .then(({ status, headers, body }) => response.writeHead(status, { ...COMMON, ...headers }).end(body));
  });
  return {
    url: await listenOn(server, port, host),
    /** From now on `/readyz` says no, so that no new requests are sent here. */
    drain: () => void (isReady = false),
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
