import type { JsonObject } from '../json.ts';
import { createSeenPlaces, kindOfPlace, noteShown } from './places.ts';

const text = { id: 'b', type: 'text', content: { text: 'hello' } };

test('records the kinds of places that an agent shows, with all items alike', () => {
  const shown = createSeenPlaces();
  noteShown(
    {
      name: 'A',
      icon: null,
      tags: ['a', 'b'],
      groups: [{ title: 'G', blocks: [text, { type: 'image' }] }],
      resultsTablePreferences: { columnsOrder: ['x'], columnsVisibility: { x: true, y: true } },
      settings: { general: { isBrandingEnabled: false } },
    },
    shown,
  );
  const names = [
    'name tags tags/* groups groups/* groups/*/title groups/*/blocks groups/*/blocks/*',
    'groups/*/blocks/*:text/id groups/*/blocks/*:text/type groups/*/blocks/*:text/content groups/*/blocks/*:image/type',
    'groups/*/blocks/*:text/content/text resultsTablePreferences resultsTablePreferences/columnsOrder',
    ...['Order/*', 'Visibility', 'Visibility/*'].map((one) => `resultsTablePreferences/columns${one}`),
    'settings settings/general settings/general/isBrandingEnabled',
  ].flatMap((some) => some.split(' '));
  expect([...shown.kinds].toSorted()).toEqual(names.toSorted());
  expect([...shown.empties]).toEqual([['settings', new Set(['false'])]]);
});

test.each<[readonly (string | number)[], JsonObject | undefined, string]>([
  [['name'], undefined, 'name'],
  [['tags', 3], undefined, 'tags/*'],
  [['groups', 0, 'blocks', 2, 'content', 'text'], text, 'groups/*/blocks/*:text/content/text'],
  [['groups', 0, 'blocks', 2], text, 'groups/*/blocks/*'],
  [['resultsTablePreferences', 'columnsWidth', 'x'], undefined, 'resultsTablePreferences/columnsWidth/*'],
])('the kind of the place %j', (place, of, kind) => {
  expect(kindOfPlace(place, of)).toBe(kind);
});
