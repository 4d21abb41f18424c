import { tinyService } from '../testing/tiny-service.ts';
import type { EndpointId } from '../../spec/index.ts';
import { plan, wrongCredentials } from './plan.ts';
import { runOver } from '../testing/run-over.ts';
import type { Probe } from './probe.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);

/** What is requested after other requests without any credentials, even in the query. */
async function refused(
  endpoint: EndpointId,
  before: readonly (Probe | undefined)[],
  seed = 1,
  published: { readonly publishedAgentId?: string } = { publishedAgentId: 'main' },
): Promise<readonly string[]> {
  const target = { agentId: 'main', workspaceId: 'w', ...published };
  const service = tinyService({ now });
  const run = runOver(service.transport, { target, now, seed });
  for (const probe of before) await probe?.send(run);
  await wrongCredentials(endpoint).send(run);
  const bare = service.requests.filter(({ authorization }) => authorization === undefined);
  const without = bare.filter(({ query }) => ![...query.values()].includes('good'));
  return [...new Set(without.map(({ method, path, query }) => `${method} ${path.slice(8)}?${query.toString()}`))];
}

const made = [plan.createAgent];
const imported = [plan.importAgent];
const results = [
  'GET agents/main/results?limit=13&timeFilter=last30Days&cursor=13',
  'GET agents/main/results?cursor=50',
  'GET agents/main/results?',
];

test.each<[EndpointId, string, readonly (Probe | undefined)[], readonly string[]]>([
  ['list-results', 'nothing else', [], results],
  ['get-agent', 'nothing else', [], ['GET agents/main?']],
  ['get-agent', 'an agent was made', made, ['GET agents/main?', 'GET agents/a1?']],
  ['get-agent', 'agents were made', [...made, ...imported], ['GET agents/main?', 'GET agents/a1?', 'GET agents/a2?']],
  ['get-published-agent', 'an agent was imported', imported, ['GET agents/main/publishedAgent?']],
  ['create-agent', 'nothing else', [], ['POST agents?']],
  ['import-agent', 'nothing else', [], ['POST agents/import?']],
  ['create-workspace', 'nothing else', [], ['POST workspaces?']],
])('%s without credentials, after %s', async (endpoint, _, before, expected) => {
  expect(await refused(endpoint, before)).toEqual(expected);
});

test.each<[{ readonly publishedAgentId?: string }, readonly string[]]>([
  [{ publishedAgentId: 'main' }, ['GET agents/main?', 'GET agents/a4?', 'GET agents/a6?']],
  [{}, ['GET agents/main?', 'GET agents/a4?', 'GET agents/a6?']],
  [{ publishedAgentId: 'a1' }, ['GET agents/main?', 'GET agents/a1?', 'GET agents/a4?', 'GET agents/a6?']],
])('asks for agents without credentials, given %j', async (published, expected) => {
  const several = [plan.createAgent, plan.createUnusual];
  expect(await refused('get-agent', several, 1, published)).toEqual(expected);
});

test('lists of created agents are among those, whichever is drawn', async () => {
  const lists = (seed: number) => refused('list-results', [...made, ...imported], seed);
  const drawn = (await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(lists))).map((paths) => paths.slice(3));
  expect([...new Set(drawn.flat())].toSorted()).toEqual(['GET agents/a1/results?', 'GET agents/a2/results?']);
  expect(drawn.map(({ length }) => length)).toEqual(drawn.map(() => 1));
});

test('a list that was read with a filter or by its cursor alone is requested again in the same way', async () => {
  const asked = await refused('list-results', [plan.walkInThreePages, plan.walkWithoutParameters]);
  expect(asked[0]).toMatch(/timeFilter=(?!allTime).*cursor=/);
  expect(asked[1]).toMatch(/results\?cursor=[^&]*$/);
});

test.each([
  [undefined, /^(?:access_)?token=good$/],
  ['session=own; Path=/', /^session=own; (?:access_)?token=good$/],
])('sends the token in a cookie, if the service sets %j, as %s', async (set, expected) => {
  const headers: Record<string, string> = set === undefined ? {} : { 'set-cookie': set };
  const service = tinyService({ now, before: (_, answer) => ({ ...answer(), headers }) });
  const run = runOver(service.transport, { target: { agentId: 'main', workspaceId: 'w' }, now, seed: 1 });
  await wrongCredentials('get-agent').send(run);
  const cookies = service.wires.flatMap(({ headers: { cookie = '' } }) => (cookie.includes('token') ? [cookie] : []));
  expect(cookies).toEqual([expect.stringMatching(expected)]);
});
