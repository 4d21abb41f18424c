import { createAgentBody } from '../../fixtures/index.ts';
import { isObject, type JsonObject } from '../json.ts';
import { abridgedAgent } from './abridge.ts';
import { compareAgents, isLoss } from './content.ts';
import { createSeenPlaces, noteShown } from './places.ts';

const variation = { number: 0, draw: () => 0 };
const body = createAgentBody({ workspaceId: 'w', tag: 'test', detail: 'full', variation });
const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
const agent = asJson(body.agent ?? {});

/** A copy of the agent with a replaced value at this path of names. */
function withAt(root: JsonObject, path: readonly (string | number)[], value: unknown): JsonObject {
  const copy = asJson(root);
  let at: Record<string | number, unknown> = copy;
  for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>;
  at[path.at(-1) ?? ''] = value;
  return copy;
}

const compare = (sent: JsonObject, shown: JsonObject): ReturnType<typeof compareAgents> =>
  compareAgents(abridgedAgent(sent) ?? {}, abridgedAgent(shown) ?? {});

/** The places of leaves, with their values. */
function leaves(value: unknown, path: readonly (string | number)[] = []): [readonly (string | number)[], unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item, [...path, i]));
  if (isObject(value)) return Object.entries(value).flatMap(([name, item]) => leaves(item, [...path, name]));
  return [[path, value]];
}

/** What a server may set, remove or hide, and what names distinguish. */
const FREE =
  /^(publicId|selectedThemeTemplateId|version)|(^|\/)id$|password$|isBrandingEnabled|customHeadCode|messagingApp\/isEnabled|comparisons|columnsOrder/;

describe('compareAgents', () => {
  test('finds no difference if nothing changed, and compares hundreds of values', () => {
    const { differences, compared } = compare(agent, agent);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(150);
  });

  const altered = leaves(agent).filter(([path]) => !FREE.test(path.join('/')));
  test.each(altered.map(([path, value]) => [path.join('/'), path, value] as const))(
    'finds a changed value at %s',
    (_, path, value) => {
      const other =
        typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}?!changed`;
      // Servers copy pictures to other addresses, so another address is no loss.
      const isPicture = /icon$|imageUrl|favIconUrl|Avatar\/url/.test(path.join('/'));
      const changed = isPicture ? '?' : path.at(-1) === 'expiresAt' ? '2001-01-01T00:00:00Z' : other;
      const { differences } = compare(agent, withAt(agent, path, changed));
      expect(differences.filter(({ is }) => is === 'another').length).toBeGreaterThan(0);
    },
  );

  test.each<[string, (text: string) => string]>([
    ['trims', (text) => ` ${text} `],
    ['decomposes', (text) => text.normalize('NFD')],
    ['writes CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ])('accepts a server that %s, except in blocks', (_, change) => {
    const [sent = {}, shown = {}] = [(text: string) => text, change].map((written) => {
      const text = JSON.stringify(agent, (name, value: unknown) =>
        typeof value === 'string' && !/id$/i.test(name) ? written(`${value} Größe\n`) : value,
      );
      return JSON.parse(text) as JsonObject;
    });
    const names = compare(sent, shown).differences.map(({ at }) => at);
    expect(names.filter((at) => !/columns|outgoingEdge|blockId|blocks/.test(at))).toEqual([]);
    expect(names.filter((at) => at.includes('/blocks/')).length).toBeGreaterThan(10);
  });

  test('follows identifiers that were replaced consistently, and finds one that was not, or that a block lost', () => {
    expect(compare(agent, withAt(agent, ['groups', 0, 'blocks', 0, 'id'], null)).differences).toHaveLength(1);
    const text = JSON.stringify(agent);
    const id = String((agent['groups'] as JsonObject[])[1]?.['id']);
    expect(compare(agent, JSON.parse(text.replaceAll(id, 'anew')) as JsonObject).differences).toEqual([]);
    const half = compare(agent, JSON.parse(text.replace(id, 'anew')) as JsonObject).differences;
    expect(half.map(({ at }) => at)).toEqual(['/edges/1/to/groupId']);
  });

  test.each<[string, unknown, unknown]>([
    ['a number in 32 bits', 0.1, Math.fround(0.1)],
    ['a colour as rgb()', '#0043CE', 'rgb(0, 67, 206)'],
    ['a colour in three digits', '#FFFFFF', '#fff'],
  ])('treats %s as equal', (_, sent, shown) => {
    const path = ['theme', 'chat', 'buttons', typeof sent === 'number' ? 'opacity' : 'backgroundColor'];
    expect(compare(withAt(agent, path, sent), withAt(agent, path, shown)).differences).toEqual([]);
  });
});

const [group, edge] = [
  { id: 'a', title: 'T', blocks: [{ id: 'b', type: 'text' }] },
  { id: 'e', from: {}, to: {} },
];
const event = { id: 'e', type: 'start' };
test.each<[string, string, readonly object[], number]>([
  ['the same id', 'events', [event, event], 1],
  ['another id', 'groups', [group, { ...group, id: 'c' }], 1],
  ['another id', 'edges', [{ ...edge, id: 'f' }, edge], 1],
  ['other content', 'groups', [group, { ...group, id: 'c', blocks: [] }], 0],
  ['another id', 'events', [event, { ...event, id: 'f' }], 0],
])('an item with %s beside one of the %s', (_, part, shown, differences) => {
  const { [part]: one } = { events: event, groups: group, edges: edge } as Record<string, object>;
  expect(compare({ [part]: [one] }, { [part]: shown }).differences).toHaveLength(differences);
});

test.each<[JsonObject, JsonObject, string]>([
  [{ name: 'x'.repeat(60) }, { name: 'A' }, `"${'x'.repeat(60)}"`],
  [{ name: 'x'.repeat(61) }, { name: 'A' }, `"${'x'.repeat(40)}" and so on, 61 characters`],
  [{ groups: [{ title: 'T', name: 'N' }] }, { groups: [] }, 'an object whose title is "T"'],
  [{ groups: [{ title: 5, name: 'N', type: 'text' }] }, { groups: [] }, 'an object whose name is "N"'],
  [{ groups: [{ type: 'text' }] }, { groups: [] }, 'an object whose type is "text"'],
  [{ groups: [{ other: 'text' }] }, { groups: [] }, 'an object'],
])('of %j in place of %j, says in a few words what was expected', (sent, shown, words) => {
  expect(compare(sent, shown).differences.map(({ expected }) => expected)).toEqual([words]);
});

test.each<[readonly string[], readonly string[], Readonly<Record<string, string>>]>([
  [['a', 'b', 'c'], ['c', 'x', 'a'], { '/tags/1': '"b"' }],
  [['a', 'b'], [], { '/tags/0': '"a"', '/tags/1': '"b"' }],
  [['A', 'b'], ['b', 'a'], {}],
])('of the tags %j in place of %j, says what is missing: %j', (sent, shown, gone) => {
  const expected = Object.entries(gone).map(([place, tag]) => ({ is: 'another', place, at: '/tags', expected: tag }));
  expect(compare({ tags: sent }, { tags: shown })).toMatchObject({
    differences: expected,
    isRewritten: sent.includes('A'),
  });
});

test.each<[readonly string[], readonly string[], readonly string[]]>([
  [['https://a.example'], ['https://a.example/', 'https://b.example', 'http://c.example'], []],
  [['https://a.example'], ['https://a.example', '*'], ['/1']],
  [['https://a.example'], ['null'], ['', '/0']],
  [['https://a.example:444'], ['https://a.example:444', 'http://a.example:444/'], ['/1']],
  [['http://a.example', 'https://a.example'], ['http://a.example', 'https://a.example'], []],
  [['*'], ['*', 'http://*'], []],
  [[], ['*'], []],
])('of the origins %j, %j lets in more at %j', (sent, shown, opened) => {
  const of = (allowedOrigins: readonly string[]) => ({ settings: { security: { allowedOrigins } } });
  expect(compare(of(sent), of(shown)).differences.map(({ at }) => at.replace(/.*Origins/, ''))).toEqual(opened);
});

describe('an omission', () => {
  const sent: JsonObject = { name: 'A', theme: { chat: { buttons: { blur: 0, color: '#123456' } } } };
  const lacking: JsonObject = { name: 'A', theme: { chat: { buttons: {} } } };
  const [blur, colour] = compare(sent, lacking).differences;
  const shownBy = (other: JsonObject) => {
    const shown = createSeenPlaces();
    noteShown(other, shown);
    return [blur, colour].map((one) => one !== undefined && isLoss(one, shown));
  };

  test('is a loss only if the server shows such a value elsewhere', () => {
    expect(shownBy({ name: 'B' })).toEqual([false, false]);
    expect(shownBy({ theme: { chat: { buttons: { color: '#000000' } } } })).toEqual([false, true]);
  });

  test('of an empty value is a loss only if the server shows empty values in the same part', () => {
    const chat = { buttons: { blur: 4, color: '#000000' } };
    expect(shownBy({ theme: { chat }, settings: { typingEmulation: { speed: 0 } } })).toEqual([false, true]);
    expect(shownBy({ theme: { chat: { ...chat, container: { blur: 0 } } } })).toEqual([true, true]);
    expect(shownBy({ theme: { chat, general: { progressBar: { isEnabled: false } } } })).toEqual([true, true]);
    expect(shownBy({ theme: { chat, customCss: '' } })).toEqual([false, true]);
  });

  test('is not the same as null', () => {
    const shown = { ...sent, theme: { chat: { buttons: { blur: null, color: '#123456' } } } };
    const [difference] = compare(sent, shown).differences;
    expect([difference?.is, difference?.empty, difference?.actual]).toEqual(['absent', undefined, 'null']);
  });

  test('of an undocumented field does not count', () => {
    expect(compare({ edges: [{ ...edge, from: { eventId: 'x' } }] }, { edges: [edge] }).differences).toEqual([]);
  });
});

test('an agent that is too large is not compared, and a deep one does no harm', () => {
  expect(abridgedAgent({ name: 'A', tags: Array.from({ length: 7000 }, String) })).toBeUndefined();
  let deep: unknown = 1;
  for (let i = 0; i < 5000; i++) deep = { deep };
  expect(abridgedAgent({ name: 'A', theme: deep })).toMatchObject({ name: 'A' });
});
