import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import express, { type Handler } from 'express';
import endpoints from '../spec/endpoints.json';
import { startProxy } from '../proxy/start.ts';

// What the mock and the proxy are measured against, each the cheapest of its kind: `node servers.js <kind> <file or URL>`.

/** Answers of the mock, by `<method> <path and query>`. */
export type Answers = Readonly<
  Record<string, { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }>
>;

function readAnswers(file: string): ReadonlyMap<string, { status: number; headers: object; body: Buffer }> {
  const answers = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Answers);
  return new Map(
    answers.map(([key, { status, headers, body }]) => {
      const bytes = Buffer.from(body);
      return [key, { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes }];
    }),
  );
}

const print = (url: string): void => void process.stdout.write(`${JSON.stringify({ url })}\n`);
const printAddress = (server: Server): void => print(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

/** Express without any work: the documented routes, the mock's headers, neither ETag nor X-Powered-By. It parses bodies. */
function bareExpress(file: string): void {
  const answers = readAnswers(file);
  const app = express().disable('x-powered-by').disable('etag');
  const answer: Handler = (request, response) => {
    const found = answers.get(`${request.method} ${request.originalUrl}`);
    if (found) response.writeHead(found.status, { ...found.headers }).end(found.body);
    else response.sendStatus(404);
  };
  for (const { method, path } of Object.values(endpoints)) {
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
    if (method === 'GET') app.get(route, answer);
    else app.post(route, express.json({ limit: '10mb' }), answer);
  }
  const server = app.listen(0, '127.0.0.1', () => printAddress(server));
}

function bareHttp(file: string): void {
  const answers = readAnswers(file);
  const server = createServer((request, response) => {
    const found = answers.get(`${request.method} ${request.url}`);
    request.resume().once('end', () => {
      if (found) response.writeHead(found.status, { ...found.headers }).end(found.body);
      else response.writeHead(404).end();
    });
  });
  server.listen(0, '127.0.0.1', () => printAddress(server));
}

/** Our proxy without its judge. */
async function forwarding(upstream: string): Promise<void> {
  const { url } = await startProxy({
    upstream: new URL(upstream),
    timeoutMs: 60_000,
    port: 0,
    host: '127.0.0.1',
  });
  print(url);
}

const kinds: Readonly<Record<string, (argument: string) => void | Promise<void>>> = {
  express: bareExpress,
  http: bareHttp,
  forwarding,
};
const [, , kind = '', argument = ''] = process.argv;
if (require.main === module) void kinds[kind]?.(argument);
