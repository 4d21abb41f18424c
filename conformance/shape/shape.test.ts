import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Answer } from '../history/exchange.ts';
import { createObservations } from '../observations/observe.ts';
import { createShapeLedger, type ShapeLedger } from './shape.ts';

function ledgerAfter(
  answers: readonly (readonly [endpoint: EndpointId, json: unknown, agentId?: string])[],
  strictNull = false,
): { readonly shapes: ShapeLedger; readonly seen: readonly string[] } {
  const { observe, observations } = createObservations();
  const shapes = createShapeLedger({ strictNull, observe });
  shapes.ownAgents.add('own');
  for (const [endpoint, json, agentId] of answers) {
    const answer: Answer = {
      endpoint,
      agentId,
      status: 200,
      headers: {},
      accepted: true,
      json: structuredClone(json),
      problem: json === undefined ? 'an HTML page' : undefined,
      text: '',
      exchange: { request: { method: 'GET', url: '', headers: {} }, durationMs: 0 },
      instants: [0],
    };
    shapes.inspect(answer);
  }
  return { shapes, seen: observations().map(({ gap, choice }) => `${gap}=${choice}`) };
}

const broken = (shapes: ShapeLedger, endpoint: EndpointId): readonly string[] =>
  shapes.seen(endpoint).broken.map(({ finding }) => finding.at ?? '-');

describe('shapes', () => {
  test.each<[string, EndpointId, unknown, readonly string[]]>([
    ['a whole page', 'list-results', { results: [{ id: 'r' }], nextCursor: null }, []],
    ['fields that are not documented', 'list-results', { results: [{ id: 'r', more: [1] }], nextCursor: '', x: 1 }, []],
    [
      'a wrong type in the last item',
      'list-results',
      { results: [{ id: 'r' }, { id: 's', isCompleted: 'no' }], nextCursor: null },
      ['/results/1/isCompleted'],
    ],
    [
      'the same in each item, once',
      'list-results',
      { results: [{ id: 1 }, { id: 2 }], nextCursor: null },
      ['/results/0/id'],
    ],
    ['null for what is required', 'list-results', { results: null, nextCursor: null }, ['/results']],
    ['what is missing', 'list-results', { results: [] }, ['/nextCursor']],
    ['null for an item', 'list-results', { results: [null], nextCursor: null }, ['/results/0']],
    ['a string for the body', 'get-agent', 'agent', ['']],
    ['no JSON', 'get-agent', undefined, ['-']],
    ['another mode', 'get-agent', { agent: { version: '6', id: 'a' }, currentUserMode: 'admin' }, ['/currentUserMode']],
    ['version 6 without its id', 'get-agent', { agent: { version: '6' }, currentUserMode: 'read' }, ['/agent/id']],
    ['version 5, which is open', 'get-agent', { agent: { version: '5', groups: 'any' }, currentUserMode: 'read' }, []],
    ['no version, which may be 5', 'get-agent', { agent: { groups: 'any' }, currentUserMode: 'read' }, []],
    [
      'a null version, which may be 5',
      'get-agent',
      { agent: { version: null, groups: 'any' }, currentUserMode: 'read' },
      [],
    ],
    ['a numeric version', 'get-agent', { agent: { version: 6, id: 'a' }, currentUserMode: 'read' }, ['/agent/version']],
    ['a creation of version 5', 'create-agent', { agent: { version: '5', id: 'a' } }, ['/agent/version']],
    ['a creation without a version', 'create-agent', { agent: { id: 'a', name: 7 } }, ['/agent/name']],
    ['no published form', 'get-published-agent', { publicAgent: null }, ['/publicAgent']],
  ])('%s', (_, endpoint, json, expected) => {
    expect(broken(ledgerAfter([[endpoint, json]]).shapes, endpoint)).toEqual(expected);
  });

  test('an agent of our own is of version 6 even if it does not say so', () => {
    const json = { agent: { id: 'own', groups: 'any' }, currentUserMode: 'write' };
    expect(broken(ledgerAfter([['get-agent', json, 'own']]).shapes, 'get-agent')).toEqual(['/agent/groups']);
    expect(broken(ledgerAfter([['get-agent', json, 'another']]).shapes, 'get-agent')).toEqual([]);
  });

  test('counts what can be judged in full', () => {
    const { shapes } = ledgerAfter([
      ['get-agent', { agent: { version: '5' }, currentUserMode: 'read' }],
      ['get-agent', { agent: { version: '6', id: 'a' }, currentUserMode: 'read' }],
    ]);
    expect(shapes.seen('get-agent')).toMatchObject({ answers: 2, judged: 1 });
    expect(shapes.seen('create-agent')).toMatchObject({ answers: 0, judged: 0 });
  });
});

describe('null', () => {
  const page = {
    results: [{ id: 'r', metadata: { ip: null, location: null }, answers: [{ content: null }] }],
    nextCursor: null,
  };

  test('for an optional field is observed, at any depth', () => {
    const { shapes, seen } = ledgerAfter([['list-results', page]]);
    expect(broken(shapes, 'list-results')).toEqual([]);
    expect(seen).toContain('absent-values=null');
  });

  test('fails when it is asked to', () => {
    const { shapes, seen } = ledgerAfter([['list-results', page]], true);
    expect(broken(shapes, 'list-results')).toEqual([
      '/results/0/metadata/ip',
      '/results/0/metadata/location',
      '/results/0/answers/0/content',
    ]);
    expect(seen).not.toContain('absent-values=null');
  });
});

describe('evidence', () => {
  test('lists every schema of an answer, with what was seen and what never', () => {
    const { shapes } = ledgerAfter([
      ['create-workspace', { workspace: { id: 'w', name: 'W', icon: null, extras: ['a'], chatUsage: 'many' } }],
    ]);
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
    const { shapes } = ledgerAfter([['get-agent', { agent: { version: '5', name: 'Old' }, currentUserMode: 'read' }]]);
    expect(shapes.saw('get-agent', '/currentUserMode')).toBe(true);
    expect(shapes.saw('get-agent', '/agent/name')).toBe(false);
  });

  test('fields that are not documented are observed', () => {
    expect(ledgerAfter([['create-workspace', { workspace: { id: 'w', owner: 'me' } }]]).seen).toEqual([
      'extra-fields=some',
    ]);
  });
});
