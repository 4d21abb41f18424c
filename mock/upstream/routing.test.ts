import { isRateLimited } from '../answer.ts';
import { choices } from '../choices/index.ts';
import type { Tokens } from '../call.ts';
import { profiles } from '../profiles/index.ts';
import type { UpstreamPlan } from './options.ts';
import { tokensFromAnswer, tokensWithUpstream } from './routing.ts';

const tokens: Tokens = new Map([['known', 'read']]);
const request = (authorization?: string) => ({ method: 'GET', target: '/', headers: { authorization } });

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

test.each(['none', 'bursts'] as const)('the last request of each burst is refused under the limit %j', (choice) => {
  const most = choices['rate-limit'].bursts;
  const profile = { ...profiles.default, 'rate-limit': choice };
  const refused = [0, most - 1, most, most + 1, 2 * most].filter((n) => isRateLimited({ profile, requestNumber: n }));
  expect(refused.filter((n) => n > 0)).toEqual(choice === 'none' ? [] : [most, 2 * most]);
});
