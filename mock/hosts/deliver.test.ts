import { EventEmitter } from 'node:events';
import { get, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { served } from '../../http/testing/test-server.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';
import { testNow } from '../testing/test-client.ts';
import { deliver } from './deliver.ts';
import { connectionFaults, waitingTime, type Delivery } from '../wire/wire.ts';

let mock: Mock;
let server: MockServer;

beforeAll(async () => {
  mock = createMock({ now: testNow, frozen: true });
  server = await served(mock);
});

/** Requests the main agent, and resolves with the answer or with how the connection ended. */
const ask = (prefer: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${mock.target.token}`, prefer };
    get(`${server.url}/api/v1/agents/${mock.target.agentId}`, { headers, agent: false }, resolve).once('error', reject);
  });

const bodyOf = async (answer: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  return text;
};

const codes = { CONNECTION_RESET_BY_PEER: /ECONNRESET/, EMPTY_RESPONSE: /ECONNRESET/, RANDOM_DATA_THEN_CLOSE: /HPE_/ };
test.each(Object.entries(codes))('%s', async (fault, code) => {
  await expect(ask(`fault=${fault}`)).rejects.toMatchObject({ code: expect.stringMatching(code) });
});

test.each(connectionFaults)('%s does nothing without a socket, as in a server in process', (connection) => {
  const response = { req: {}, socket: null, headersSent: false, destroyed: false, writeHead: jest.fn() };
  deliver(response as unknown as ServerResponse, { status: 200, headers: {}, body: '{}', delivery: { connection } });
  expect(response.writeHead).not.toHaveBeenCalled();
});

test('MALFORMED_RESPONSE_CHUNK starts an answer and breaks it off', async () => {
  const answer = await ask('fault=MALFORMED_RESPONSE_CHUNK');
  expect(answer.statusCode).toBe(200);
  await expect(bodyOf(answer)).rejects.toMatchObject({ code: expect.stringMatching(/HPE_|ECONNRESET/) });
});

test('a slow answer arrives in pieces, and in full', async () => {
  const [slow, quick] = await Promise.all([ask('rate=50000'), ask('delay=0')]);
  const pieces: string[] = [];
  for await (const chunk of slow.setEncoding('utf8')) pieces.push(String(chunk));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(await bodyOf(quick));
  expect(slow.headers['content-length']).toBe(quick.headers['content-length']);
});

test('a client that disconnects while it waits does no harm', async () => {
  const headers = { authorization: `Bearer ${mock.target.token}`, prefer: 'delay=600000' };
  const request = httpRequest(`${server.url}/api/v1/agents/${mock.target.agentId}`, { headers });
  const recorded = new Promise<unknown>((resolve) => {
    const stop = mock.journal.subscribe(() => resolve(stop()));
  });
  request.on('error', () => undefined);
  request.end();
  await recorded;
  request.destroy();
  expect((await ask('delay=0')).statusCode).toBe(200);
});

test('no timer remains of a delayed answer if its client is gone', () => {
  jest.useFakeTimers();
  const response = new EventEmitter();
  deliver(response as ServerResponse, { status: 200, headers: {}, body: '', delivery: { delay: 1000 } });
  const before = jest.getTimerCount();
  response.emit('close');
  expect([before, jest.getTimerCount()]).toEqual([1, 0]);
});
afterEach(() => jest.useRealTimers());

test('an answer of seven bytes takes its delay, and the time of its bytes', () => {
  const time = (delivery?: Delivery): number => waitingTime({ status: 200, headers: {}, body: 'Größe', delivery });
  expect([time(), time({}), time({ delay: 30 })]).toEqual([0, 0, 30]);
  expect([time({ rate: 2 }), time({ delay: 30, rate: 2 })]).toEqual([3500, 3530]);
});

test('server-sent events report each request of their session', async () => {
  const stream = await fetch(`${server.url}/_s/own/__admin/requests/stream`);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const texts = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await texts?.read())?.value).toContain(': connected');
  await ask('delay=0');
  await fetch(`${server.url}/_s/own/api/v1/agents/x`, { headers: { authorization: `Bearer ${mock.target.token}` } });
  const [, data = ''] = /^event: request\ndata: (.*)\n\n$/m.exec((await texts?.read())?.value ?? '') ?? [];
  await texts?.cancel();
  const headers = { authorization: 'Bearer $TOKEN' };
  expect(JSON.parse(data)).toMatchObject({ session: 'own', endpoint: 'get-agent', headers });
});

test('the stream of an impossible session is refused, and HEAD of a stream ends', async () => {
  expect((await fetch(`${server.url}/_s/a%20b/__admin/requests/stream`)).status).toBe(400);
  expect((await fetch(`${server.url}/__admin/requests/stream`, { method: 'HEAD' })).status).toBeLessThan(500);
});
