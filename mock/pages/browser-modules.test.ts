import { endpointIds, violationIds } from '../../spec/index.ts';
import { personaNames } from '../../fixtures/index.ts';
import { createMock } from '../mock.ts';
import type { StandingAnswer } from '../on-demand/standing.ts';
import { ways as allWays } from '../upstream/options.ts';
import { testNow } from '../testing/test-client.ts';

/* The modules of the pages that use no DOM. They are plain JavaScript, so this test declares their types. */

interface Box {
  readonly kind: string;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rows: readonly { readonly id: string; readonly text: string }[];
}
interface Flow {
  readonly boxes: readonly Box[];
  readonly edges: readonly { readonly from: Box; readonly to: Box; readonly path: string }[];
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly isTidy: boolean;
  readonly loose: number;
}
interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}
const { layoutFlow, fitInto, zoomed } = require('./assets/ui/world/flow/layout.js') as {
  readonly layoutFlow: (agent: unknown, isTidy?: boolean) => Flow;
  readonly fitInto: (bounds: Flow['bounds'], view: { width: number; height: number }) => View;
  readonly zoomed: (view: View, factor: number, at: { x: number; y: number }) => View;
};
const { endpoints, isWanted, remarksOf, UNMATCHED } = require('./assets/ui/requests/entries.js') as {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly isWanted: (entry: unknown, wanted: object) => boolean;
  readonly remarksOf: (entry: unknown) => readonly { readonly text: string }[];
  readonly UNMATCHED: string;
};
const results = require('./assets/ui/world/results-filter.js') as {
  readonly isWantedResult: (result: object, wanted: object) => boolean;
  readonly columnsOf: (results: readonly object[]) => readonly string[];
  readonly stateOf: (result: object) => string;
};
const { states, statesOf, stateOf, ways, EVERY, OTHER } = require('./assets/ui/settings/state-choices.js') as {
  readonly states: Readonly<Record<string, { readonly answer?: StandingAnswer['answer'] }>>;
  readonly ways: Readonly<Record<string, unknown>>;
  readonly statesOf: (endpoint: string) => readonly string[];
  readonly stateOf: (answer: unknown) => string;
  readonly EVERY: string;
  readonly OTHER: string;
};
const { toHar, toPostman } = require('./assets/ui/requests/export-requests.js') as {
  readonly toHar: (
    entries: readonly unknown[],
    baseUrl: string,
  ) => { readonly log: { readonly entries: readonly object[] } };
  readonly toPostman: (entries: readonly unknown[], baseUrl: string) => { readonly item: readonly object[] };
};
const { grouped } = require('./assets/ui/settings/fault-groups.js') as {
  readonly grouped: (faults: readonly { readonly id: string }[]) => readonly {
    readonly id: string;
    readonly faults: readonly { readonly id: string }[];
  }[];
};
const { bucketsOf, chosenRow, SPAN } = require('./assets/ui/elements/buckets.js') as {
  readonly bucketsOf: (things: readonly { readonly id: number }[]) => ReadonlyMap<number, readonly { id: number }[]>;
  readonly chosenRow: (key: string, place: number | undefined, length: number) => number | undefined;
  readonly SPAN: number;
};
const { short, inline, span, bytes } = require('./assets/ui/elements/format.js') as {
  readonly span: (milliseconds: number) => string;
  readonly bytes: (size: number) => string;
  readonly short: (text: string, most: number) => string;
  readonly inline: (value: unknown, most?: number) => string;
};

describe('the flow of an agent', () => {
  const edge = { id: 'e', from: { blockId: 'b', itemId: 'i' }, to: { groupId: 'two' } };
  const agent = {
    events: [{ id: 'v', type: 'start', outgoingEdgeId: 'first', graphCoordinates: { x: 0, y: 0 } }],
    groups: [
      {
        id: 'one',
        title: 'One',
        graphCoordinates: { x: 200, y: 0 },
        blocks: [
          { id: 'a', type: 'text', content: { richText: [{ children: [{ text: 'Good ' }, { text: 'day' }] }] } },
          { id: 'b', type: 'choice input', items: [{ id: 'i', content: 'Yes' }] },
        ],
      },
      { id: 'two', title: 'Two', graphCoordinates: { x: 700, y: 40.5 }, blocks: [] },
    ],
    edges: [{ id: 'first', to: { groupId: 'one' } }, edge],
  };

  test('is drawn at its coordinates, with blocks and items as rows', () => {
    const { boxes, isTidy } = layoutFlow(agent);
    expect(isTidy).toBe(false);
    expect(boxes.map(({ title, x, y }) => [title, x, y])).toEqual([
      ['start', 0, 0],
      ['One', 200, 0],
      ['Two', 700, 40.5],
    ]);
    expect(boxes[1]?.rows.map(({ text }) => text)).toEqual(['Good day', '', 'Yes']);
  });

  test('an edge leaves an event at its outgoing edge and an item at its row, and ends at a group', () => {
    const { edges, loose } = layoutFlow(agent);
    expect(edges.map(({ from, to }) => [from.title, to.title])).toEqual([
      ['start', 'One'],
      ['One', 'Two'],
    ]);
    expect(edges[1]?.path).toMatch(/^M460 99C.* 700 58\.5$/);
    expect(loose).toBe(0);
  });

  test('an edge with an unknown end is counted, not drawn', () => {
    const { edges, loose } = layoutFlow({ ...agent, edges: [edge, { ...edge, to: { groupId: 'gone' } }, { id: 'x' }] });
    expect([edges.length, loose]).toEqual([1, 2]);
  });

  test.each([
    ['none', undefined],
    ['far apart', { x: 1e5, y: 0 }],
    ['huge', { x: 1e300, y: -1e300 }],
    ['not numbers', { x: '1', y: null }],
  ])('columns replace coordinates that are %s', (_, graphCoordinates) => {
    const groups = [agent.groups[0], { ...agent.groups[1], graphCoordinates }];
    const { boxes, bounds, isTidy } = layoutFlow({ ...agent, groups });
    expect(isTidy).toBe(true);
    const [start, one, two] = boxes;
    expect(start?.x).toBeLessThan(one?.x ?? 0);
    expect(one?.x).toBeLessThan(two?.x ?? 0);
    expect(Number.isFinite(bounds.width + bounds.height)).toBe(true);
  });

  test('columns replace coordinates that are all far out', () => {
    const groups = ['a', 'b'].map((id, i) => ({ id, graphCoordinates: { x: i, y: -1e300 } }));
    expect(layoutFlow({ groups }).isTidy).toBe(true);
  });

  test('boxes in columns do not overlap', () => {
    const { boxes } = layoutFlow({ groups: Array.from({ length: 9 }, (_, i) => ({ id: `g${i}`, blocks: [1, 2] })) });
    const sorted = boxes.toSorted((one, other) => one.y - other.y);
    const apart = sorted.slice(1).map(({ y }, i) => y - (sorted[i]?.y ?? 0) - (sorted[i]?.height ?? 0));
    expect(apart).toHaveLength(8);
    expect(Math.min(...apart)).toBeGreaterThan(0);
  });

  test('the layout of circular edges ends', () => {
    const groups = ['a', 'b'].map((id) => ({ id, blocks: [{ id: `${id}-block` }] }));
    const edges = [
      { from: { blockId: 'a-block' }, to: { groupId: 'b' } },
      { from: { blockId: 'b-block' }, to: { groupId: 'a' } },
    ];
    expect(layoutFlow({ groups, edges }, true).edges).toHaveLength(2);
  });

  test.each([
    undefined,
    null,
    7,
    [],
    { groups: 'x', events: [null, 3], edges: {} },
    { groups: [{ blocks: [null, 'x', { items: 4 }] }] },
  ])('any agent gets a layout (%#)', (odd) => {
    const { edges, bounds } = layoutFlow(odd);
    expect(edges).toEqual([]);
    expect(Number.isFinite(bounds.width)).toBe(true);
  });

  test.each(personaNames)('every edge of the first agents of %s is drawn', (persona) => {
    const mock = createMock({ persona, now: testNow, frozen: true });
    const { store } = mock;
    for (let i = 0; i < Math.min(12, store.universe.agentCount); i++) {
      const stored = store.agent(store.agentId(i))?.agent;
      const { boxes, loose, bounds } = layoutFlow(stored);
      const groups = Array.isArray(stored?.['groups']) ? stored['groups'] : [];
      expect(boxes.filter(({ kind }) => kind === 'group')).toHaveLength(groups.length);
      if (persona !== 'extremes') expect(loose).toBe(0);
      expect(Number.isFinite(bounds.width + bounds.height)).toBe(true);
    }
  });

  test('the fitted view shows everything, centred', () => {
    const view = fitInto({ x: -100, y: 50, width: 2000, height: 400 }, { width: 1064, height: 500 });
    expect(view.scale).toBe(0.5);
    expect(-100 * view.scale + view.x).toBe(32);
    expect((50 + 200) * view.scale + view.y).toBe(250);
  });

  test('zooming keeps the point under the pointer in place', () => {
    const view = zoomed({ scale: 1, x: 10, y: 20 }, 2, { x: 110, y: 220 });
    expect(view).toEqual({ scale: 2, x: -90, y: -180 });
    expect(zoomed(view, 1000, { x: 0, y: 0 }).scale).toBe(3);
  });
});

describe('entries of the journal', () => {
  const mock = createMock({ now: testNow, frozen: true, validate: true });
  const { token, agentId } = mock.target;
  const send = (target: string, headers = {}): unknown => {
    mock.handle({ method: 'GET', target, headers: { authorization: `Bearer ${token}`, ...headers } });
    return mock.journal.entries().at(-1);
  };
  const found = send(`/api/v1/agents/${agentId}`);
  const refused = send('/api/v1/agents/no%20body');
  const stray = send('/api/v1/agent');

  test('the endpoints are those of the service', () => {
    expect(Object.keys(endpoints)).toEqual(endpointIds);
  });

  test.each([
    [{}, [true, true, true]],
    [{ text: 'AGENTS/no' }, [false, true, false]],
    [{ text: 'agents/no body' }, [false, true, false]],
    [{ text: '$token get' }, [true, true, true]],
    [{ text: 'solar zebra' }, [false, false, false]],
    [{ text: 'solar' }, [true, false, false]],
    [{ endpoint: 'get-agent' }, [true, true, false]],
    [{ endpoint: UNMATCHED }, [false, false, true]],
    [{ status: '4' }, [false, true, true]],
    [{ status: '4', endpoint: 'get-agent', text: 'nobody' }, [false, false, false]],
  ])('%j finds %j', (wanted, expected) => {
    expect([found, refused, stray].map((entry) => isWanted(entry, wanted))).toEqual(expected);
  });

  test('unusual entries get remarks', () => {
    expect(remarksOf(found)).toEqual([]);
    expect(remarksOf(stray).map(({ text }) => text)).toEqual(['no endpoint']);
    mock.plan('get-agent', [{ delay: 1500 }]);
    const planned = send(`/api/v1/agents/${agentId}`, { prefer: 'fault=EMPTY_RESPONSE' });
    expect(remarksOf(planned).map(({ text }) => text)).toEqual(['empty response', '+1.5 s', 'plan-1', 'preferred']);
  });
});

describe('results', () => {
  const one = { id: 'r1', isCompleted: true, hasStarted: true, variables: [{ name: 'Name', value: 'Molly' }] };
  const two = {
    id: 'r2',
    hasStarted: true,
    variables: [{ name: 'Name', value: 'Bria' }, { name: 'Bill', value: 80 }, null],
    answers: [{ content: 'A battery' }],
  };

  test.each([
    [{}, [true, true]],
    [{ text: 'mOLLy' }, [true, false]],
    [{ text: 'battery bria' }, [false, true]],
    [{ text: 'battery molly' }, [false, false]],
    [{ text: '80' }, [false, true]],
    [{ state: 'completed' }, [true, false]],
    [{ state: 'started' }, [false, true]],
    [{ state: 'untouched' }, [false, false]],
  ])('%j finds %j', (wanted, expected) => {
    expect([one, two].map((result) => results.isWantedResult(result, wanted))).toEqual(expected);
  });

  test('the columns are the variables that most results have, in order', () => {
    const rare = Array.from({ length: 6 }, (_, i) => ({ name: `rare ${i}`, value: '' }));
    expect(results.columnsOf([one, two])).toEqual(['Name', 'Bill']);
    expect(results.columnsOf([{ variables: rare }, one, two])).toEqual([
      'rare 0',
      'rare 1',
      'rare 2',
      'rare 3',
      'rare 4',
      'Name',
    ]);
    expect(results.stateOf({})).toBe('untouched');
  });
});

describe('texts', () => {
  test('are cut between characters', () => {
    expect(short('🌞🌞🌞', 2)).toBe('🌞…');
    expect(short('abc', 3)).toBe('abc');
    expect(inline({ a: [1] })).toBe('{"a":[1]}');
  });
});

test.each([
  [0.42, '0.4 ms'],
  [9.96, '10 ms'],
  [150.4, '150 ms'],
  [1500, '1.5 s'],
])('%d milliseconds are %s', (milliseconds, said) => expect(span(milliseconds)).toBe(said));

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [61_440, '61.4 kB'],
  [1_250_000, '1.3 MB'],
])('%d bytes are %s', (size, said) => expect(bytes(size)).toBe(said));

describe('a long list', () => {
  const newestFirst = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => ({ id: from - i }));

  test('is divided so that items that come or go at its ends do not move others to another part', () => {
    const before = bucketsOf(newestFirst(1000, 1));
    const after = bucketsOf(newestFirst(1001, 2));
    const inside = [...before.keys()].slice(1, -1);
    for (const bucket of inside) expect(after.get(bucket)).toEqual(before.get(bucket));
    expect([...before.values()].flat()).toEqual(newestFirst(1000, 1));
    expect(Math.max(...Array.from(before.values(), (some) => some.length))).toBe(SPAN);
  });

  test.each([
    ['ArrowDown', 3, 4],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 0, 0],
    ['Home', 7, 0],
    ['End', 7, 9],
    ['Tab', 7, undefined],
    ['End', undefined, undefined],
  ])('%s leads from %p to %p', (key, from, to) => expect(chosenRow(key, from, 10)).toBe(to));
});

test('the options for who answers an endpoint are those that the mock accepts', () => {
  expect(Object.keys(ways).toSorted()).toEqual([...allWays].toSorted());
});

describe('the states of an endpoint', () => {
  test('can be set, and are recognised when they are read', () => {
    for (const endpoint of [...endpointIds, EVERY] as const)
      for (const id of statesOf(endpoint)) {
        const { standing } = createMock();
        const answer = states[id]?.answer;
        if (answer) standing.set(endpoint as StandingAnswer['on'], answer);
        expect(stateOf(standing.list()[0]?.answer)).toBe(id);
      }
    expect(stateOf({ code: 418 })).toBe(OTHER);
  });

  test('include an empty list for an endpoint that lists', () => {
    const lists = [...endpointIds, EVERY].filter((id) => statesOf(id).includes('empty'));
    expect(lists).toEqual(['list-results']);
  });
});

test('every fault is in one group of what a screen would notice', () => {
  const groups = grouped(violationIds.map((id) => ({ id })));
  expect(groups.map(({ id }) => id)).toEqual(['list', 'time', 'content', 'refused', 'shape', 'access']);
  expect(groups.flatMap(({ faults }) => faults.map(({ id }) => id)).toSorted()).toEqual([...violationIds].toSorted());
  const groupOf = (id: string): string | undefined =>
    groups.find(({ faults }) => faults.some((fault) => fault.id === id))?.id;
  expect(groupOf('page-boundary-loses-result')).toBe('list');
  expect(groupOf('time-filter-today-refused')).toBe('refused');
  expect(groupOf('create-agent-answer-wrapped')).toBe('shape');
  expect(groupOf('get-agent-answers-another')).toBe('content');
  expect(grouped([{ id: 'get-agent-shouts-name' }]).map(({ id }) => id)).toEqual(['content']);
});

describe('requests for other tools', () => {
  const mock = createMock({ now: testNow, frozen: true });
  const send = (method: string, target: string, body?: object, prefer?: string): void => {
    const headers = {
      authorization: `Bearer ${mock.target.token}`,
      host: 'mock',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(prefer === undefined ? {} : { prefer }),
    };
    const sent = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    mock.handle({ method, target, headers, ...sent });
  };
  send('GET', '/api/v1/agents/nobody?x=1');
  send('POST', '/api/v1/workspaces', { name: 'é' }, 'delay=20');
  send('POST', '/api/v1/workspaces', { name: 'é' }, 'delay=20');
  send('GET', '/api/v1/agents/nobody', undefined, 'fault=EMPTY_RESPONSE');
  const entries = mock.journal.entries().toSorted((one, other) => other.id - one.id);

  test('are written as an HTTP archive, oldest first', () => {
    const { log } = toHar(entries, 'http://mock');
    expect(log.entries).toHaveLength(4);
    const answered = new TextEncoder().encode(JSON.stringify(entries[2]?.response.body)).length;
    expect(log.entries[0]).toMatchObject({
      startedDateTime: new Date(testNow).toISOString(),
      request: { method: 'GET', url: 'http://mock/api/v1/agents/nobody?x=1', queryString: [{ name: 'x', value: '1' }] },
      response: { status: 404, content: { mimeType: expect.stringContaining('problem+json') } },
    });
    expect(log.entries[1]).toMatchObject({
      time: expect.any(Number),
      timings: { wait: expect.any(Number) },
      request: { postData: { mimeType: 'application/json', text: '{"name":"é"}' }, bodySize: 13 },
      response: { status: 201, bodySize: answered, content: { size: answered } },
    });
    expect((log.entries[1] as { readonly time: number }).time).toBeGreaterThanOrEqual(20);
    expect(log.entries[3]).toMatchObject({ response: { status: 0, _error: 'EMPTY_RESPONSE' } });
  });

  test('are written as a collection, each once; neither format contains the token', () => {
    const { item } = toPostman(entries, 'http://mock');
    expect(item).toHaveLength(3);
    expect(item[1]).toEqual({
      name: 'POST /api/v1/workspaces',
      request: {
        method: 'POST',
        header: [
          { key: 'content-type', value: 'application/json' },
          { key: 'prefer', value: 'delay=20' },
        ],
        body: { mode: 'raw', raw: '{"name":"é"}', options: { raw: { language: 'json' } } },
        url: '{{baseUrl}}/api/v1/workspaces',
      },
      response: [expect.objectContaining({ name: '201', code: 201, responseTime: expect.any(Number) })],
    });
    expect(item[2]).toMatchObject({ response: [] });
    expect(JSON.stringify([toHar(entries, ''), toPostman(entries, '')])).not.toContain(mock.target.token);
  });
});
