import { operations } from '../../client/generated/operations.ts';
import { createClient, type Client } from '../../client/index.ts';
import { textWord } from '../../fixtures/universe/chance/hash.ts';
import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/index.ts';
import type { Mock } from '../../mock/index.ts';
import { endpoints, timeFilters } from '../../spec/index.ts';

/** What a client works with. It does not know of the judge. */
export interface Work {
  readonly mock: Mock;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
}

/** A program that uses the service, and accepts any answer. */
export type Program = (work: Work) => Promise<void>;

/** A program continues after any answer. */
export function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  return work().catch(() => undefined);
}

/** The id of the created thing, if the answer has one. */
const idsIn = (answer: object | undefined): readonly string[] =>
  Object.values(answer ?? {}).flatMap((held: { readonly id?: unknown } | null) =>
    typeof held?.id === 'string' ? [held.id] : [],
  );

/** The methods that take the id of an agent and nothing else. */
const readings = Object.entries(operations).flatMap(([name, { endpoint, method, input }]) =>
  method === 'GET' && input === null ? [{ name: name as 'getAgent', holds: endpoints[endpoint].holds }] : [],
);

async function walk(client: Client, agentId: string, query: Parameters<Client['results']>[1]): Promise<void> {
  await tried(async () => {
    let pages = 0;
    for await (const _ of client.results(agentId, query).pages()) if (++pages >= 60) break;
  });
}

/** What is created: with the usual values, or as the document of this number; in the first workspace, or in an own one. */
const contents = [
  ['one', undefined, 'first'],
  ['two', 2, 'first'],
  ['three', 1, 'own'],
  ['four', 4, 'first'],
] as const;

/** A day of an application with the typed client: it creates, shows and imports, and opens lists again and again. */
export const typedClient: Program = async (work) => {
  const { mock, ...connection } = work;
  const client = createClient({ ...connection, token: mock.target.token });
  const { agentId, publishedAgentId, workspaceId } = mock.target;
  const spaces = await Promise.all([
    tried(() => client.createWorkspace(createWorkspaceBody({ tag: 'day', detail: 'full' }))),
    tried(() => client.createWorkspace(createWorkspaceBody({ tag: 'day-2', detail: 'name-only' }))),
  ]);
  const created: string[] = [];
  const [own = workspaceId] = idsIn(spaces[1]);
  const workspaces = { first: workspaceId, own };
  for (const [tag, number, space] of contents) {
    const variation = number && { number, draw: (label: string, below: number) => textWord(label) % below };
    const content = { workspaceId: workspaces[space], tag, detail: 'full', variation } as const;
    created.push(...idsIn(await tried(() => client.createAgent(createAgentBody(content)))));
    created.push(...idsIn(await tried(() => client.importAgent(importAgentBody(content)))));
  }
  await Promise.all(
    [1, 2].map((n) => tried(() => client.createAgent({ workspaceId, agent: { name: `at once ${n}` } }))),
  );
  for (let round = 1; round <= 3; round++) {
    for (const { name, holds } of readings)
      for (const id of holds === 'publicAgent' ? [publishedAgentId] : [agentId, ...created])
        await tried(() => client[name](id));
    for (const id of [agentId, ...created.slice(0, 2)]) await tried(() => client.listResults(id));
    for (const timeFilter of round === 2 ? timeFilters.toReversed() : timeFilters)
      await walk(client, agentId, {
        timeFilter,
        limit: timeFilter === 'allTime' ? 100 : ([10, 25, 50][round % 3] ?? 20),
      });
    for (const query of [{}, { limit: 50 }]) await walk(client, agentId, query);
    for (const limit of [1, 100]) await tried(() => client.listResults(agentId, { limit, timeFilter: 'allTime' }));
    // Its session had expired: the same requests without a token, then with one.
    await anonymously(work, round, own);
  }
};

/** An application without its token: in some rounds it sends no header, in others an empty one. */
async function anonymously({ fetch, baseUrl, mock }: Work, round: number, own: string): Promise<void> {
  const { agentId, publishedAgentId } = mock.target;
  const agents = '/api/v1/agents';
  const headers: Record<string, string> = round === 2 ? { authorization: 'Bearer ' } : {};
  const send = (path: string, init: RequestInit): Promise<unknown> =>
    tried(async () => (await fetch(baseUrl + path, init)).text());
  for (const { path, method, holds } of Object.values(endpoints))
    if (method === 'GET')
      await send(path.replace('{agentId}', holds === 'publicAgent' ? publishedAgentId : agentId), { headers });
  const bodies = {
    [agents]: { workspaceId: own, agent: { name: `without a token ${round}` } },
    [`${agents}/import`]: importAgentBody({ workspaceId: own, tag: `without-${round}`, detail: 'plain' }),
    '/api/v1/workspaces': { name: `Without a token ${round}` },
  };
  headers['content-type'] = 'application/json';
  for (const [path, body] of Object.entries(bodies))
    await send(path, { method: 'POST', body: JSON.stringify(body), headers });
}
