import { served } from '../http/testing/test-server.ts';
import { checks, runConformance, type RunOptions, type Transport } from '../conformance/index.ts';
import startMock = require('../mock/adapters/global-setup.ts');
import { mockHandlers } from '../mock/adapters/msw.ts';
import { createMock as createInProcessMock } from '../mock/adapters/in-process.ts';
import { routeToMock, type PlaywrightRoute } from '../mock/adapters/playwright.ts';
import { createMock, type MockTarget } from '../mock/index.ts';
import request from 'supertest';
import { proofNow } from '../prove/target.ts';

// Runs all checks through every way in to the mock. Stand-ins replace the tools that adapters are for, and do with the adapters
// what the tools do.

const options = { seed: 1, now: proofNow, frozen: true };
const baseUrl = 'http://service.test';

/** The outcome of a run, and the checks that did not pass. */
async function judge(target: MockTarget, run: Partial<RunOptions>): Promise<unknown> {
  const sleep = (): Promise<void> => Promise.resolve();
  const report = await runConformance({ baseUrl, ...target, seed: 1, now: proofNow, sleep, ...run });
  const { outcome, counts } = report;
  return { outcome, counts, others: report.checks.filter(({ status }) => status !== 'pass') };
}
const counts = { pass: checks.length, fail: 0, notJudged: 0, error: 0 };
const conformant = { outcome: 'conformant', counts, others: [] };
/** Where only the place differs, a part of a run is enough. */
const partly = { outcome: 'conformant', others: [] };
const whereFor = (at: string | undefined) =>
  at === undefined
    ? { run: { baseUrl }, expected: conformant }
    : { run: { baseUrl: `${baseUrl}/below`, only: ['4.4'] }, expected: partly };

/** Sends requests by any function that works like the global `fetch`. */
const by =
  (send: (request: Request) => Promise<Response>): Transport =>
  async ({ method, url, headers, body }) => {
    const answer = await send(new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }));
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  };

test('a server', async () => {
  const mock = createMock(options);
  expect(await judge(mock.target, { baseUrl: (await served(mock)).url })).toEqual(conformant);
});

test.each([
  ['fetch in process', createMock],
  ['fetch in process, without anything of Node.js', createInProcessMock],
])('%s', async (_, create) => {
  const mock = create(options);
  expect(await judge(mock.target, { transport: by(mock.fetch) })).toEqual(conformant);
});

test('a listener for supertest', async () => {
  const mock = createMock(options);
  const transport: Transport = async ({ method, url, headers, body }) => {
    const { pathname, search } = new URL(url);
    const service = request(mock.app);
    const sent = (method === 'POST' ? service.post(pathname + search) : service.get(pathname + search))
      .set(headers)
      .buffer(true)
      .parse((answer, done) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => done(null, Buffer.concat(chunks)));
      });
    const answer = await (body === undefined ? sent : sent.send(body));
    return { status: answer.status, headers: answer.headers, body: answer.body };
  };
  expect(await judge(mock.target, { transport })).toEqual(conformant);
});

test.each([undefined, `${baseUrl}/below/`, '/below'])('handlers of Mock Service Worker, at %s', async (at) => {
  const mock = createMock(options);
  const http = {
    all: (url: RegExp, resolver: (info: { request: Request }) => Promise<Response>) => ({ url, resolver }),
  };
  const [{ url, resolver }] = mockHandlers(http, mock, at === undefined ? {} : { baseUrl: at });
  const transport = by((asked) => {
    // Some tools match patterns against URLs without their query.
    expect(asked.url.split('?')[0]).toMatch(url);
    return resolver({ request: asked });
  });
  const { run, expected } = whereFor(at);
  expect(await judge(mock.target, { transport, ...run })).toMatchObject(expected);
});

test.each([undefined, `${baseUrl}/below/`, '/below'])('routes of Playwright, at %s', async (at) => {
  const mock = createMock(options);
  let handler: ((route: PlaywrightRoute) => Promise<void>) | undefined;
  let pattern = /^/;
  await routeToMock(
    {
      route(url, answer) {
        [pattern, handler] = [url, answer];
        return Promise.resolve();
      },
      unroute: () => Promise.resolve(),
    },
    mock,
    { baseUrl: at },
  );
  const transport: Transport = ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      expect(url).toMatch(pattern);
      handler?.({
        request: () => ({
          method: () => method,
          url: () => url,
          headers: () => headers,
          postDataBuffer: () => (body === undefined ? null : Buffer.from(body)),
        }),
        fulfill(answer) {
          resolve({ ...answer, body: Buffer.from(answer.body) });
          return Promise.resolve();
        },
        abort: (reason) => Promise.reject(new Error(reason)),
        fallback: () => Promise.resolve(),
      }).catch(reject);
    });
  const { run, expected } = whereFor(at);
  expect(await judge(mock.target, { transport, ...run })).toMatchObject(expected);
});

test('the global setup', async () => {
  process.env['AGENT_CONTRACT_NOW'] = new Date(proofNow).toISOString();
  process.env['AGENT_CONTRACT_FREEZE'] = 'true';
  const stop = await startMock();
  try {
    const given = (name: string): string => process.env[`AGENT_CONTRACT_${name}`] ?? '';
    const names = ['token', 'readToken', 'guestToken', 'workspaceId', 'agentId', 'publishedAgentId', 'v5AgentId'];
    const variable = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const target = Object.fromEntries(names.map((name) => [name, given(variable(name))])) as unknown as MockTarget;
    expect(await judge(target, { baseUrl: given('BASE_URL') })).toEqual(conformant);
  } finally {
    await stop();
    delete process.env['AGENT_CONTRACT_NOW'];
    delete process.env['AGENT_CONTRACT_FREEZE'];
  }
});
