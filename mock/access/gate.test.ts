import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import fc from 'fast-check';
import supertest from 'supertest';
import { served } from '../../http/testing/test-server.ts';
import { createMock, type ListenOptions } from '../mock.ts';
import { testMock, testNow } from '../testing/test-client.ts';
import rows from '../testing/gate.json';

type Asked = Pick<RequestOptions, 'method'> & { readonly headers?: Readonly<Record<string, string>> };

/** A mock that listens, and a function that sends it any header, including `host`. */
async function listen(options: ListenOptions = {}) {
  const mock = createMock({ now: testNow, frozen: true });
  const server = await served(mock, options);
  const ask = async (target: string, { method = 'GET', headers = {} }: Asked = {}) => {
    const sent = httpRequest({ port: server.port, host: '127.0.0.1', path: target, method, headers, agent: false });
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of answer.setEncoding('utf8')) {
      text += String(part);
      // The stream never ends.
      if (text.includes(': connected')) break;
    }
    return { status: answer.statusCode, headers: answer.headers, text };
  };
  return { mock, server, ask };
}

const EVERYWHERE = '/api/v1/agents/x /__admin/health /__admin/requests/stream /__admin/ui/ /docs/ /nothing'.split(' ');
/** Every kind of route below `/__admin`, with its status when the gate lets the request through. */
const ADMIN = rows.admin as [target: string, method: string, status: number][];

describe('the Host header', () => {
  test.each(rows.own)('%s is answered on loopback', async (host) => {
    const { ask } = await listen();
    for (const target of EVERYWHERE)
      expect([target, (await ask(target, { headers: { host } })).status]).not.toEqual([target, 403]);
  });

  test.each(rows.others)('%j is refused on loopback at every path', async (host) => {
    const { ask } = await listen();
    for (const target of EVERYWHERE) {
      const answer = await ask(target, { headers: { host } });
      expect([target, answer.status]).toEqual([target, 403]);
      expect(JSON.parse(answer.text).error).toContain(`not to ${JSON.stringify(host)}.`);
    }
  });

  test('the refusal names a remedy that works', async () => {
    const { error } = JSON.parse((await (await listen()).ask('/', { headers: { host: 'Mock.Example:4010' } })).text);
    const name = /--allowed-host (\S+),/.exec(error)?.[1] ?? '';
    const { ask } = await listen({ allowedHosts: [name] });
    expect((await ask('/__admin/health', { headers: { host: 'Mock.Example:4010' } })).status).toBe(200);
    expect((await ask('/__admin/health', { headers: { host: 'other.example' } })).status).toBe(403);
  });

  test('beyond loopback the mock answers to any name, unless some are listed', async () => {
    const open = await listen({ host: '0.0.0.0' });
    expect(open.server.isLocal).toBe(false);
    expect((await open.ask('/__admin/health', { headers: { host: 'mock:4010' } })).status).toBe(200);
    const named = await listen({ host: '0.0.0.0', allowedHosts: ['mock'] });
    const statuses = ['mock:4010', 'localhost', '192.0.2.1:4010', 'evil.example'].map(
      async (host) => (await named.ask('/__admin/health', { headers: { host } })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 403]);
  });

  test('no Host header breaks the mock', async () => {
    const { ask } = await listen();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary-ascii', maxLength: 400 }), async (text) => {
        const host = text.replaceAll(/[^ -~]/g, '').trim();
        const { status, text: body } = await ask('/api/v1/agents/x', { headers: { host } });
        expect([400, 401, 403]).toContain(status);
        if (status === 403) expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
      }),
      { numRuns: 60 },
    );
  });
});

describe('origins', () => {
  const preflight = (origin: string): Asked => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });

  const origins = rows.origins as [string, string[], boolean][];
  test.each(origins)('pages of %s, with --cors %j, may use the service: %s', async (origin, cors, may) => {
    const { ask } = await listen({ cors });
    const asked = await ask('/api/v1/agents/x', preflight(origin));
    const answer = await ask('/api/v1/agents/x', { headers: { origin } });
    expect([asked.status, answer.status]).toEqual(may ? [204, 401] : [403, 403]);
    for (const { headers } of [asked, answer])
      expect(headers['access-control-allow-origin']).toBe(may ? origin : undefined);
    if (!may) expect(JSON.parse(answer.text).error).toContain(`--cors ${origin}, or listen(`);
  });

  test('allowed by --cors may not change the mock', async () => {
    const { ask } = await listen({ cors: ['*'] });
    const { status } = await ask('/__admin/reset', { method: 'POST', headers: { origin: 'https://app.example' } });
    expect(status).toBe(403);
  });
});

test.each(rows.refused as [ListenOptions, string][])('%j is refused', async (options, message) => {
  await expect(createMock().listen(options)).rejects.toThrow(message);
});

describe('pages, below /__admin', () => {
  test.each(rows.pages as [Record<string, string>, boolean][])('%j: %s', async (headers, may) => {
    const { app } = createMock();
    for (const [target, method] of ADMIN) {
      if (!target.startsWith('/') || (may && target.endsWith('stream'))) continue;
      const { status } = await supertest(app)[method === 'GET' ? 'get' : 'post'](target).set(headers);
      expect([target, status === 403]).toEqual([target, !may]);
    }
  });

  test('other sites may link to the dashboard, and to nothing else', async () => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const { app } = createMock();
    const statusOf = async (target: string, more: object = {}): Promise<number> => {
      const answer = await supertest(app)
        .get(target)
        .set({ ...visit, ...more });
      return answer.status;
    };
    for (const page of ['/__admin/ui?session=x', '/__admin/ui/?session=x', '/__admin/ui/index.html?session=x'])
      expect([200, 302]).toContain(await statusOf(page));
    expect(await statusOf('/__admin/state')).toBe(403);
    expect(await statusOf('/__admin/ui/', { 'sec-fetch-dest': 'iframe' })).toBe(403);
  });

  test('in-process requests are not asked for their origin', async () => {
    const { mock } = testMock();
    const headers = { origin: 'https://app.example', host: 'service.test', 'sec-fetch-site': 'cross-site' };
    expect((await mock.fetch('https://service.test/__admin/health', { headers })).status).toBe(200);
    const asked = supertest(mock.app).get('/api/v1/agents/x');
    await asked.set({ host: 'any.example', origin: 'https://a.example' }).expect(401);
  });
});

describe('the admin token', () => {
  const adminToken = 'a-secret-of-admins';
  const basic = (password: string): string => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;

  test.each(ADMIN)('%s (%s) requires the token, and accepts it', async (target, method, status) => {
    const { ask } = await listen({ adminToken });
    for (const authorization of [undefined, 'Bearer mock-write-token', basic('other'), adminToken]) {
      const answer = await ask(target, { method, headers: authorization === undefined ? {} : { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="/);
      expect(answer.text).toMatch(/requires its admin token.*Send Authorization: Bearer <token>/);
      expect(JSON.stringify(answer)).not.toContain(adminToken);
    }
    for (const authorization of [`Bearer ${adminToken}`, `bearer ${adminToken}`, basic(adminToken)])
      expect((await ask(target, { method, headers: { authorization } })).status).toBe(status);
  });

  test('is not required by the service, nor by health, which probes use', async () => {
    const { ask, mock } = await listen({ adminToken });
    const authorization = `Bearer ${mock.target.token}`;
    expect((await ask(`/api/v1/agents/${mock.target.agentId}`, { headers: { authorization } })).status).toBe(200);
    expect((await ask('/__admin/health')).status).toBe(200);
    expect((await ask('/docs/')).status).toBe(200);
    expect((await ask('/__admin/health/../state')).status).toBe(401);
  });

  test('is required of a local page, but not of its preflight request', async () => {
    const { ask } = await listen({ adminToken });
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' };
    expect((await ask('/__admin/state', { method: 'OPTIONS', headers })).status).toBe(204);
    const refused = await ask('/__admin/state', { headers: { origin: headers.origin } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, headers.origin]);
  });
});

describe('sessions', () => {
  test.each(['/nothing', '/api/v1/agents', '/__admin/nothing', '/', ''])('GET /_s/new%s creates none', (path) => {
    const { mock, call } = testMock();
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(call(`/_s/new${path}`, { method }).status).toBeGreaterThan(400);
    expect(call('/nothing', { headers: { 'x-mock-session': 'new' } }).status).toBe(404);
    expect(mock.sessions.list()).toEqual([]);
  });

  test('a valid path creates a session, whose journal then shows invalid paths too', () => {
    const { mock, call } = testMock();
    call('/_s/new/api/v1/agents/x');
    call('/_s/new/nothing');
    expect(mock.sessions.list().map(({ id, journal }) => [id, journal.count()])).toEqual([['new', 2]]);
    expect(call('/_s/a%20b/nothing').status).toBe(400);
  });
});
