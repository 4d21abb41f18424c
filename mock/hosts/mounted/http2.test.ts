import { connect, createServer, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '../../mock.ts';
import { testNow } from '../../testing/test-client.ts';

// Dev servers speak HTTP/2 over TLS. Its requests have an authority in place of a host.

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token, workspaceId } = mock.target;
const server = createServer((request, response) =>
  mock.app(request as unknown as IncomingMessage, response as unknown as ServerResponse),
);
let client: ClientHttp2Session;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  client.destroy();
  server.close();
});

const ask = (path: string, headers: IncomingHttpHeaders = {}, body?: string) =>
  new Promise<{ readonly status: unknown; readonly text: string }>((resolve, reject) => {
    const stream = client.request({ ':path': path, authorization: `Bearer ${token}`, ...headers });
    let status: unknown;
    let text = '';
    stream.setEncoding('utf8').on('response', (answer) => (status = answer[':status']));
    stream.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve({ status, text }));
    stream.on('error', reject).on('close', () => reject(new Error('closed')));
    stream.end(body);
  });

test('reads, writes, serves pages, and admits its own page below /__admin', async () => {
  expect(await ask(`/api/v1/agents/${agentId}`)).toMatchObject({ status: 200 });
  const body = JSON.stringify({ workspaceId, agent: { name: 'Two' } });
  const type = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const made = await ask('/api/v1/agents', { ':method': 'POST', ...type }, body);
  expect([made.status, JSON.parse(made.text)]).toMatchObject([201, { agent: { name: 'Two' } }]);
  expect((await ask('/__admin/ui/')).text).toMatch(/^<!doctype html>/i);
  const reset = (origin: string): ReturnType<typeof ask> => ask('/__admin/reset', { ':method': 'POST', origin });
  expect(await reset('https://app.example')).toMatchObject({ status: 403 });
  const names = mock.journal.entries().flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => name.startsWith(':'))).toEqual([]);
  const page = { ':authority': 'app.example', origin: 'https://app.example' };
  expect(await ask('/__admin/reset', { ':method': 'POST', ...page })).toMatchObject({ status: 200 });
});

test('a broken connection breaks only its own stream', async () => {
  const message = /stream/i;
  await expect(ask(`/api/v1/agents/${agentId}`, { prefer: 'fault=CONNECTION_RESET_BY_PEER' })).rejects.toThrow(message);
  expect(await ask(`/api/v1/agents/${agentId}`)).toMatchObject({ status: 200 });
});
