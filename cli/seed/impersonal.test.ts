import type { JsonObject } from '../../text/json.ts';
import { impersonal } from './impersonal.ts';

const changed = (agent: JsonObject): JsonObject => impersonal({ agents: [agent] }, 1).agents?.[0] ?? {};

test.each(
  'id Id blockId groupIds Ids version type timeZone createdAt plan font color Color backgroundColor kind model continent'.split(
    ' ',
  ),
)('the text of %s is kept', (name) => {
  expect(changed({ [name]: 'Some Words' })).toEqual({ [name]: 'Some Words' });
});

test.each('ident identity grid myversion versions colors discolor_ kinds name title brandingText anything'.split(' '))(
  'the text of %s is replaced',
  (name) => {
    const { [name]: text } = changed({ [name]: 'Some Words' });
    expect(text).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    expect(text).not.toBe('Some Words');
  },
);

test.each([
  ['one', /^[a-z]+$/],
  ['One', /^[A-Z][a-z]+$/],
  ['ONE', /^[A-Z]{2,}$/],
  ['I', /^[A-Z][a-z]+$/],
  ['é', /^[a-z]+$/],
  ['007', /^\d{3}$/],
  ['Ann, 42', /^[A-Z][a-z]+, \d\d$/],
  ['ann@home.example', /^[a-z]+\.\d+@example\.com$/],
  ['https://ann.example/home', /^https:\/\/[a-z]+-\d+\.example\.com\/$/],
  ['SMS+x.y-1://ann', /^https:\/\/[a-z]+-\d+\.example\.com\/$/],
  ['See https://ann.example', /^[A-Z][a-z]+ [a-z]+:/],
])('as a name, %j is replaced by something similar', (text, like) => {
  expect(changed({ name: text })['name']).toMatch(like);
});

test.each([
  ['unknown', 'word', true],
  ['unknown', 'two words', false],
  ['unknown', 'a@b', false],
  ['unknown', '', true],
  ['name', '', true],
  ['unknown', 'https://somebody.example/path', false],
  ['id', 'https://somebody.example/path', true],
])('the member %s of %j is kept: %s', (name, text, stays) => {
  expect(changed({ [name]: text })[name] === text).toBe(stays);
});

test('other values than texts are kept everywhere, and a list is changed like its member', () => {
  const value = { agents: [1, null, true, { size: 2 }], tags: ['one', 'one'] };
  const { tags, ...rest } = changed(value);
  expect(rest).toEqual({ agents: value.agents });
  expect(tags).toEqual([expect.stringMatching(/^[a-z]+$/), (tags as string[])[0]]);
  expect(tags).not.toEqual(value.tags);
});
