import { isRateLimited, RATE } from '../answer.ts';
import type { Tokens } from '../call.ts';
import type { JsonObject } from '../../text/json.ts';
import { profiles } from '../profiles/index.ts';
import type { UpstreamPlan } from './options.ts';
import { tokensFromAnswer, tokensWithUpstream } from './routing.ts';
import rows from '../testing/upstream.json';

const tokens: Tokens = new Map([['known', 'read']]);
const request = (token: string | null) => {
  return { method: 'GET', target: '/', headers: { authorization: token ?? undefined } };
};

const answered = rows.tokensFromAnswers as [string | null, JsonObject | null, object][];
test.each(answered)('a caller sends %j and gets %j: the tokens are %j', (authorization, said, expected) => {
  expect(Object.fromEntries(tokensFromAnswer(tokens, request(authorization), said ?? undefined))).toEqual(expected);
});

const callers = rows.tokensOfCallers as [string | null, string | null, object][];
test.each(callers)('with the upstream token %j, a caller sends %j: the tokens are %j', (token, own, expected) => {
  const plan = { token: token ?? undefined } as UpstreamPlan;
  expect(Object.fromEntries(tokensWithUpstream(plan, tokens, request(own)))).toEqual(expected);
});

test.each(['none', 'bursts'] as const)('the last request of each burst is refused under the limit %j', (choice) => {
  const most = RATE;
  const profile = { ...profiles.default, 'rate-limit': choice };
  const refused = [0, most - 1, most, most + 1, 2 * most].filter((n) => isRateLimited({ profile, requestNumber: n }));
  expect(refused.filter((n) => n > 0)).toEqual(choice === 'none' ? [] : [most, 2 * most]);
});
