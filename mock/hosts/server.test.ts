import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { served } from '../../http/testing/test-server.ts';
import { createMock } from '../mock.ts';
import { testMock, testNow } from '../testing/test-client.ts';

const mock = createMock({ now: testNow, frozen: true });
const bearer = `Bearer ${mock.target.token}`;
const { workspaceId, agentId } = mock.target;

describe('over HTTP', () => {
  const create = (headers: object, body: string | Buffer): supertest.Test =>
    supertest(mock.app)
      .post('/api/v1/agents')
      .set({ authorization: bearer, 'content-type': 'application/json', ...headers })
      .serialize((data: unknown) => data as string)
      .send(body);

  test('answers the same as in process', async () => {
    const { call } = testMock();
    const target = `/api/v1/agents/${agentId}/results?timeFilter=allTime&limit=3`;
    const answer = await supertest(mock.app).get(target).set('authorization', bearer).expect(200);
    const inProcess = call(target);
    expect(answer.text).toBe(inProcess.text);
    const expected = { 'content-type': 'application/json; charset=utf-8', date: inProcess.headers['date'] };
    expect(answer.headers).toMatchObject(expected);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
  });

  test('reads JSON bodies, also compressed with gzip', async () => {
    const body = JSON.stringify({ workspaceId, agent: { name: 'Gzipped' } });
    const answer = await create({ 'content-encoding': 'gzip' }, gzipSync(body)).expect(201);
    expect(answer.body.agent.name).toBe('Gzipped');
  });

  test.each([
    ['a body over the limit', {}, `"${'x'.repeat(10_000_001)}"`, 413],
    ['one over the limit once unpacked', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000, ' ')), 413],
    ['a body that claims to be gzip and is not', { 'content-encoding': 'gzip' }, '{}', 400],
    ['an unknown encoding', { 'content-encoding': 'zip' }, '{}', 400],
  ])('%s is refused', async (_, headers, body, status) => {
    expect((await create(headers, body).expect(status)).body.errors).not.toEqual([]);
  });

  test('listens on loopback, and closes while connections are open', async () => {
    const server = await createMock().listen();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const socket = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    await server.close();
    await closed;
  });

  test('a port in use is an error', async () => {
    const server = await served(createMock());
    await expect(createMock().listen({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

test.each<[object, RegExp]>([
  [{ profile: 'none' }, /There is no profile "none"\. There are default/],
  [{ faults: ['x'] }, /There is no fault "x"/],
  [{ choices: { 'error-body': 'x' } }, /The gap "error-body" has no choice "x"\. It has problem-json/],
  [{ persona: 'none' }, /There is no persona "none"\. There are empty, tiny/],
  [{ settings: { latency: { type: 'fixed', milliseconds: -1 } } }, /latency.milliseconds is -1/],
])('a mock with %j is refused', (options, message) => expect(() => createMock(options)).toThrow(message));
