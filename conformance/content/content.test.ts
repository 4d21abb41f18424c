import { compareAgents } from './content.ts';
import { type JsonObject } from '../json.ts';

const sent: JsonObject = {
  name: 'A',
  groups: [
    { title: 'One', blocks: [{}, {}] },
    { title: 'Two', blocks: [] },
  ],
  events: [{ type: 'start' }],
  edges: [{}, {}],
  variables: [{ name: 'x' }, { name: 'y' }],
  theme: { chat: { buttons: { backgroundColor: '#ABCDEF' } } },
  settings: { metadata: { title: 'T' } },
  tags: ['b', 'a'],
};
const places = (shown: JsonObject, elsewhere?: JsonObject | 'unknown'): readonly string[] =>
  compareAgents(sent, shown, elsewhere).findings.map(({ at }) => at ?? '');

describe('compareAgents', () => {
  test('is content with what any server may do', () => {
    const shown: JsonObject = {
      ...sent,
      id: 'new',
      groups: [
        { id: 'g1', title: 'One', blocks: [{ id: 1 }, {}] },
        { id: 'g2', title: 'Two' },
      ],
      variables: [{ name: 'y' }, { name: 'added' }, { name: 'x', value: 'kept' }],
      theme: { chat: { buttons: { backgroundColor: '#abcdef', blur: 1 } }, general: {} },
      tags: ['a', 'b'],
    };
    expect(compareAgents(sent, shown)).toMatchObject({ findings: [], unclear: [] });
  });

  test.each<[string, JsonObject, string]>([
    ['another name', { name: 'B' }, '/agent/name'],
    ['no groups', { groups: [] }, '/agent/groups'],
    [
      'groups in another order',
      {
        groups: [
          { title: 'Two', blocks: [] },
          { title: 'One', blocks: [{}, {}] },
        ],
      },
      '/agent/groups',
    ],
    ['fewer blocks', { groups: [{ title: 'One', blocks: [{}] }, { title: 'Two' }] }, '/agent/groups'],
    ['another event', { events: [{ type: 'end' }] }, '/agent/events'],
    ['fewer edges', { edges: [{}] }, '/agent/edges'],
    ['fewer variables', { variables: [{ name: 'x' }] }, '/agent/variables'],
    [
      'another colour',
      { theme: { chat: { buttons: { backgroundColor: '#000000' } } } },
      '/agent/theme/chat/buttons/backgroundColor',
    ],
    ['no theme', { theme: {} }, '/agent/theme/chat/buttons/backgroundColor'],
    ['no tags', { tags: [] }, '/agent/tags'],
  ])('finds %s', (_, change, at) => {
    expect(places({ ...sent, ...change }, {})).toEqual([at]);
  });

  test('looks elsewhere for what is not shown, and nowhere if there is no such place', () => {
    const { name: _, ...shown } = sent;
    expect(places(shown, {})).toEqual(['/agent/name']);
    expect(places(shown, sent)).toEqual([]);
    expect(places(shown, { ...sent, name: 'B' })).toEqual(['/agent/name']);
    expect(places(shown)).toEqual([]);
    expect(compareAgents(sent, shown, 'unknown')).toMatchObject({ findings: [], unclear: ['the name is not shown'] });
  });

  test.each<[JsonObject]>([
    [{ name: 7 }],
    [{ groups: 'g' }],
    [{ groups: [7] }],
    [{ variables: [{ name: 1 }] }],
    [{ tags: [1] }],
    [{ edges: {} }],
  ])('leaves wrong types to the shape check: %j', (change) => {
    const { findings, unclear } = compareAgents(sent, { ...sent, ...change }, {});
    expect([findings.length, unclear.length]).toEqual([0, 1]);
  });

  test('asks only for what was sent', () => {
    expect(compareAgents({ name: 'A', groups: [] }, { name: 'A' }, {})).toMatchObject({ findings: [], compared: 1 });
  });
});
