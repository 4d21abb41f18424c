import type { JsonObject } from '../json.ts';
import { createSeenPlaces, emptyOf, kindOfPlace, noteShown } from './places.ts';

const block = { id: 'b', type: 'text', content: { text: 'hello' } };

test('records the kinds of places that an agent shows, with all items alike', () => {
  const shown = createSeenPlaces();
  noteShown(
    {
      name: 'A',
      icon: null,
      tags: ['a', 'b'],
      groups: [{ title: 'G', blocks: [block, { type: 'image' }] }],
      resultsTablePreferences: { columnsOrder: ['x'], columnsVisibility: { x: true, y: true } },
      settings: { general: { isBrandingEnabled: false } },
    },
    shown,
  );
  expect([...shown.kinds].toSorted()).toEqual(
    [
      'name',
      'tags',
      'tags/*',
      'groups',
      'groups/*',
      'groups/*/title',
      'groups/*/blocks',
      'groups/*/blocks/*',
      'groups/*/blocks/*:text/id',
      'groups/*/blocks/*:text/type',
      'groups/*/blocks/*:text/content',
      'groups/*/blocks/*:text/content/text',
      'groups/*/blocks/*:image/type',
      'resultsTablePreferences',
      'resultsTablePreferences/columnsOrder',
      'resultsTablePreferences/columnsOrder/*',
      'resultsTablePreferences/columnsVisibility',
      'resultsTablePreferences/columnsVisibility/*',
      'settings',
      'settings/general',
      'settings/general/isBrandingEnabled',
    ].toSorted(),
  );
  expect([...shown.empties]).toEqual(['false']);
});

test.each<[readonly (string | number)[], JsonObject | undefined, string]>([
  [['name'], undefined, 'name'],
  [['tags', 3], undefined, 'tags/*'],
  [['groups', 0, 'blocks', 2, 'content', 'text'], block, 'groups/*/blocks/*:text/content/text'],
  [['groups', 0, 'blocks', 2, 'content'], undefined, 'groups/*/blocks/*/content'],
  [['groups', 0, 'blocks', 2], block, 'groups/*/blocks/*'],
  [['groups', 0, 'title'], block, 'groups/*/title'],
  [['resultsTablePreferences', 'columnsWidth', 'x'], undefined, 'resultsTablePreferences/columnsWidth/*'],
])('the kind of the place %j', (place, of, kind) => {
  expect(kindOfPlace(place, of)).toBe(kind);
});

test.each<[unknown, string | undefined]>([
  [false, 'false'],
  [0, '0'],
  ['', '""'],
  [[], '[]'],
  [true, undefined],
  [1, undefined],
  ['0', undefined],
  [[0], undefined],
  [{}, undefined],
  [null, undefined],
])('whether %j is empty', (value, empty) => {
  expect(emptyOf(value)).toBe(empty);
});
