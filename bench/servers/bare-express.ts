import type { AddressInfo } from 'node:net';
import express, { type Handler } from 'express';
import endpoints from '../../spec/endpoints.json';
import { readAnswers } from './answers.ts';

/**
 * The cost of Express without any work: the documented routes, a constant body with the mock's headers, and neither
 * ETag nor X-Powered-By. It parses request bodies, as any service would.
 */
const answers = readAnswers();
const app = express();
app.disable('x-powered-by');
app.disable('etag');
const answer: Handler = (request, response) => {
  const found = answers.get(`${request.method} ${request.originalUrl}`);
  if (found) response.writeHead(found.status, found.headers).end(found.body);
  else response.sendStatus(404);
};
for (const { method, path } of Object.values(endpoints)) {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  if (method === 'GET') app.get(route, answer);
  else app.post(route, express.json({ limit: '10mb' }), answer);
}
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
