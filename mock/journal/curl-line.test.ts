import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { toCurl } from '../../text/curl.ts';
import { UNSEEN } from '../../text/visible.ts';
import type { MockRequest } from '../call.ts';
import { testMock } from '../testing/test-client.ts';
import { serverOf } from '../testing/test-upstream.ts';
import { curlLine } from './curl-line.ts';
import { anyText } from '../../text/testing/test-any-text.ts';

const TOKEN = 'a-token-of-mine';

/** Text that a shell, JavaScript or a page would execute. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '$(touch pasted)',
        '`touch pasted`',
        '${HOME}',
        '$TOKEN',
        '$BASE_URL',
        "'",
        '"',
        '\\',
        '\\n',
        '!!',
        '!x',
        '; exit 3 #',
        '</script>',
        '${token}',
        "$'",
        '\\`',
        '@/etc/passwd',
        TOKEN,
      ),
      anyText({ maxLength: 6 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

/** Every character that an HTTP header can carry: bytes, except those that end a line. */
const headerValue = nasty.map((text) =>
  text
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .trim()
    .replaceAll(/^\s+|\s+$/g, ''),
);
const content = fc.oneof(
  nasty.map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 40 }),
  nasty.map((text) => new TextEncoder().encode(`\0${text.repeat(40)}\0\n\u2028\u202e\ufeff`)),
  fc.constant(new TextEncoder().encode('{"__proto__":{"a":1},"</script>":"\u2028"}'.padEnd(9000))),
);
const requests: fc.Arbitrary<MockRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    path: nasty.map((text) => `/${text.replaceAll(/[^!-~]|#/g, '')}`),
    own: headerValue,
    body: fc.option(content, { nil: undefined }),
  })
  .map(({ method, path, own, body: sent }) => ({
    method,
    target: path,
    headers: { authorization: `Bearer ${TOKEN}`, 'x-own': own, 'content-type': 'application/json' },
    ...(sent === undefined || method === 'GET' ? {} : { body: sent }),
  }));

const heard = (request: Pick<MockRequest, 'method' | 'target' | 'headers' | 'body'>): object => ({
  method: request.method,
  target: request.target,
  own: request.headers['x-own'] ?? '',
  authorization: request.headers['authorization'],
  body: Buffer.from(request.body ?? new Uint8Array())
    .toString('latin1')
    .slice(0, 200),
  size: request.body?.length ?? 0,
});

/** Everything that arrives at a server while `work` runs with its address. */
async function arriving(work: (baseUrl: string) => Promise<void>): Promise<readonly object[]> {
  const all: object[] = [];
  const server = await serverOf((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '' } = request;
      all.push(
        heard({ method, target, headers: request.headers as MockRequest['headers'], body: Buffer.concat(chunks) }),
      );
      response.end('{}');
    });
  });
  try {
    await work(server.url);
  } finally {
    await server.close();
  }
  return all;
}

const sample = fc.sample(requests, { numRuns: 100, seed: 1 });

test('a command pasted into bash sends the same request, and bash executes nothing in it', async () => {
  const lines = sample.map((request) => curlLine(request) ?? '');
  for (const line of lines) expect(line.match(UNSEEN)).toBeNull();
  expect(lines.join('\n')).not.toContain(TOKEN);
  const arrived = await arriving(async (baseUrl) => {
    const child = execFile('bash', ['--norc'], { env: { PATH: process.env['PATH'], TOKEN, BASE_URL: baseUrl } });
    let errors = '';
    child.stderr?.on('data', (text: string) => (errors += text));
    // Pasted by a person, into an interactive shell with history.
    child.stdin?.end(`set -o history -o histexpand\nexec >/dev/null\n${lines.join('\n')}\n`);
    await once(child, 'close');
    expect(errors).toBe('');
  });
  expect(arrived).toEqual(sample.map(heard));
});

test('an exchange with a broken connection has no status', async () => {
  const { mock } = testMock();
  const server = await mock.listen();
  const { agentId, token } = mock.target;
  const headers = { authorization: `Bearer ${token}`, prefer: 'fault=CONNECTION_RESET_BY_PEER' };
  await expect(fetch(`${server.url}/api/v1/agents/${agentId}`, { headers })).rejects.toThrow('fetch failed');
  expect(mock.journal.count({ status: 200 })).toBe(0);
  expect(mock.journal.entry(1)?.response).toMatchObject({ status: null, headers: {}, body: null });
  await server.close();
});

test('the journal gives what was sent, not what it shows', () => {
  const { mock, call } = testMock();
  call('/api/v1/agents?x=$TOKEN', { body: '{ "name":  "$TOKEN" }', headers: { cookie: 'a=b', 'x-own': '$(id)' } });
  const { json } = call('/__admin/requests/1');
  expect(json.curl).toBe(
    `curl -sS -i "$BASE_URL"'/api/v1/agents?x=$TOKEN' -H "authorization: Bearer $TOKEN"` +
      ` -H 'content-type: application/json' -H "cookie: $SECRET" -H 'x-own: $(id)' --data-raw '{ "name":  "$TOKEN" }'`,
  );
  mock.journal.clear();
});

test('unusual requests', () => {
  const line = (request: Partial<MockRequest>) => curlLine({ method: 'GET', target: '/x', headers: {}, ...request });
  expect(line({ method: 'POST', oversize: true })).toBeNull();
  expect(line({ method: 'TRACE' })).toBe('curl -sS -i -X TRACE "$BASE_URL/x"');
  expect(line({ method: 'OPTIONS', target: '*' })).toBe(`curl -sS -i -X OPTIONS --request-target '*' "$BASE_URL"`);
  expect(line({ method: 'HEAD' })).toBe('curl -sS -i --head "$BASE_URL/x"');
  expect(toCurl({ method: 'GET', url: 'http://host/', headers: { '@/etc/passwd': 'x', 'a\nb': 'x' } })).toBe(
    'curl -sS -i http://host/',
  );
});

test.each([
  ['host', false],
  ['connection', false],
  ['content-length', false],
  ['accept-encoding', false],
  ['user-agent', false],
  ['sec-fetch-mode', false],
  ['x-own', true],
  ['accept', true],
  ['prefer', true],
])('the header %s is repeated: %j', (name, isRepeated) => {
  const line = curlLine({ method: 'GET', target: '/a', headers: { [name]: 'given' } });
  expect(line?.includes(name)).toBe(isRepeated);
});
