import { endpointIds } from '../../spec/index.ts';
import { personaNames } from '../../fixtures/index.ts';
import { createMock } from '../mock.ts';
import type { StandingAnswer } from '../on-demand/standing.ts';
import { testNow } from '../testing/test-client.ts';
import rows from '../testing/pages.json';

/* The modules of the pages that use no DOM. They are plain JavaScript, so this test knows no types of them. */

// oxlint-disable-next-line typescript/no-explicit-any -- plain JavaScript
type PlainModule = Readonly<Record<string, any>>;

const { layoutFlow } = require('./assets/ui/flow/layout.js') as PlainModule;
const { endpoints } = require('./assets/ui/generated/endpoints.js') as PlainModule;
const { isWanted, remarksOf, toHar, UNMATCHED } = require('./assets/ui/journal/entries.js') as PlainModule;
const { columnsOf } = require('./assets/ui/data/result-columns.js') as PlainModule;
const { choicesFor, choiceOf, EVERY, OTHER } = require('./assets/ui/settings/state-choices.js') as PlainModule;
const { readJson, placeOf, nearestOffset } = require('./assets/ui/json-places.js') as PlainModule;
const { short, inline, durationText, bytes } = require('./assets/ui/format.js') as PlainModule;

describe('the flow of an agent', () => {
  const agent = { ...rows.agent, edges: [{ id: 'first', to: { groupId: 'one' } }, rows.edge] };

  test('is drawn at its coordinates, with blocks and items as rows, and edges from them to groups', () => {
    const { boxes, edges, loose, isTidy } = layoutFlow(agent);
    const places = boxes.map(({ title, x, y }: PlainModule) => `${title} ${x} ${y}`);
    expect(places).toEqual(['start 0 0', 'One 200 0', 'Two 700 40.5']);
    expect(boxes[1].rows.map(({ text }: PlainModule) => text)).toEqual(['Good day', '', 'Yes']);
    const ends = edges.map(({ from, to }: PlainModule) => `${from.title} to ${to.title}`);
    expect(ends).toEqual(['start to One', 'One to Two']);
    expect(edges[1]?.path).toMatch(/^M460 99C.* 700 58\.5$/);
    expect([isTidy, loose]).toEqual([false, 0]);
  });

  test('an edge with an unknown end is counted, not drawn', () => {
    const gone = { ...rows.edge, to: { groupId: 'gone' } };
    const { edges, loose } = layoutFlow({ ...agent, edges: [rows.edge, gone, { id: 'x' }] });
    expect([edges.length, loose]).toEqual([1, 2]);
  });

  const untidy = [...rows.untidy, ['none', undefined]] as [string, unknown][];
  test.each(untidy)('columns replace coordinates that are %s', (_, graphCoordinates) => {
    const groups = [agent.groups[0], { ...agent.groups[1], graphCoordinates }];
    const { boxes, bounds, isTidy } = layoutFlow({ ...agent, groups });
    expect(isTidy).toBe(true);
    const [start, one, two] = boxes.map(({ x }: PlainModule) => x);
    expect(start < one && one < two).toBe(true);
    expect(Number.isFinite(bounds.width + bounds.height)).toBe(true);
  });

  test('columns replace coordinates that are all far out, and boxes in them do not overlap', () => {
    const groups = ['a', 'b'].map((id, i) => ({ id, graphCoordinates: { x: i, y: -1e300 } }));
    expect(layoutFlow({ groups }).isTidy).toBe(true);
    const { boxes } = layoutFlow({ groups: Array.from({ length: 9 }, (_, i) => ({ id: `g${i}`, blocks: [1, 2] })) });
    const sorted = boxes.toSorted((one: PlainModule, other: PlainModule) => one['y'] - other['y']);
    for (let i = 1; i < 9; i++) expect(sorted[i].y).toBeGreaterThan(sorted[i - 1].y + sorted[i - 1].height);
  });

  test('the layout of circular edges ends', () => {
    const groups = ['a', 'b'].map((id) => ({ id, blocks: [{ id: `${id}-block` }] }));
    const edges = ['ab', 'ba'].map(([a, b]) => ({ from: { blockId: `${a}-block` }, to: { groupId: b } }));
    expect(layoutFlow({ groups, edges }, true).edges).toHaveLength(2);
  });

  test.each([undefined, ...rows.odd])('any agent gets a layout (%#)', (odd) => {
    const { edges, bounds } = layoutFlow(odd);
    expect(edges).toEqual([]);
    expect(Number.isFinite(bounds.width)).toBe(true);
  });

  test.each(personaNames)('every edge of the first agents of %s is drawn', (persona) => {
    const { store } = createMock({ persona, now: testNow, frozen: true });
    for (let i = 0; i < Math.min(12, store.universe.agentCount); i++) {
      const stored = store.agent(store.agentId(i))?.agent;
      const { boxes, loose, bounds } = layoutFlow(stored);
      const groups = Array.isArray(stored?.['groups']) ? stored['groups'] : [];
      expect(boxes.filter(({ kind }: PlainModule) => kind === 'group')).toHaveLength(groups.length);
      if (persona !== 'extremes') expect(loose).toBe(0);
      expect(Number.isFinite(bounds.width + bounds.height)).toBe(true);
    }
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

  const ofNone: [object, boolean[]] = [{ endpoint: UNMATCHED }, [false, false, true]];
  test.each([...(rows.searches as [object, boolean[]][]), ofNone])('%j finds %j', (wanted, expected) => {
    expect([found, refused, stray].map((entry) => isWanted(entry, wanted))).toEqual(expected);
  });

  test('unusual entries get remarks', () => {
    const textsOf = (entry: unknown) => remarksOf(entry).map((remark: PlainModule) => remark['text']);
    expect(remarksOf(found)).toEqual([]);
    expect(textsOf(stray)).toEqual(['no endpoint']);
    mock.plans.add({ on: 'get-agent', steps: [{ delay: 1500 }] });
    const planned = send(`/api/v1/agents/${agentId}`, { prefer: 'fault=EMPTY_RESPONSE' });
    expect(textsOf(planned)).toEqual(['empty response', '+1.5 s', 'plan-1', 'preferred']);
  });
});

test('the columns of results are the variables that most of them have, in order', () => {
  const rare = Array.from({ length: 6 }, (_, i) => ({ name: `rare ${i}`, value: '' }));
  const one = { variables: [{ name: 'Name', value: 'Molly' }] };
  const two = { variables: [{ name: 'Name', value: 'Bria' }, { name: 'Bill', value: 80 }, null] };
  expect(columnsOf([one, two])).toEqual(['Name', 'Bill']);
  expect(columnsOf([{ variables: rare }, one, two])).toEqual([...rare.slice(0, 5).map(({ name }) => name), 'Name']);
});

describe('a JSON text', () => {
  const text = '{\n  "a/b": [1, {"c": "x\\u0041"}],\n  "d": -1.5e3\n}\n';

  test('is read with the place of each value', () => {
    const { value, offsets } = readJson(text);
    expect(value).toEqual(JSON.parse(text));
    const lines = [...offsets].map(([pointer, offset]: [string, number]) => `${placeOf(text, offset).line} ${pointer}`);
    expect(lines).toEqual(['1 ', '2 /a~1b', '2 /a~1b/0', '2 /a~1b/1', '2 /a~1b/1/c', '3 /d']);
    expect(placeOf(text, nearestOffset(offsets, '/d/missing'))).toEqual({ line: 3, column: 8 });
  });

  test.each(rows.jsonErrors as [string, string][])('%j is refused with the place', (wrong, message) => {
    expect(() => JSON.parse(wrong) as unknown).toThrow(SyntaxError);
    expect(() => readJson(wrong) as unknown).toThrow(message);
  });
});

test('texts are cut between characters, and durations and sizes have units', () => {
  expect([short('🌞🌞🌞', 2), short('abc', 3), inline({ a: [1] })]).toEqual(['🌞…', 'abc', '{"a":[1]}']);
  expect([0.42, 9.96, 150.4, 1500].map(durationText)).toEqual(['0.4 ms', '10 ms', '150 ms', '1.5 s']);
  expect([0, 999, 61_440, 1_250_000].map(bytes)).toEqual(['0 B', '999 B', '61.4 kB', '1.3 MB']);
});

test('the states of an endpoint can be set and are recognised, and one that lists can be empty', () => {
  const lists: string[] = [];
  for (const endpoint of [...endpointIds, EVERY] as const)
    for (const { id, answer } of choicesFor(endpoint)) {
      const { standing } = createMock();
      if (answer) standing.set(endpoint as StandingAnswer['on'], answer);
      expect(choiceOf(standing.list()[0]?.answer)).toBe(id);
      if (id === 'empty') lists.push(endpoint);
    }
  expect(choiceOf({ code: 418 })).toBe(OTHER);
  expect(lists).toEqual(['list-results']);
});

test('requests are written as an HTTP archive, oldest first, without the token', () => {
  const mock = createMock({ now: testNow, frozen: true });
  const send = (method: string, target: string, prefer: string, body?: object): void => {
    const headers = { authorization: `Bearer ${mock.target.token}`, 'content-type': 'application/json', prefer };
    mock.handle({ method, target, headers, body: new TextEncoder().encode(JSON.stringify(body)) });
  };
  send('GET', '/api/v1/agents/nobody?x=1', '');
  send('POST', '/api/v1/workspaces', 'delay=20', { name: 'é' });
  send('GET', '/api/v1/agents/nobody', 'fault=EMPTY_RESPONSE');
  const entries = mock.journal.entries().toSorted((one, other) => other.id - one.id);
  const har = toHar(entries, 'http://mock');
  const answered = new TextEncoder().encode(JSON.stringify(entries[1]?.response.body)).length;
  expect(har.log.entries).toMatchObject(rows.archived);
  const [first, second] = har.log.entries;
  expect(first.startedDateTime).toBe(new Date(testNow).toISOString());
  expect(first.response.content.mimeType).toContain('problem+json');
  expect(second.timings.wait).toEqual(expect.any(Number));
  expect(second.response).toMatchObject({ bodySize: answered, content: { size: answered } });
  expect(second.time).toBeGreaterThanOrEqual(20);
  expect(JSON.stringify(har)).not.toContain(mock.target.token);
});
