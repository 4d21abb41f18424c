import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { endpointIds, endpoints, schemas, validate, type EndpointId, type SchemaName } from '../../spec/index.ts';
import { openapi } from '../../spec/openapi/document.ts';
import { createMock } from '../adapters/in-process.ts';
import { profileNames } from '../profiles/index.ts';
import { testMock } from '../testing/test-client.ts';

const statusOf = (endpoint: EndpointId): number => (endpoints[endpoint].method === 'POST' ? 201 : 200);
const ID = 'agent/of mine';
const targetOf = (endpoint: EndpointId): string =>
  endpoints[endpoint].path.replace('{agentId}', encodeURIComponent(ID));

const mocks = profileNames.map((profile) => ({ profile, ...testMock({ profile }) }));

type Fields = Readonly<Record<string, unknown>>;
type Made = Fields & { readonly groups: readonly { id: string; blocks: readonly { id: string; type: string }[] }[] };
type Result = Fields & { readonly answers: readonly { readonly blockId: string }[] };
/** What this test looks at in the answers for one seed. Fields that may be missing have the type unknown. */
interface Answers extends Readonly<Record<EndpointId, unknown>> {
  readonly 'create-agent': { readonly agent: Made };
  readonly 'get-agent': {
    readonly agent: Made & { readonly edges: readonly Edge[] };
    readonly currentUserMode: string;
  };
  readonly 'get-published-agent': { readonly publicAgent: Made };
  readonly 'list-results': { readonly results: readonly Result[]; readonly nextCursor: string | null };
  readonly 'create-workspace': { readonly workspace: Fields };
}
type Edge = { readonly to: { readonly groupId: string } };

/** The answer of each endpoint under each profile. */
function* answersTo(prefer: string) {
  for (const { profile, call } of mocks)
    for (const endpoint of endpointIds) {
      const { method } = endpoints[endpoint];
      yield { profile, endpoint, ...call(targetOf(endpoint), { method, headers: { prefer } }) };
    }
}

const many = Array.from({ length: 250 }, (_, seed) => {
  const headers = { prefer: `dynamic=true, seed=${seed}` };
  const answers = Object.entries(endpoints).map(([endpoint, { method }]) => {
    return [endpoint, mocks[0]?.call(targetOf(endpoint as EndpointId), { method, headers }).json];
  });
  return Object.fromEntries(answers) as Answers;
});

test('an answer matches the schema of its endpoint and repeats with its seed, under any profile and after any other request', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{1,20}$/), (text) => {
      const prefer = `dynamic, seed=${JSON.stringify(text)}`;
      const first = new Map<EndpointId, string>();
      for (const { profile, endpoint, status, headers, json, text: body } of answersTo(prefer)) {
        const expected = [profile, endpoint, statusOf(endpoint), 'application/json; charset=utf-8', undefined];
        expect([profile, endpoint, status, headers['content-type'], headers['sl-violations']]).toEqual(expected);
        expect(validate(endpoints[endpoint].response, json)).toEqual([]);
        expect(body).toBe(first.get(endpoint) ?? body);
        first.set(endpoint, body);
      }
    }),
    { numRuns: 20 },
  );
});

test('different seeds give different answers, at every endpoint', () => {
  for (const endpoint of endpointIds)
    expect(new Set(many.map((answers) => JSON.stringify(answers[endpoint]))).size).toBe(many.length);
});

test('without a seed each answer differs, and the number of its request repeats it', () => {
  const { mock, call } = testMock();
  const ask = (prefer: string): string => call('/api/v1/agents/x', { headers: { prefer } }).text;
  const [first, second] = [ask('dynamic'), ask('dynamic')];
  expect(first).not.toBe(second);
  expect(mock.journal.next()).toBe(3);
  expect([ask('dynamic, seed=1'), ask('dynamic, seed=2')]).toEqual([first, second]);
});

test('the parts of an answer belong to the agent in the path and to each other', () => {
  for (const answers of many) {
    const { agent } = answers['get-agent'];
    expect(agent['id']).toBe(ID);
    const { publicAgent } = answers['get-published-agent'];
    expect(publicAgent['agentId'] ?? ID).toBe(ID);
    expect(publicAgent.groups.map(({ blocks }) => blocks)).toEqual(agent.groups.map(({ blocks }) => blocks));
    const ids = new Set(agent.groups.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
    const { results } = answers['list-results'];
    expect(results.length).toBeLessThanOrEqual(10);
    for (const result of results) {
      expect(result['agentId'] ?? ID).toBe(ID);
      if (agent.groups.length > 0) for (const { blockId } of result.answers) expect(ids).toContain(blockId);
    }
    const times = results.flatMap(({ createdAt }) => (typeof createdAt === 'string' ? [createdAt] : []));
    expect(times).toEqual(times.toSorted().toReversed());
    for (const { to } of agent.edges) expect(agent.groups.map(({ id }) => id)).toContain(to.groupId);
  }
});

describe('some hundred answers contain', () => {
  const texts = many.map((answers) => JSON.stringify(answers));
  const agents = many.flatMap((answers) => [answers['get-agent'].agent, answers['create-agent'].agent]);
  const publicAgents = many.map((answers) => answers['get-published-agent'].publicAgent);
  const results = many.flatMap((answers) => answers['list-results'].results);
  const workspaces = many.map((answers) => answers['create-workspace'].workspace);

  test('texts in many scripts, emoji, long texts and empty ones', () => {
    const kinds = ['Latin', 'Arabic', 'Hebrew', 'Han', 'Hiragana', 'Hangul', 'Devanagari', 'Thai', 'Tamil'];
    for (const kind of [...kinds.map((script) => `Script=${script}`), 'Emoji_Presentation'])
      expect(texts.filter((text) => new RegExp(`\\p{${kind}}`, 'u').test(text)).length).toBeGreaterThan(12);
    const names = agents.map(({ name }) => name);
    expect(names).toContain('');
    expect(names.filter((name) => typeof name === 'string' && name.length > 1000).length).toBeGreaterThan(3);
  });

  test('blocks of every type', () => {
    const blocksOf = ({ groups }: Made) => groups.flatMap(({ blocks }) => blocks);
    const kinds = new Set(agents.flatMap(blocksOf).map(({ type }) => type));
    const inputs = 'text, number, email, phone number, url, date, rating, file, choice, picture choice'.split(', ');
    const others = 'text, image, video, Wait, Condition, Set variable, Redirect, Webhook, Email, start'.split(', ');
    expect(kinds).toEqual(new Set([...others, ...inputs.map((kind) => `${kind} input`)]));
  });

  test('agents of both versions, and each mode', () => {
    expect(new Set(many.map((answers) => answers['get-agent'].agent['version']))).toEqual(new Set(['5', '6']));
    expect(new Set(many.map((answers) => answers['create-agent'].agent['version']))).toEqual(new Set(['6']));
    expect(new Set(many.map((answers) => answers['get-agent'].currentUserMode)).size).toBe(3);
  });

  test.each<[SchemaName, readonly Readonly<Record<string, unknown>>[]]>([
    ['agent-v6', agents],
    ['public-agent-v6', publicAgents],
    ['result', results],
    ['workspace', workspaces],
  ])('every field of %s with a value and without, and every list empty', (schema, found) => {
    const names = [...new Set(found.flatMap((one) => Object.keys(one)))];
    const needed = 'id workspaceId version events groups edges variables answers'.split(' ');
    const always = names.filter((name) => found.every((one) => name in one));
    expect(always.filter((name) => !needed.includes(name))).toEqual([]);
    const lists = names.filter((name) => found.some((one) => Array.isArray(one[name])));
    const isEmptied = (name: string): boolean => found.some((one) => JSON.stringify(one[name]) === '[]');
    expect(lists.filter((name) => !isEmptied(name))).toEqual([]);
    expect(Object.keys(schemas[schema].properties ?? {}).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('pages without results, and pages that are not the last', () => {
    const pages = many.map((answers) => answers['list-results']);
    expect(pages.filter((page) => page.results.length === 0).length).toBeGreaterThan(12);
    expect(pages.filter((page) => page.nextCursor === null).length).toBeGreaterThan(60);
    expect(pages.filter((page) => typeof page.nextCursor === 'string').length).toBeGreaterThan(60);
  });
});

test('a generated refusal is a problem document, and repeats with its seed', () => {
  const isProblem = new Ajv2020({ strict: false }).compile(openapi.components.schemas['Problem'] ?? false);
  const { call } = testMock();
  const bodies = Array.from({ length: 50 }, (_, seed) => {
    const prefer = `code=404, dynamic, seed=${seed}`;
    const answer = call('/api/v1/agents/x/results', { headers: { prefer, accept: 'application/json' } });
    expect([answer.status, isProblem(answer.json), answer.json.status]).toEqual([404, true, 404]);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(call('/api/v1/agents/x/results', { headers: { prefer } }).text).toBe(answer.text);
    return answer.text;
  });
  expect(new Set(bodies).size).toBe(50);
});

test('a mock without a server generates answers and shows examples too', async () => {
  const { fetch } = createMock();
  const ask = (prefer: string): Promise<Response> => fetch('https://x.test/api/v1/agents/a', { headers: { prefer } });
  const made = await ask('dynamic=true, seed=7');
  expect([made.status, made.headers.get('preference-applied')]).toEqual([200, 'dynamic=true, seed=7']);
  const shown = await ask('example=version-5');
  expect([shown.status, shown.headers.get('preference-applied')]).toEqual([200, 'example=version-5']);
  expect(await shown.json()).toMatchObject({ agent: { version: '5' } });
});
