import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import express, { type Express } from 'express';
import { createClient } from '../client/index.ts';
import { createAgentBody } from '../fixtures/index.ts';
import { createMock } from '../mock/index.ts';
import type { Report } from '../conformance/report/report.ts';
import { testFolder } from './testing/test-io.ts';
import { serve } from './testing/test-mock.ts';

const { folder, run, read } = testFolder();
const TOKEN = 'token-of-the-app';

/** Collections of rows, as servers of JSON files store them. */
type Rows = Record<string, { readonly id: string }[]>;

interface Manners {
  /** Whether the results in the file are newest first. */
  readonly isNewestFirst: boolean;
  readonly isGuarded: boolean;
}

const rowOf = (id: string, more: object): Rows[string][number] => ({ ...more, id });

/** Our data in the file of a server that does not know the service. */
async function writeRows(file: string, { isNewestFirst }: Manners): Promise<Ids> {
  const mock = createMock({ seed: 1 });
  const { agentId, publishedAgentId: published, token } = mock.target;
  const get = async (below: string): Promise<object> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await mock.fetch(`http://mock.test/api/v1/agents/${below}`, { headers });
    const json: unknown = await answer.json();
    return Object(json) as object;
  };
  const { results } = (await get(`${agentId}/results?timeFilter=allTime&limit=40`)) as { results: object[] };
  const rows: Rows = {
    agents: [
      { ...(await get(agentId)), id: agentId },
      { ...(await get(published)), id: published },
    ],
    published: [{ ...(await get(`${published}/publishedAgent`)), id: published }],
    results: [rowOf(agentId, { results: isNewestFirst ? results : results.toReversed(), nextCursor: null })],
  };
  writeFileSync(file, JSON.stringify(rows));
  return { agentId, published };
}

interface Ids {
  readonly agentId: string;
  readonly published: string;
}

/** A server of any JSON file: `GET /rows/id` answers the row, `POST /rows` adds one. It knows no contract. */
function jsonServer(file: string): Express {
  const app = express();
  const rows = (): Rows => JSON.parse(readFileSync(file, 'utf8')) as Rows;
  app.use(express.json({ limit: '5mb' }));
  app.get('/:rows/:id', ({ params }, response) => {
    const row = rows()[params.rows]?.find(({ id }) => id === params.id);
    response.status(row ? 200 : 404).json(row ?? {});
  });
  app.post('/:rows', ({ params, body }, response) => {
    const all = rows();
    const row = { ...(body as object), id: `row${all[params.rows]?.length ?? 0}` };
    writeFileSync(file, JSON.stringify({ ...all, [params.rows]: [...(all[params.rows] ?? []), row] }));
    response.status(201).json(row);
  });
  return app;
}

/** The documented paths, mapped to the rows. */
function rewritten(app: Express, { isGuarded }: Manners): Express {
  const front = express();
  front.use((request, response, next) => {
    if (isGuarded && request.headers.authorization !== `Bearer ${TOKEN}`) return void response.status(401).json({});
    request.url = request.url
      .replace(/^\/api\/v1\/agents\/([^/?]+)\/results(?:\?.*)?$/, '/results/$1')
      .replace(/^\/api\/v1\/agents\/([^/?]+)\/publishedAgent$/, '/published/$1')
      .replace(/^\/api\/v1/, '');
    next();
  });
  return front.use(app);
}

/** The requests of an app that does not know the server behind its base URL. */
async function use(baseUrl: string, { agentId, published }: Ids): Promise<void> {
  const client = createClient({ baseUrl, token: TOKEN });
  const tried = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
  for (const _ of [1, 2, 3]) {
    await tried(client.getAgent(agentId));
    await tried(client.getPublishedAgent(published));
    await tried(client.listResults(agentId));
    await tried(client.listResults(agentId, { timeFilter: 'allTime', limit: 100 }));
    await tried(client.getAgent('no-such-agent'));
    await fetch(`${baseUrl}/api/v1/agents/${agentId}`);
  }
}

/** The proxy's report about an app with such a server, and the file with the traffic. */
async function proxied(
  name: string,
  manners: Manners,
  more: (url: string, agentId: string) => Promise<unknown>,
): Promise<Report> {
  const file = path.join(folder, `${name}.json`);
  const ids = await writeRows(file, manners);
  const server = rewritten(jsonServer(file), manners).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const flags = ['--record', `${name}.har`, '--report', `json=${name}.report.json`];
  await serve(folder, 'proxy')([upstream, ...flags], async (printed) => {
    const at = /proxy on (\S+),/.exec(printed)?.[1] ?? '';
    await use(at, ids);
    await more(at, ids.agentId);
  });
  server.close();
  server.closeAllConnections();
  return JSON.parse(read(`${name}.report.json`)) as Report;
}

const having = (status: string, { checks }: Report): readonly string[] =>
  checks.filter((check) => check.status === status).map(({ id }) => id);

/** The same for recorded traffic. */
async function recorded(name: string): Promise<Report> {
  return JSON.parse((await run(['judge', `${name}.har`, '--json'])).stdout) as Report;
}

test('finds nothing wrong with a foreign server that keeps the contract as far as the app uses it', async () => {
  const report = await proxied('right', { isNewestFirst: true, isGuarded: true }, () => Promise.resolve());
  expect(having('fail', report)).toEqual([]);
  expect(having('pass', report)).toEqual(
    expect.arrayContaining([
      'get-agent-answer-shape',
      'get-agent-refuses-no-authorization',
      'get-published-agent-answer-shape',
      'list-results-newest-first',
      'list-results-answer-shape',
    ]),
  );
  expect(having('fail', await recorded('right'))).toEqual([]);
});

test('finds the faults of a foreign server, the same ones live and recorded', async () => {
  const report = await proxied('wrong', { isNewestFirst: false, isGuarded: false }, async (url, agentId) => {
    const client = createClient({ baseUrl: url, token: TOKEN });
    await client.listResults(agentId, { limit: 1 });
    await client.createAgent(createAgentBody({ workspaceId: 'w', tag: 'one', detail: 'plain' }));
  });
  const wrong = [
    // The row contains the agent as it was sent, without an id.
    'create-agent-answer-shape',
    'list-results-newest-first',
    'list-results-respects-limit',
    'get-agent-refuses-no-authorization',
  ];
  expect(having('fail', report)).toEqual(wrong);
  expect(having('fail', await recorded('wrong'))).toEqual(wrong);
});
