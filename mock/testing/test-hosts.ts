import express from 'express';
import type { Middleware } from '../hosts/mounted/mount.ts';
import { serverOf, type Listening } from '../../http/testing/test-server.ts';

/** Used by tests only: another server with our middleware in it, which answers 418 after it. */
export interface Host {
  readonly name: string;
  /** The path of the middleware; empty for the root. */
  readonly path: string;
  start(middleware: Middleware): Promise<Listening>;
}

/** Used by tests only: the require of Node.js, which loads ES modules (see `proof/environment.cjs`). */
export const { loadOutside: load } = globalThis as unknown as { readonly loadOutside: NodeJS.Require };

const theirs: Middleware = (_request, response) => void response.writeHead(418).end('theirs');

interface App {
  (...args: Parameters<Middleware>): void;
  use(...handlers: unknown[]): App;
}

const app = (name: string, path: string, make: (middleware: Middleware) => App): Host => ({
  name,
  path,
  start: (middleware) => serverOf(make(middleware)),
});

const express4 = load('express4') as typeof express;
const connect = load('connect') as () => App;

const expresses = ([5, 4] as const).flatMap((version): readonly Host[] => {
  const framework = version === 5 ? express : express4;
  const make = framework as unknown as () => App;
  const bytes = framework.raw({ type: '*/*' });
  return [
    app(`Express ${version}`, '/mock', (mock) => make().use('/mock', mock).use(theirs)),
    app(`Express ${version}, at its root`, '', (mock) => make().use(mock).use(theirs)),
    app(`Express ${version}, on two paths`, '/a/b', (mock) =>
      make().use('/a', framework.Router().use('/b', mock)).use(theirs),
    ),
    app(`Express ${version}, behind parsers`, '/mock', (mock) =>
      make()
        .use(framework.json(), framework.urlencoded({ extended: true }), framework.text())
        .use('/mock', mock)
        .use(theirs),
    ),
    app(`Express ${version}, behind a parser of bytes`, '/mock', (mock) =>
      make().use(bytes).use('/mock', mock).use(theirs),
    ),
  ];
});

const fastify = (plugin: string, path: string): Host => ({
  name: `Fastify with ${plugin}${path === '' ? ', at its root' : ''}`,
  path,
  async start(mock) {
    const server = (load('fastify') as typeof import('fastify')).fastify();
    await server.register(load(plugin));
    // Either plugin adds it.
    (server as unknown as { use(at: string, mock: Middleware): void }).use(path || '/', mock);
    server.setNotFoundHandler((_request, reply) => reply.code(418).send('theirs'));
    return { url: await server.listen({ port: 0, host: '127.0.0.1' }), close: () => server.close() };
  },
});

const vite = (path: string, base = '/'): Host => ({
  name: `Vite${path === '' ? ', at its root' : ''}${base === '/' ? '' : ', below a base'}`,
  path: `${base.slice(0, -1)}${path}`,
  async start(mock) {
    const { createServer: createVite } = load('vite') as typeof import('vite');
    const server = await createVite({
      // Vite serves what stands there first.
      root: __dirname,
      base,
      configFile: false,
      logLevel: 'silent',
      appType: 'custom',
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    if (path === '') server.middlewares.use(mock);
    else server.middlewares.use(path, mock);
    server.middlewares.use(theirs);
    const around = await serverOf(server.middlewares);
    return { url: around.url, close: () => server.close().then(() => around.close()) };
  },
});

/** Used by tests only: the servers that the mock is tested in. */
export const hosts: readonly Host[] = [
  ...expresses,
  app('Connect', '/mock', (mock) => connect().use('/mock', mock).use(theirs)),
  app('Connect, at its root', '', (mock) => connect().use(mock).use(theirs)),
  ...['@fastify/express', '@fastify/middie'].flatMap((plugin) => [fastify(plugin, '/mock'), fastify(plugin, '')]),
  vite('/mock'),
  vite(''),
  vite('/mock', '/app/'),
];
