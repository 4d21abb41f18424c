import fc from 'fast-check';
import { createClient, type Client, type CreateAgentRequest } from '../../client/index.ts';
import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/index.ts';
import type { Mock } from '../../mock/index.ts';
import { endpointIds, endpoints, timeFilters, type EndpointId, type TimeFilter } from '../../spec/index.ts';

/** What a client works with. None of them knows of the judge. */
export interface Work {
  readonly mock: Mock;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
}

/** A program that uses the service, and comes to terms with whatever it answers. */
export type Program = (work: Work) => Promise<void>;

const clientOf = ({ mock, fetch, baseUrl }: Work): Client => createClient({ baseUrl, token: mock.target.token, fetch });

/** Whatever is answered, a program goes on. */
async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** The id of what was made, where the answer has one. */
const idsIn = (answer: object | undefined): readonly string[] =>
  Object.values(answer ?? {}).flatMap((held: { readonly id?: unknown } | null) =>
    typeof held?.id === 'string' ? [held.id] : [],
  );

const MAX_PAGES = 60;

async function walk(client: Client, agentId: string, query: Parameters<Client['results']>[1]): Promise<void> {
  await tried(async () => {
    let pages = 0;
    for await (const _ of client.results(agentId, query).pages()) if (++pages >= MAX_PAGES) break;
  });
}

/**
 * A day of an application: it makes workspaces and agents, shows and imports some, and its lists of results are opened
 * again and again, in several sizes and spans, by the typed client.
 */
export const typedClient: Program = async (work) => {
  const client = clientOf(work);
  const { agentId = '', publishedAgentId = '', workspaceId } = work.mock.target;
  const spaces = await Promise.all([
    tried(() => client.createWorkspace(createWorkspaceBody({ tag: 'day', detail: 'full' }))),
    tried(() => client.createWorkspace(createWorkspaceBody({ tag: 'day-2', detail: 'name-only' }))),
  ]);
  const made: string[] = [];
  const [own = workspaceId] = idsIn(spaces[1]);
  for (const [tag, space] of [
    ['one', workspaceId],
    ['two', workspaceId],
    ['three', own],
  ] as const) {
    for (const answer of [
      await tried(() => client.createAgent(createAgentBody({ workspaceId: space, tag, detail: 'full' }))),
      await tried(() => client.importAgent(importAgentBody({ workspaceId: space, tag, detail: 'full' }))),
    ])
      made.push(...idsIn(answer));
  }
  await Promise.all([1, 2].map((n) => tried(() => client.createAgent(plain(workspaceId, `at once ${n}`)))));
  for (let round = 1; round <= 3; round++) {
    for (const id of [agentId, ...made]) await tried(() => client.getAgent(id));
    await tried(() => client.getPublishedAgent(publishedAgentId));
    for (const id of [agentId, ...made.slice(0, 2)]) await tried(() => client.listResults(id));
    for (const timeFilter of round === 2 ? timeFilters.toReversed() : timeFilters)
      await walk(client, agentId, {
        timeFilter,
        limit: timeFilter === 'allTime' ? 100 : ([10, 25, 50][round % 3] ?? 20),
      });
    await walk(client, agentId, {});
    await walk(client, agentId, { limit: 50 });
    await tried(() => client.listResults(agentId, { limit: 1, timeFilter: 'allTime' }));
    await tried(() => client.listResults(agentId, { limit: 100, timeFilter: 'allTime' }));
    // Its session had run out: the same request without a token, then with one.
    await anonymously(work, `/api/v1/agents/${agentId}`);
  }
};

const plain = (workspaceId: string, name: string): CreateAgentRequest => ({ workspaceId, agent: { name } });

async function anonymously({ fetch, baseUrl }: Work, path: string): Promise<void> {
  await tried(async () => (await fetch(baseUrl + path, { method: 'GET' })).text());
}

type Step =
  | {
      readonly kind: 'call';
      readonly endpoint: EndpointId;
      readonly which: number;
      readonly query: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'make'; readonly endpoint: EndpointId; readonly body: unknown }
  | { readonly kind: 'follow' | 'again' | 'beside'; readonly which: number }
  | {
      readonly kind: 'behind';
      readonly does: 'publish' | 'unpublish' | 'results' | 'edit' | 'reset' | 'advance';
      readonly which: number;
    };

const query = fc.dictionary(
  fc.constantFrom('limit', 'timeFilter', 'cursor', 'timeZone', 'x'),
  fc.oneof(
    fc.integer({ min: -1, max: 120 }).map(String),
    fc.constantFrom<TimeFilter | string>(...timeFilters, 'never'),
  ),
  { maxKeys: 2 },
);
const anything = fc.oneof(
  fc.record({
    workspaceId: fc.string(),
    agent: fc.dictionary(fc.constantFrom('name', 'version', 'groups', 'icon'), fc.jsonValue({ maxDepth: 2 })),
  }),
  fc.record({ name: fc.string() }),
  fc.jsonValue({ maxDepth: 2 }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      endpoint: fc.constantFrom(...endpointIds),
      which: fc.nat(),
      query,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('make' as const),
      endpoint: fc.constantFrom('create-agent', 'import-agent', 'create-workspace'),
      body: anything,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('follow' as const, 'again' as const, 'beside' as const),
      which: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('behind' as const),
      does: fc.constantFrom(
        'publish' as const,
        'unpublish' as const,
        'results' as const,
        'edit' as const,
        'reset' as const,
        'advance' as const,
      ),
      which: fc.nat(),
    }),
  },
) as fc.Arbitrary<Step>;

const TOKENS = ['mock-write-token', 'mock-read-token', 'mock-guest-token', 'no-token-of-theirs', ''] as const;

/**
 * A client that asks for anything, right and wrong, with any token, while others change behind its back what there is: drawn
 * from a seed.
 */
export const randomClient =
  (seed: number, steps = 120): Program =>
  async ({ mock, fetch, baseUrl }) => {
    const [plan = []] = fc.sample(fc.array(step, { minLength: steps, maxLength: steps }), { seed, numRuns: 1 });
    const { agentId = '', publishedAgentId = '', workspaceId } = mock.target;
    const ids = [agentId, publishedAgentId, 'none'];
    const asked: { readonly url: string; readonly init: RequestInit }[] = [];
    let cursor: { readonly url: string; readonly token: string } | undefined;
    const send = async (url: string, init: RequestInit): Promise<void> => {
      asked.push({ url, init });
      await tried(async () => {
        const response = await fetch(url, init);
        const json = (await response.json()) as { agent?: { id?: string }; nextCursor?: unknown } | null;
        if (typeof json?.agent?.id === 'string') ids.push(json.agent.id);
        if (typeof json?.nextCursor === 'string') {
          const next = new URL(url);
          next.searchParams.set('cursor', json.nextCursor);
          cursor = { url: next.href, token: String((init.headers as Record<string, string>)['authorization']) };
        }
      });
    };
    const headersOf = (which: number): Record<string, string> => {
      const token = TOKENS[which % 9 < 5 ? 0 : which % TOKENS.length] ?? '';
      return { ...(which % 31 === 0 ? {} : { authorization: `Bearer ${token}` }), 'content-type': 'application/json' };
    };
    const carryOut = async (one: Step): Promise<void> => {
      if (one.kind === 'behind') return behind(mock, one.does, ids[one.which % ids.length] ?? '');
      if (one.kind === 'make') {
        const body = JSON.stringify(one.body);
        return send(baseUrl + endpoints[one.endpoint].path, { method: 'POST', headers: headersOf(0), body });
      }
      if (one.kind === 'call') {
        const { method, path } = endpoints[one.endpoint];
        const id = encodeURIComponent(ids[one.which % ids.length] ?? '');
        const tag = `r${one.which % 5}`;
        const body = JSON.stringify(
          one.endpoint === 'create-workspace' ? { name: tag } : importAgentBody({ workspaceId, tag, detail: 'plain' }),
        );
        const search = method === 'GET' ? `?${new URLSearchParams(one.query).toString()}` : '';
        return send(`${baseUrl}${path.replace('{agentId}', id)}${search}`, {
          method,
          headers: headersOf(one.which),
          ...(method === 'GET' ? {} : { body }),
        });
      }
      if (one.kind === 'follow')
        return cursor && send(cursor.url, { method: 'GET', headers: { authorization: cursor.token } });
      const before = asked[one.which % Math.max(1, asked.length)];
      if (before && one.kind === 'again') return send(before.url, before.init);
      if (before)
        await Promise.all([
          send(before.url, before.init),
          send(`${baseUrl}/api/v1/agents/${agentId}/results`, { method: 'GET', headers: headersOf(0) }),
        ]);
    };
    for (const one of plan) await carryOut(one);
  };

/** What happens to the data without a request to the service. */
async function behind(mock: Mock, does: Extract<Step, { kind: 'behind' }>['does'], id: string): Promise<void> {
  const admin = (method: string, path: string, body?: unknown): Promise<Response> =>
    mock.fetch(`http://mock/__admin${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const of = `/agents/${encodeURIComponent(id)}`;
  if (does === 'advance') return mock.clock.advance(7_200_000);
  if (does === 'reset') await admin('POST', '/reset');
  else if (does === 'results') await admin('POST', `${of}/results`, { count: 2 });
  else if (does === 'edit') await admin('PATCH', of, { name: 'Edited behind', groups: [] });
  else await admin('POST', `${of}/${does}`);
}
