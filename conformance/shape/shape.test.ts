import { endpointIds, endpoints, requirements, type EndpointId } from '../../spec/index.ts';
import { typedLocations, type BodySchemaName } from '../../spec/schema.ts';
import { checks } from '../checks/index.ts';
import { createAgents } from '../history/facts/agents.ts';
import type { Answered } from '../http/exchange.ts';
import { sampleExchange, type SampleExchange } from '../testing/sample-exchange.ts';
import { requirementAt } from './documented.ts';
import { createShapes } from './shape.ts';
import judged from '../testing/judged.json';

const answered = (endpoint: EndpointId, body: string | Uint8Array, more: SampleExchange = {}): Answered =>
  sampleExchange({ endpoint, body, ...more });

function shapesOf(answers: readonly Answered[], strict = false) {
  const agents = createAgents({});
  const sent = { workspaceId: 'w', agent: { name: 'Own' } };
  agents.see(answered('create-agent', '{"agent":{"id":"own","version":"6"}}', { sent }));
  const shapes = createShapes({ strict, agents });
  for (const answer of answers) shapes.see(answer);
  return shapes;
}

const broken = (shapes: ReturnType<typeof shapesOf>, endpoint: EndpointId): readonly string[] =>
  shapes.seen(endpoint).broken.map(({ at }) => at ?? '-');

const judge = (endpoint: EndpointId, json: unknown, agentId?: string): readonly string[] =>
  broken(shapesOf([answered(endpoint, JSON.stringify(json), agentId === undefined ? {} : { agentId })]), endpoint);

const pageOf = (...results: readonly unknown[]) => ({ results, nextCursor: null });

describe('shapes', () => {
  test.each(judged.shapes as unknown as [string, EndpointId, unknown, string[]][])(
    '%s',
    (_, endpoint, json, expected) => {
      expect(judge(endpoint, json)).toEqual(expected);
    },
  );

  test('an agent that we sent has version 6 even if it does not say so', () => {
    const json = { agent: { id: 'own', groups: 'any' }, currentUserMode: 'write' };
    expect(judge('get-agent', json, 'own')).toEqual(['/agent/groups']);
    expect(judge('get-agent', json, 'another')).toEqual([]);
  });

  test('counts what can be judged completely', () => {
    const shapes = shapesOf([
      answered('get-agent', '{"agent":{"version":"5"},"currentUserMode":"read"}'),
      answered('get-agent', '{"agent":{"version":"6","id":"a"},"currentUserMode":"read"}'),
    ]);
    expect(shapes.seen('get-agent')).toMatchObject({ answers: 2, judged: 1 });
    expect(shapes.seen('create-agent')).toMatchObject({ answers: 0, judged: 0 });
  });

  test('a broken place is reported once for all answers, also for the same body again', () => {
    const bad = '{"results":[{"id":1}],"nextCursor":null}';
    const other = '{"results":[{"id":"r"},{"id":2}],"nextCursor":null}';
    const good = '{"results":[],"nextCursor":null}';
    const shapes = shapesOf([bad, bad, good, other].map((body) => answered('list-results', body)));
    expect(shapes.seen('list-results').broken).toMatchObject([
      { at: '/results/0/id', expected: 'a string', actual: '1 (in 3 of 4 answers)', requirement: 'result-shape' },
    ]);
  });

  test('an answer to wrong credentials, or without any need for them, is not judged', () => {
    const bad = '{"results":7}';
    const unjudged: readonly SampleExchange[] = [{ caller: 'none' }, { caller: 'wrong' }, { open: true }];
    const shapes = shapesOf(unjudged.map((more) => answered('list-results', bad, more)));
    expect(shapes.seen('list-results')).toEqual({ answers: 0, judged: 0, broken: [] });
  });
});

test.each<[string, string | Uint8Array, readonly string[]]>([
  [
    'text that is not JSON is shown with reason and position',
    '{"results": [NaN]}',
    [
      'answers-are-json: text that is not JSON, beginning with "{\\"results\\": [NaN]}": NaN is not JSON, at position 13',
    ],
  ],
  [
    'a byte that is not UTF-8 is shown with its position',
    Buffer.from('{"results":["caf\u00e9"]}', 'latin1'),
    ['answers-are-json: text that is not UTF-8: the byte 0xe9 at position 16, after "{\\"results\\":[\\"caf"'],
  ],
  [
    'after a byte order mark the rest is judged too',
    '\ufeff{"results":[]}',
    ['answers-are-json: JSON after a byte order mark, which must not precede JSON', 'list-results-answer: nothing'],
  ],
])('%s', (_, body, expected) => {
  const found = shapesOf([answered('list-results', body)]).seen('list-results').broken;
  expect(found.map(({ actual, requirement }) => `${requirement}: ${actual}`)).toEqual(expected);
});

describe('the outermost layer', () => {
  const agent = { id: 'a', version: '6', name: 7, groups: [], edges: [] };
  test.each<[string, EndpointId, unknown, readonly string[]]>([
    ['one too many', 'create-agent', { data: { agent } }, ['found under /data', '7']],
    ['none', 'create-agent', agent, ['the object itself, with nothing around it', '7']],
    ['none around an array', 'list-results', [{ id: 7 }], ['the array itself, with nothing around it', '7']],
    ['an error', 'get-agent', { error: 'Not found' }, ['an error (error: "Not found") with a success status']],
    ['nothing recognisable', 'get-agent', { agnt: {} }, ['nothing', 'nothing']],
  ])('%s', (_, endpoint, json, expected) => {
    const shapes = shapesOf([answered(endpoint, JSON.stringify(json))]);
    expect(shapes.seen(endpoint).broken.map(({ actual }) => actual)).toEqual(expected);
  });
});

describe('the requirement that broke', () => {
  const places = endpointIds.flatMap((endpoint) =>
    typedLocations[endpoints[endpoint].response as BodySchemaName].map(({ pointer }) => [endpoint, pointer] as const),
  );

  test('is one that the check of the endpoint verifies, wherever the answer broke', () => {
    const astray = places.filter(([endpoint, pointer]) => {
      const check = checks.find(({ id }) => id === `${endpoint}-answer-shape`);
      return check?.verifies.includes(requirementAt(endpoint, pointer)) !== true;
    });
    expect(astray).toEqual([]);
  });

  test.each(judged.requirements as unknown as [EndpointId, string, keyof typeof requirements][])(
    '%s %s: %s',
    (endpoint, pointer, expected) => {
      expect(requirementAt(endpoint, pointer)).toBe(expected);
    },
  );
});

describe('an answer with very many values', () => {
  const rows = (count: number, wrong?: number) =>
    Array.from({ length: count }, (_, i) => (i === wrong ? { id: 'r', isArchived: 'no' } : { id: 'r' }));

  const last = '/results/2901/isArchived';
  test.each<[string, unknown, readonly string[]]>([
    ['whose beginning is wrong gets an error', pageOf({ id: 7 }, ...rows(30_000, 29_000)), ['/results/0/id']],
    ['that lacks something gets an error', { results: rows(30_000) }, ['/nextCursor']],
    ['whose end is wrong gets an error', pageOf(...rows(30_000, 29_000)), ['/results/29000/isArchived']],
    ['that is correct gets no error', pageOf(...rows(30_000)), []],
    ['that is smaller gets all', pageOf({ id: 7 }, ...rows(3_000, 2_900)), ['/results/0/id', last]],
  ])('%s', (_, json, expected) => {
    expect(judge('list-results', json)).toEqual(expected);
  });
});

describe('null', () => {
  const page = JSON.stringify({
    results: [{ id: 'r', metadata: { ip: null, location: null }, answers: [{ content: null }] }],
    nextCursor: null,
  });

  test('for an optional field is counted, at any depth, and the answer stays unchanged', () => {
    const answer = answered('list-results', page);
    const shapes = shapesOf([answer]);
    expect(broken(shapes, 'list-results')).toEqual([]);
    expect(shapes.nulls).toBe(3);
    expect(JSON.stringify(answer.answer.json)).toBe(page);
  });

  test('does not hide errors, even in large numbers', () => {
    const results = Array.from({ length: 99 }, () => ({ id: 'r', updatedAt: null, agentId: null }));
    expect(judge('list-results', pageOf(...results, { ...results[0], id: 9 }))).toEqual(['/results/99/id']);
  });

  test('fails on request', () => {
    const shapes = shapesOf([answered('list-results', page)], true);
    expect(broken(shapes, 'list-results')).toEqual([
      '/results/0/metadata/ip',
      '/results/0/metadata/location',
      '/results/0/answers/0/content',
    ]);
    expect(shapes.nulls).toBe(0);
  });
});

describe('evidence', () => {
  test('lists every schema of an answer, with what was seen and what never was', () => {
    const json = { workspace: { id: 'w', name: 'W', icon: null, extras: ['a'], chatUsage: 'many' } };
    const shapes = shapesOf([answered('create-workspace', JSON.stringify(json))]);
    const evidence = shapes.evidence();
    expect(evidence.map(({ schema }) => schema)).toEqual(Object.values(endpoints).map(({ response }) => response));
    const workspace = evidence.find(({ schema }) => schema === 'create-workspace-response');
    expect(workspace).toMatchObject({ seenValid: 6, seenNull: 1 });
    expect(workspace?.neverSeen).toEqual(expect.arrayContaining(['/workspace/chatUsage', '/workspace/addons']));
    expect(workspace?.typed).toBe(6 + 1 + (workspace?.neverSeen.length ?? 0));
    expect(shapes.saw('create-workspace', '/workspace/extras/*')).toBe(true);
    expect(shapes.saw('list-results', '/results/*')).toBe(false);
  });

  test('says nothing about the inside of another form', () => {
    const shapes = shapesOf([answered('get-agent', '{"agent":{"version":"5","name":"Old"},"currentUserMode":"read"}')]);
    expect(shapes.saw('get-agent', '/currentUserMode')).toBe(true);
    expect(shapes.saw('get-agent', '/agent/name')).toBe(false);
  });

  test('records a field that is not documented', () => {
    expect(shapesOf([answered('create-workspace', '{"workspace":{"id":"w","owner":"me"}}')]).extraField).toBe('owner');
  });
});
