import { tinyService, type TinyOptions } from '../testing/tiny-service.ts';
import { endpointIds, type EndpointId } from '../../spec/index.ts';
import type { HttpRequest } from '../../http/exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { plan, wrongCredentials } from './plan.ts';
import { runOver } from '../testing/run-over.ts';
import { judgeTiny } from '../testing/test-run.ts';
import wrong from '../testing/wrong-credentials.json';
import type { Probe } from './probe.ts';
import type { TargetOptions } from '../target-options.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);

/** A round after other requests, and what it sends with wrong credentials. */
async function sentTo(
  endpoint: EndpointId,
  before: readonly (Probe | undefined)[],
  more: Partial<TinyOptions> = {},
  seed = 1,
  published: TargetOptions = { publishedAgentId: 'main' },
) {
  const service = tinyService({ now, ...more });
  const target = { agentId: 'main', workspaceId: 'w', ...published };
  const run = runOver(service.transport, { target, now, seed });
  for (const probe of before) await probe?.send(run);
  const first = service.requests.length;
  await wrongCredentials(endpoint).send(run);
  return { requests: service.requests.slice(first), wires: service.wires.slice(first) };
}

/** What is requested after other requests without any credentials, in the documented form. */
async function refused(
  endpoint: EndpointId,
  before: readonly (Probe | undefined)[],
  seed = 1,
  published?: TargetOptions,
): Promise<readonly string[]> {
  const { requests, wires } = await sentTo(endpoint, before, {}, seed, published);
  const documented = /^http:\/\/tiny.test\/api\/v1\/(?:agents|workspaces)(?:\/[\w-]+)*(?:\?.*)?$/;
  const bare = requests.filter((_, i) => {
    const { url, method, headers, body = '' } = wires[i] ?? { url: '', method: '', headers: {} };
    const isPlain = headers['accept'] === 'application/json' && ['GET', 'POST'].includes(method);
    return isPlain && documented.test(url) && !JSON.stringify([url, headers, body]).includes('good');
  });
  const without = bare.filter(({ authorization }) => authorization === undefined);
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

test.each<[TargetOptions, readonly string[]]>([
  [{ publishedAgentId: 'main' }, ['GET agents/main?', 'GET agents/a4?', 'GET agents/a6?']],
  [{ v5AgentId: 'old' }, ['GET agents/main?', 'GET agents/a4?', 'GET agents/a6?', 'GET agents/old?']],
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
  const { requests } = await sentTo('list-results', [plan.walkInThreePages]);
  expect(requests.slice(-2).map(({ query }) => query.toString())).toEqual(['', 'limit=100&timeFilter=allTime']);
});

test.each([
  [undefined, /^access_token=good; token=good;/],
  ['session=own; Path=/', /^session=own; access_token=good;/],
])('sends the token in cookies, if the service sets %j, as %s', async (set, expected) => {
  const headers: Record<string, string> = set === undefined ? {} : { 'set-cookie': set };
  const { wires } = await sentTo('get-agent', [], { before: (_, answer) => ({ ...answer(), headers }) });
  const cookies = wires.flatMap(({ headers: { cookie = '' } }) => (cookie.includes('token') ? [cookie] : []));
  expect(cookies).toEqual([expect.stringMatching(expected)]);
});

/** A service that lets in the requests to an endpoint that a test matches. */
const lettingIn =
  (isIn: (wire: HttpRequest) => boolean): TinyOptions['before'] =>
  (request, answer, wire) =>
    isIn(wire)
      ? answer({ ...request, method: request.method.replace('OPTIONS', 'POST'), authorization: 'Bearer good' })
      : undefined;

test.each<[string, EndpointId, (wire: HttpRequest) => boolean]>([
  ['with the token only in the header x-api-key', 'create-agent', ({ headers }) => headers['x-api-key'] === 'good'],
  ['with the token only in the query, as api_key', 'get-agent', ({ url }) => url.includes('api_key=good')],
  [
    'without the Authorization header, and with x-real-ip',
    'list-results',
    ({ headers }) => headers['x-real-ip'] === '127.0.0.1',
  ],
  [
    'without the Authorization header, and with debug=true in the query',
    'create-agent',
    ({ url }) => /debug/.test(url),
  ],
  [
    'without the Authorization header, and with admin and role in the body',
    'import-agent',
    ({ body = '' }) => body.includes('"role":'),
  ],
  ['without the Authorization header, as OPTIONS', 'create-agent', ({ method }) => method === 'OPTIONS'],
])('names the one way in: %s', async (differs, endpoint, isIn) => {
  const { checks } = await judgeTiny(
    { only: [`${endpoint}-refuses-token-elsewhere`, `${endpoint}-refuses-no-authorization`], readToken: undefined },
    { before: lettingIn(isIn) },
  );
  const [failure] = checks.flatMap((check) => check.failure ?? []);
  expect(failure?.expected).toBe(`the request ${differs} is refused`);
});

/** Every request of a round, in the words that the report has for it. */
async function differencesOf(seed: number): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const met = new Map<string, Set<string>>();
  const onExchange = ({ endpoint, differs = '' }: Exchange): void => {
    met.set(endpoint, (met.get(endpoint) ?? new Set()).add(differs));
  };
  await judgeTiny({ seed, only: ['5'], readToken: undefined, onExchange });
  return met;
}

/** With ALL_SEEDS=1 two hundred, which takes a minute. */
const seeds = Array.from({ length: process.env['ALL_SEEDS'] === '1' ? 200 : 8 }, (_, i) => i + 1);

test('under every seed, each endpoint meets each plain wrong credential, and the run each odd one', async () => {
  for (const seed of seeds) {
    const met = await differencesOf(seed);
    const all = new Set([...met.values()].flatMap((differences) => [...differences]));
    for (const endpoint of endpointIds)
      expect({ seed, endpoint, missing: wrong.plain.filter((one) => met.get(endpoint)?.has(one) !== true) }).toEqual({
        seed,
        endpoint,
        missing: [],
      });
    const unmet = wrong.odd.filter((one) => ![...all].some((differs) => differs.endsWith(one)));
    expect({ seed, unmet }).toEqual({ seed, unmet: [] });
  }
});
