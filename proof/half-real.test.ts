import express from 'express';
import { createClient } from '../client/index.ts';
import { served, serverOf, type Listening } from '../http/testing/test-server.ts';
import { createMock } from '../mock/index.ts';

// A half-finished back end by somebody else. It stores documents, has its own routes, ids and errors, and is mapped to the
// documented paths.

interface Document {
  readonly key: number;
  readonly data: object;
}

async function backEnd(): Promise<Listening> {
  const documents: Document[] = [];
  const store = express.Router();
  store.post('/bots', (request, response) => {
    const { agent } = request.body as { readonly agent: object };
    const made = { key: documents.length + 1, data: { ...agent } };
    documents.push(made);
    response.status(200).json({ agent: { version: '6', ...made.data, id: String(made.key) } });
  });
  store.get('/bots/:id', (request, response) => {
    const found = documents.find(({ key }) => String(key) === request.params.id);
    if (!found) return void response.status(404).json({ err: `no bot ${request.params.id}` });
    response.json({ agent: { version: '6', ...found.data, id: String(found.key) }, currentUserMode: 'write' });
  });
  const app = express();
  app.use((request, response, next) => {
    if (request.headers.authorization !== 'Bearer dev-secret') return void response.status(401).send('Who are you?');
    request.url = request.url.replace(/^\/api\/v1\/agents(?=\/[^/]+$|$)/, '/bots');
    next();
  });
  app.use(express.json(), store);
  return serverOf(app);
}

test('a front end works against a back end that has two of six endpoints', async () => {
  const real = await backEnd();
  const mock = createMock({ upstream: { url: real.url, fallback: true, learn: true, token: 'dev-secret' } });
  const server = await served(mock);
  const sources: string[] = [];
  const client = createClient({
    baseUrl: server.url,
    token: mock.target.token,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      sources.push(`${answer.status} ${answer.headers.get('x-agent-contract-source')}`);
      return answer;
    },
  });
  const said = async (work: Promise<unknown>): Promise<string | undefined> => {
    await work.catch(() => undefined);
    return sources.at(-1);
  };

  // The back end creates and reads agents. Only the mock has the workspace.
  const { workspace } = await client.createWorkspace({ name: 'Half' });
  expect(sources).toEqual(['201 mock']);
  const there = await client.createAgent({ workspaceId: 'elsewhere', agent: { name: 'Real' } });
  expect([sources.at(-1), there.agent.id]).toEqual(['200 upstream', '1']);
  expect(await said(client.getAgent('1'))).toBe('200 upstream');
  // An agent that is created in a workspace of the mock is stored in the mock.
  const here = await client.createAgent({ workspaceId: workspace.id ?? '', agent: { name: 'Made here' } });
  expect(sources.at(-1)).toBe('201 mock');
  expect(await said(client.getAgent(here.agent.id))).toBe('200 mock');
  // The back end has no lists, so the mock lists the results of its agents.
  mock.addResults('1', 2);
  const { results } = await client.listResults('1');
  expect([sources.at(-1), results.length]).toEqual(['200 mock', 2]);
  // The back end itself answers for what it does not have.
  expect(await said(client.getAgent('77'))).toBe('404 upstream');

  await real.close();
  expect(await said(client.getAgent('1'))).toBe('200 mock');
});
