import http from 'node:http';
import { closing, proxyTo, upstreamOf } from '../testing/test-proxy.ts';
import { createMock } from '../../mock/mock.ts';
import type { PassedEntry } from './traffic.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const json = { 'content-type': 'application/json' };
const agent = (groups: unknown): string =>
  JSON.stringify({ agent: { id: 'a', version: '6', groups }, currentUserMode: 'read' });

/** A proxy to a server whose agents behave as their ids say, each used once. */
async function used(...paths: readonly string[]): Promise<string> {
  const upstream = await upstreamOf((request, response) => {
    const isWrong = request.url?.includes('wrong') === true;
    response.writeHead(200, json).end(agent(isWrong ? HOSTILE : []));
  });
  const { url, report } = await proxyTo(upstream.url);
  for (const path of paths) {
    await (await fetch(url + path, { headers: { authorization: 'Bearer secret-token-1' } })).text();
    // Exchanges that wait for a verdict are reported later than those left out.
    report();
  }
  return `${url}/__agent-contract`;
}

const get = async <T>(url: string): Promise<T> => (await fetch(url)).json() as Promise<T>;

test('reports what was judged, by how much, what is wrong, and what a client would have to send for the rest', async () => {
  const admin = await used('/api/v1/agents/a', '/api/v1/agents/wrong', '/api/v1/agents/wrong', '/elsewhere');
  const verdict = await get<{ checks: { id: string }[] }>(`${admin}/verdict`);
  expect(verdict).toMatchObject({
    outcome: 'nonconformant',
    judged: 3,
    leftOut: [{ reason: 'other-path', count: 1 }],
    findings: [{ says: expect.stringContaining('/agent/groups'), times: 2 }],
  });
  const of = (id: string): unknown => verdict.checks.find((one) => one.id === id);
  expect(of('get-agent-answer-shape')).toMatchObject({
    status: 'fail',
    judged: 3,
    at: '/agent/groups',
    section: '4.3',
  });
  expect(of('list-results-walk-ends')).toMatchObject({
    status: 'not-judged',
    judged: 0,
    supply: 'traffic with a list of results read page by page to its end',
  });
  expect(await get(`${admin}/report`)).toMatchObject({ outcome: 'nonconformant', traffic: { judged: 3 } });
});

test('shows the traffic with what is wrong in it, and no credentials', async () => {
  const admin = await used(
    '/api/v1/agents/a?access_token=of-somebody&limit=3',
    '/api/v1/agents/wrong',
    '/secret-token-1',
  );
  const text = await (await fetch(`${admin}/traffic`)).text();
  const entries = JSON.parse(text) as readonly PassedEntry[];
  expect(entries).toMatchObject([
    { n: 1, method: 'GET', path: '/api/v1/agents/a?access_token=…&limit=3', status: 200, wrong: [] },
    { n: 2, path: '/api/v1/agents/wrong', wrong: [expect.stringContaining('/agent/groups: expected an array')] },
    { n: 3, path: '/$TOKEN', wrong: [], why: expect.stringContaining('path') },
  ]);
  for (const at of ['traffic', 'verdict', 'report', 'report.html'])
    expect(await (await fetch(`${admin}/${at}`)).text()).not.toMatch(/secret-token-1|of-somebody/);
  expect(await (await fetch(`${admin}/report.html`)).text()).not.toContain('<img');
});

test('streams the traffic, starting with what came before', async () => {
  const admin = await used('/api/v1/agents/a');
  const { body, headers } = await fetch(`${admin}/traffic/stream`);
  expect(headers.get('content-type')).toContain('text/event-stream');
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) text += Buffer.from((await reader.read()).value ?? []).toString();
  };
  await until(/id: 1\nevent: passed\ndata: \[.*\/api\/v1\/agents\/a.*\]\n\n/);
  await (await fetch(`${admin.replace('/__agent-contract', '')}/api/v1/agents/wrong`)).text();
  await until(/id: 2\nevent: passed\ndata: \[.*\/api\/v1\/agents\/wrong.*\]\n\n/);
  await reader.cancel();
  const again = await fetch(`${admin}/traffic/stream`, { headers: { 'last-event-id': '1' } });
  const rest = (again.body as ReadableStream<Uint8Array>).getReader();
  text = '';
  while (!text.includes('event:')) text += Buffer.from((await rest.read()).value ?? []).toString();
  expect(text).toContain('"n":2');
  expect(text).not.toContain('"n":1,');
  await rest.cancel();
});

/** The status of a request with these headers. */
const statusOf = (url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> =>
  new Promise((resolve, reject) => {
    http
      .request(url, { headers, method }, (answer) => resolve((answer.resume(), answer.statusCode ?? 0)))
      .on('error', reject)
      .end();
  });

const otherSite = { 'sec-fetch-site': 'cross-site' };

test.each<[string, Readonly<Record<string, string>>, 'everything' | 'the page' | 'nothing']>([
  ['a program of this machine', {}, 'everything'],
  ['a page of this machine', { origin: 'http://localhost:3000' }, 'everything'],
  [
    'a user who follows a link',
    { ...otherSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    'the page',
  ],
  [
    'a frame on a page of another site',
    { ...otherSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    'nothing',
  ],
  ['an image on a page of another site', { ...otherSite, 'sec-fetch-mode': 'no-cors' }, 'nothing'],
  ['a page of another site', { origin: 'https://evil.example' }, 'nothing'],
  ['a page without an origin', { origin: 'null' }, 'nothing'],
  ['a name that resolves to this machine', { host: 'evil.example' }, 'nothing'],
])('proxy and mock alike show %s %j: %s', async (_, headers, shown) => {
  const proxy = await used();
  const mock = await createMock().listen();
  closing.push(() => mock.close());
  const pages = [`${proxy}/`, `${mock.url}/__admin/ui/`];
  const data = [`${proxy}/verdict`, `${proxy}/traffic`, `${mock.url}/__admin/state`, `${mock.url}/__admin/requests`];
  for (const url of [...pages, ...data]) {
    const isShown = shown === 'everything' || (shown === 'the page' && pages.includes(url));
    expect([url, await statusOf(url, headers)]).toEqual([url, isShown ? 200 : 403]);
  }
});

test('forwards nothing below its own name, and lists its routes', async () => {
  let asked: (string | undefined)[] = [];
  const upstream = await upstreamOf((request, response) => (asked.push(request.url), response.end()));
  const { url } = await proxyTo(upstream.url);
  const wrong = await fetch(`${url}/__agent-contract/verdicts`);
  expect([wrong.status, await wrong.text()]).toEqual([404, expect.stringContaining('GET /__agent-contract/verdict,')]);
  expect(await statusOf(`${url}/__agent-contract/verdict`, {}, 'POST')).toBe(405);
  expect((await fetch(`${url}/__agent-contract`, { redirect: 'manual' })).headers.get('location')).toBe(
    '/__agent-contract/',
  );
  expect(asked).toEqual([]);
  await fetch(`${url}/__agent-contracts`);
  await fetch(`${url}/__admin/health`);
  expect(asked).toEqual(['/__agent-contracts', '/__admin/health']);
});

test('has a page with the report so far, which is loaded again by itself and in no frame', async () => {
  const admin = await used('/api/v1/agents/wrong');
  const answer = await fetch(`${admin}/`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    refresh: '5',
    'content-security-policy': "frame-ancestors 'none'",
  });
  const report = await fetch(`${admin}/report.html`);
  expect(report.headers.get('refresh')).toBeNull();
  expect(await answer.text()).toBe(await report.text());
});
