import http from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Used by tests only: a server that listens. */
export interface Listening {
  readonly url: string;
  readonly close: () => Promise<unknown>;
}

const open: Pick<Listening, 'close'>[] = [];
afterAll(async () => {
  for (const one of open.toReversed()) await one.close();
});

/** Starts a mock, which closes after the last test of the file. */
export async function served<Options, Served extends Listening>(
  mock: { listen(options?: Options): Promise<Served> },
  options?: Options,
): Promise<Served> {
  const server = await mock.listen(options);
  open.push(server);
  return server;
}

/** A server on a free port of loopback, which closes after the last test of the file at the latest. */
export async function listening(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<unknown> =>
    new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    });
  open.push({ close });
  return { url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

export const serverOf = (listener: http.RequestListener): Promise<Listening> => listening(http.createServer(listener));

export async function deadUrl(): Promise<string> {
  const server = await serverOf(() => undefined);
  await server.close();
  return server.url;
}
