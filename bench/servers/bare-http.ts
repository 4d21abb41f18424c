import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAnswers } from './answers.ts';

/** The cost of node:http without any work: a constant body with the mock's headers. */
const answers = readAnswers();
const server = createServer((request, response) => {
  const key = `${request.method ?? ''} ${request.url ?? ''}`;
  if (request.method === 'GET') return send(response, key);
  request.resume().once('end', () => send(response, key));
});

function send(response: ServerResponse, key: string): void {
  const found = answers.get(key);
  if (found) response.writeHead(found.status, { ...found.headers }).end(found.body);
  else response.writeHead(404).end();
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
