import { importAgentBody } from '../../fixtures/index.ts';
import { validate } from '../../spec/index.ts';
import { arrayAt, field, stringAt, type JsonObject } from '../json.ts';
import { smallerBody } from './smaller.ts';

const variation = { number: 1, draw: () => 0 };
const usual = importAgentBody({ workspaceId: 'w', tag: 't', detail: 'full', variation });
const body: JsonObject = { ...usual, agent: { ...usual.agent, description: `said "yes" 🦊 O'Brien, {{x}}` } };
const many = importAgentBody({ workspaceId: 'w', tag: 't', detail: 'full', variation: { number: 2, draw: () => 0 } });

/** The agent in the smallest body, and how many bodies were tried. */
async function smallest(
  shows: (agent: unknown) => boolean,
  of: object = body,
  more: { most?: number; place?: string } = {},
) {
  const tried: JsonObject[] = [];
  await smallerBody(of as JsonObject, {
    most: 40,
    shows(one) {
      tried.push(one);
      return Promise.resolve(shows(one['agent']));
    },
    ...more,
  });
  const found = tried.findLast((one) => shows(one['agent'])) ?? of;
  return { agent: field(found, 'agent'), found, tried };
}

const none = { events: [], groups: [], edges: [], variables: [], theme: {}, settings: {} };
const kept = { version: '6', name: 'agent-contract check t imported', ...none };

test('a value that shows it is what is left, and of a text the part that shows it', async () => {
  const { agent, tried } = await smallest((one) => String(field(one, 'description')).includes("O'Brien"));
  expect(agent).toEqual({ ...kept, description: expect.stringMatching(/^.{0,3}O'Brien.{0,3}$/) });
  expect(tried.length).toBeLessThanOrEqual(40);
});

test('the likely place is tried first, and what has a format stays whole', async () => {
  const contentIn = (one: unknown): unknown => field(one, 'theme', 'general', 'background', 'content');
  const shows = (one: unknown): boolean => contentIn(one) !== undefined;
  const { agent, tried } = await smallest(shows, many, { place: '/theme/general/background/content' });
  expect(agent).toEqual({ ...kept, theme: { general: { background: { content: contentIn(many.agent) } } } });
  expect(tried).toHaveLength(1);
});

test('what needs two values keeps both, and what needs many keeps as many', async () => {
  const shows = (one: unknown): boolean => stringAt(one, 'icon') !== undefined && field(one, 'sharing') !== undefined;
  const { agent } = await smallest(shows);
  expect(Object.keys(Object(agent) as object).length).toBeLessThan(Object.keys(kept).length + 4);
  expect(shows(agent)).toBe(true);
  const { agent: large } = await smallest((one) => arrayAt(one, 'groups').length > 100, many);
  expect(arrayAt(large, 'groups').length).toBeGreaterThan(100);
  expect(large).toMatchObject({ theme: {}, settings: {} });
});

test('every body is valid, has new identifiers, and no link that leads nowhere', async () => {
  const { tried } = await smallest((one) => arrayAt(one, 'edges').length > 0, many);
  const ids = tried.map((one) => [...JSON.stringify(one).matchAll(/"id":"(\w+)"/g)].map(([, id]) => id));
  expect(new Set(ids.flat()).size).toBe(ids.flat().length);
  for (const one of tried) {
    expect(validate('import-agent-request', one)).toEqual([]);
    const text = JSON.stringify(one);
    for (const [, id] of text.matchAll(/"(?:groupId|blockId|outgoingEdgeId)":"(\w+)"/g))
      expect(text).toContain(`"id":"${id}"`);
  }
});

test('if nothing smaller shows it, the body itself is the smallest, after a bounded number of attempts', async () => {
  const { found, tried } = await smallest(() => false, body, { most: 9 });
  expect(found).toBe(body);
  expect(tried).toHaveLength(9);
});

test('a name keeps the words that tell it from others, and may be what shows it; so may that of a workspace', async () => {
  const shows = (one: unknown): boolean => String(field(one, 'name')).includes('{{x}}');
  expect((await smallest(shows)).agent).toMatchObject({ name: '{{x}}', groups: [], theme: {} });
  const workspace = { name: 'agent-contract check t workspace {{x}} and more', icon: '🧪', slug: 'agent-contract-t' };
  const only = await smallerBody(workspace, { most: 40, shows: (one) => Promise.resolve(shows(one)) });
  expect(only).toMatchObject({ pointer: '/name', value: '{{x}}' });
  expect(only?.instead('plain')).toEqual({ name: 'plain' });
});
