import http, { type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { sendGuarded } from './deliver.ts';
import { createApp } from './server.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';
import { testNow } from '../testing/test-client.ts';
import { served, serverOf } from '../../http/testing/test-server.ts';

let mock: Mock;
let server: MockServer;

beforeAll(async () => {
  mock = createMock({ now: testNow, frozen: true });
  // The mock then reflects any origin.
  server = await served(mock, { cors: ['*'] });
});
afterEach(() => jest.restoreAllMocks());

/** Sends raw bytes, and resolves with everything that arrives until the connection closes. */
const exchange = (text: string, port = server.port): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });

const LAST = 'host: localhost\r\nconnection: close\r\n';
const get = (target: string, headers = ''): Promise<string> =>
  exchange(`GET ${target} HTTP/1.1\r\n${LAST}authorization: Bearer ${mock.target.token}\r\n${headers}\r\n`);

/** Texts that a header cannot hold unescaped. */
const texts = ['€', '\u{1f600}', 'é', 'a\r\nx: y', '\0', '\u007f', '\ud800', '"\\"', 'x'.repeat(3000)];

describe('a text in a response header', () => {
  const agent = '/api/v1/agents/x';
  // A lone surrogate, encoded as some programs do.
  const encoded = (text: string): string => (text === '\ud800' ? '%ED%A0%80' : encodeURIComponent(text));

  test.each(texts)('text %# works as a preference, at once and later, over a socket', async (text) => {
    for (const more of ['', '&__delay=1', '&__rate=1000000']) {
      const answer = await get(`${agent}?__dynamic=true&__seed=${encoded(text)}&__fault=${encoded(text)}${more}`);
      expect(answer).toMatch(/^HTTP\/1\.1 (?:200|404) /);
      expect(answer.split('\r\n\r\n')[0]).toMatch(/^[\r\n\t -~]*$/);
    }
  });

  test.each(texts)('text %# works as a preference, in process', async (text) => {
    for (const fetch of [mock.fetch, createMock().fetch]) {
      const answer = await fetch(`/api/v1/agents/x?__seed=${encoded(text)}&__fault=${encoded(text)}`);
      expect(answer.status).toBe(401);
    }
  });

  test.each(['origin', 'access-control-request-headers'])('%s works beyond ASCII', async (name) => {
    const asks = `OPTIONS ${agent} HTTP/1.1\r\n${LAST}access-control-request-method: GET\r\n`;
    const given = name === 'origin' ? '' : 'origin: http://localhost\r\n';
    expect(await exchange(`${asks}${given}${name}: é\u0080\r\n\r\n`)).toMatch(/^HTTP\/1\.1 204 /);
  });

  test('any session of a mock answers with such headers', () => {
    const { headers } = mock.session('s').handle({ method: 'GET', target: `${agent}?__fault=%E2%82%AC`, headers: {} });
    expect(Object.values(headers).join('')).toMatch(/^[ -~]+$/);
  });
});

describe('a failure while an answer is sent', () => {
  test('ends that connection, is reported with the request, and leaves the mock running', async () => {
    const said = jest.spyOn(console, 'error').mockReturnValue();
    const failing: RequestListener = (request, response) =>
      sendGuarded(response, () => {
        if (request.url === '/late') response.writeHead(200).write('begun');
        throw new Error('broken');
      });
    const other = await serverOf(failing);
    const port = Number(new URL(other.url).port);
    const ask = (target: string): Promise<string> => exchange(`GET ${target} HTTP/1.1\r\n${LAST}\r\n`, port);
    expect(await ask('/early?x=%0a')).toMatch(/^HTTP\/1\.1 500 [\s\S]*The mock failed/);
    expect(await ask('/late')).not.toMatch(/The mock failed/);
    const reported = said.mock.calls.map(String);
    expect(reported[0]).toMatch(/GET "\/early\?x=%0a".*broken/);
    expect(reported.slice(1)).toEqual([expect.stringMatching(/GET "\/late".*broken/)]);
  });

  test('in an endpoint is a 500 in process too', async () => {
    const said = jest.spyOn(console, 'error').mockReturnValue();
    const other = createMock();
    const { token } = other.target;
    jest.spyOn(other.store, 'agent').mockImplementation(() => {
      throw new Error('broken');
    });
    const answer = await other.fetch('/api/v1/agents/x', { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.json()]).toEqual([500, { error: expect.stringContaining('The mock failed') }]);
    expect(said).toHaveBeenCalledTimes(1);
  });

  test('in a listener of the journal harms no request', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const other = createMock();
    const heard: number[] = [];
    other.journal.subscribe(() => {
      throw new Error('broken');
    });
    other.journal.subscribe(({ id }) => heard.push(id));
    expect((await other.fetch('/api/v1/agents/x')).status).toBe(401);
    expect(heard).toEqual([1]);
  });
});

describe('HTTP', () => {
  test.each([204, 304])('%d has neither a length nor a body', async (code) => {
    const { agentId } = mock.target;
    const answer = await get(`/api/v1/agents/${agentId}`, `prefer: code=${code}\r\n`);
    const [head = '', body] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    expect(head.toLowerCase()).not.toMatch(/content-length|content-type|transfer-encoding/);
    expect(body).toBe('');
    expect(mock.journal.entries().at(-1)?.response).toMatchObject({ status: code, body: null });
  });

  test.each<[string, string, object]>([
    ['one header of a name', 'x-one: a\r\n', { 'x-one': 'a' }],
    ['two headers of a name', 'x-two: a\r\nx-two: b\r\n', { 'x-two': 'a, b' }],
    ['two cookies of a server', 'set-cookie: a=1\r\nset-cookie: b=2\r\n', { 'set-cookie': 'a=1, b=2' }],
  ])('headers are read as texts: %s', async (_, headers, read) => {
    let seen: object = {};
    const app = createApp(createMock(), (request) => {
      seen = request.headers;
      return undefined;
    });
    const listening = await serverOf(app);
    await exchange(`GET / HTTP/1.1\r\n${LAST}${headers}\r\n`, Number(new URL(listening.url).port));
    expect(seen).toMatchObject({ host: 'localhost', ...read });
  });

  const paths = ['/api/v1/agents/x', '/_s/s/api/v1/agents/x', '/__admin/health', '/docs/', '/__admin/ui/', '/', ''];
  test.each(paths)('the absolute form of %s gets the same answer as the path', async (target) => {
    const [plain, absolute] = [await get(target || '/'), await get(`http://any.host:99${target}`)];
    expect(absolute.split('\r\n')[0]).toBe(plain.split('\r\n')[0]);
    expect(absolute.split('\r\n\r\n')[1]).toBe(plain.split('\r\n\r\n')[1]);
  });

  test.each([
    'GET /api/v1/agents/x HTTP/1.1\r\nhost: localhost\r\n',
    'POST /api/v1/agents HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{',
    'POST /api/v1/agents HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{"\r\n',
  ])('an incomplete request is closed in bounded time (%#)', async (half) => {
    const create = http.createServer.bind(http);
    const limits: http.ServerOptions[] = [];
    // The same limits, a thousand times shorter.
    jest.spyOn(http, 'createServer').mockImplementation(((options: http.ServerOptions, listener: RequestListener) => {
      limits.push(options);
      const shorter = Object.entries(options).map(([name, value]) => [name, Number(value) / 1000]);
      return create(Object.fromEntries(shorter), listener);
    }) as typeof http.createServer);
    const own = await served(createMock());
    expect(await exchange(half, own.port)).toMatch(/^HTTP\/1\.1 408 |^$/);
    const [{ headersTimeout = 0, requestTimeout = 0, connectionsCheckingInterval = 0 } = {}] = limits;
    expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(20_000);
    expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(70_000);
    expect(headersTimeout).toBeGreaterThan(0);
  });
});
