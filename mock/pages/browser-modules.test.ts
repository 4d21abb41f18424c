import { endpointIds } from '../../spec/index.ts';
import { personaNames } from '../../fixtures/index.ts';
import { createMock } from '../mock.ts';
import { testNow } from '../test-client.ts';

/* The modules of the pages that have no DOM. They are plain JavaScript, so their types are said here. */

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
const { layoutFlow, fitInto, zoomed } = require('./assets/ui/world/flow-layout.js') as {
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
const { short, inline } = require('./assets/ui/elements/format.js') as {
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

  test('is drawn where its coordinates say, with blocks and items as rows', () => {
    const { boxes, isTidy } = layoutFlow(agent);
    expect(isTidy).toBe(false);
    expect(boxes.map(({ title, x, y }) => [title, x, y])).toEqual([
      ['start', 0, 0],
      ['One', 200, 0],
      ['Two', 700, 40.5],
    ]);
    expect(boxes[1]?.rows.map(({ text }) => text)).toEqual(['Good day', '', 'Yes']);
  });

  test('an edge leaves an event by its outgoing edge, an item at its row, and ends at a group', () => {
    const { edges, loose } = layoutFlow(agent);
    expect(edges.map(({ from, to }) => [from.title, to.title])).toEqual([
      ['start', 'One'],
      ['One', 'Two'],
    ]);
    expect(edges[1]?.path).toMatch(/^M460 99C.* 700 58\.5$/);
    expect(loose).toBe(0);
  });

  test('an edge from or to what is not there is counted, not drawn', () => {
    const { edges, loose } = layoutFlow({ ...agent, edges: [edge, { ...edge, to: { groupId: 'gone' } }, { id: 'x' }] });
    expect([edges.length, loose]).toEqual([1, 2]);
  });

  test.each([
    ['none', undefined],
    ['far apart', { x: 1e5, y: 0 }],
    ['huge', { x: 1e300, y: -1e300 }],
    ['not numbers', { x: '1', y: null }],
  ])('columns take the place of coordinates that are %s', (_, graphCoordinates) => {
    const groups = [agent.groups[0], { ...agent.groups[1], graphCoordinates }];
    const { boxes, bounds, isTidy } = layoutFlow({ ...agent, groups });
    expect(isTidy).toBe(true);
    const [start, one, two] = boxes;
    expect(start?.x).toBeLessThan(one?.x ?? 0);
    expect(one?.x).toBeLessThan(two?.x ?? 0);
    expect(Number.isFinite(bounds.width + bounds.height)).toBe(true);
  });

  test('columns take the place of coordinates that are all far out', () => {
    const groups = ['a', 'b'].map((id, i) => ({ id, graphCoordinates: { x: i, y: -1e300 } }));
    expect(layoutFlow({ groups }).isTidy).toBe(true);
  });

  test('boxes in columns do not lie upon each other', () => {
    const { boxes } = layoutFlow({ groups: Array.from({ length: 9 }, (_, i) => ({ id: `g${i}`, blocks: [1, 2] })) });
    const sorted = boxes.toSorted((one, other) => one.y - other.y);
    const apart = sorted.slice(1).map(({ y }, i) => y - (sorted[i]?.y ?? 0) - (sorted[i]?.height ?? 0));
    expect(apart).toHaveLength(8);
    expect(Math.min(...apart)).toBeGreaterThan(0);
  });

  test('a circle of edges comes to an end', () => {
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
  ])('whatever an agent is, it can be laid out (%#)', (odd) => {
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

  test('a view that fits shows all of it, in the middle', () => {
    const view = fitInto({ x: -100, y: 50, width: 2000, height: 400 }, { width: 1064, height: 500 });
    expect(view.scale).toBe(0.5);
    expect(-100 * view.scale + view.x).toBe(32);
    expect((50 + 200) * view.scale + view.y).toBe(250);
  });

  test('zooming leaves the point under the pointer where it is', () => {
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

  test('what was out of the ordinary is remarked', () => {
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

  test('columns are the variables that most results have, in their order', () => {
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
