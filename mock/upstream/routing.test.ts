import { isRateLimited } from '../answer.ts';
import { choices } from '../choices/index.ts';
import type { Tokens } from '../call.ts';
import { profiles } from '../profiles/index.ts';
import type { UpstreamPlan } from './options.ts';
import { tokensFromAnswer, tokensWithUpstream } from './routing.ts';

const tokens: Tokens = new Map([['known', 'read']]);
const request = (authorization?: string) => ({
  method: 'GET',
  target: '/',
  headers: authorization === undefined ? {} : { authorization },
});

test.each([
  ['Bearer theirs', { currentUserMode: 'guest' }, { known: 'read', theirs: 'guest' }],
  ['Bearer theirs', { currentUserMode: 'read' }, { known: 'read', theirs: 'read' }],
  ['bearer  theirs', { currentUserMode: 'write' }, { known: 'read', theirs: 'write' }],
  ['Bearer known', { currentUserMode: 'write' }, { known: 'write' }],
  ['Bearer theirs', { currentUserMode: 'owner' }, { known: 'read' }],
  ['Bearer theirs', {}, { known: 'read' }],
  ['Bearer theirs', undefined, { known: 'read' }],
  ['Basic theirs', { currentUserMode: 'write' }, { known: 'read' }],
  ['Bearer two words', { currentUserMode: 'write' }, { known: 'read' }],
  [undefined, { currentUserMode: 'write' }, { known: 'read' }],
])('after a caller sends %j and gets %j, the tokens are %j', (authorization, said, expected) => {
  expect(Object.fromEntries(tokensFromAnswer(tokens, request(authorization), said))).toEqual(expected);
});

test.each([
  [undefined, 'Bearer theirs', { known: 'read', theirs: 'write' }],
  [undefined, 'Bearer known', { known: 'read' }],
  [undefined, 'Basic theirs', { known: 'read' }],
  [undefined, undefined, { known: 'read' }],
  ['of the mock', 'Bearer theirs', { known: 'read' }],
])('with the upstream token %j, after a caller sends %j, the tokens are %j', (token, authorization, expected) => {
  const plan = { token } as UpstreamPlan;
  expect(Object.fromEntries(tokensWithUpstream(plan, tokens, request(authorization)))).toEqual(expected);
});

test.each([
  ['none', 0, false],
  ['none', choices['rate-limit'].bursts, false],
  ['bursts', choices['rate-limit'].bursts - 1, false],
  ['bursts', choices['rate-limit'].bursts, true],
  ['bursts', choices['rate-limit'].bursts + 1, false],
  ['bursts', 2 * choices['rate-limit'].bursts, true],
] as const)('under the limit %j the request %d is refused: %p', (choice, requestNumber, isRefused) => {
  expect(isRateLimited({ profile: { ...profiles.default, 'rate-limit': choice }, requestNumber })).toBe(isRefused);
});
