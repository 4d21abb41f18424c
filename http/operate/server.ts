import http from 'node:http';
import { listenOn } from '../connect.ts';
import type { Refused, Visit } from '../exchange.ts';
import { createHostGate, createPageGate, createTokenGate } from '../gate.ts';
import { isLoopback } from '../local-names.ts';

/** What an operator may read besides the probes. */
export type Routes = Readonly<Record<string, () => Promise<{ readonly type: string; readonly body: string }>>>;

const COMMON = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

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
  const probes: Readonly<Record<string, () => number>> = {
    '/healthz': () => 200,
    '/readyz': () => (isReady ? 200 : 503),
  };

  async function answer({ method = '', url = '', headers }: http.IncomingMessage): Promise<Refused> {
    const [path = ''] = url.split('?', 1);
    const probe = probes[path];
    if (probe) return { status: probe(), headers: TEXT, body: probe() === 200 ? 'ok\n' : 'not ready\n' };
    const visit: Visit = { method, target: url, headers: headers as Visit['headers'] };
    for (const gate of gates) {
      const refused = gate(visit);
      if (refused) return refused;
    }
    const route = routes[path];
    const all = [...Object.keys(probes), ...Object.keys(routes)];
    if (!route) return { status: 404, headers: TEXT, body: `There are ${all.join(', ')}.\n` };
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
