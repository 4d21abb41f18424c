import type { Check } from '../../check.ts';
import { createJudgement } from '../../history/judgement.ts';
import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createAgentChecks } from '../create-agent.ts';
import { getAgentChecks } from '../get-agent.ts';
import { getPublishedAgentChecks } from '../get-published-agent.ts';
import { importAgentChecks } from '../import-agent.ts';
import { foreignTraffic } from '../../history/policy.ts';
import { judgeReadingBetween } from './between-answers.ts';

type Told = Omit<SampleExchange, 'n' | 'at'> & { readonly method?: string };

const checks = [...createAgentChecks, ...importAgentChecks, ...getAgentChecks, ...getPublishedAgentChecks].filter(
  ({ id }) => /can-be-read$|accepts-valid-request$/.test(id),
);

/** The findings in traffic that others caused, with answers five seconds apart, and how much was judged. */
function said(
  told: readonly Told[],
  of: readonly Check[] = checks,
): { readonly failed: readonly string[]; readonly judged: readonly string[] } {
  const judgement = createJudgement(of, { target: {}, strictNull: false, policy: foreignTraffic });
  for (const [i, { method, ...one }] of told.entries()) {
    const exchange = sampleExchange({ caller: 'unknown', ...one, n: 2 * i + 2, at: 1_000_000 + 5000 * i });
    judgement.see({ ...exchange, method: method ?? exchange.method });
  }
  const all = judgement.conclude().map((judged) => {
    if ('error' in judged) throw judged.error;
    return { id: judged.check.id, ...judged.verdict };
  });
  return {
    failed: all.flatMap(({ id, findings }) =>
      findings.map(({ actual, exchanges }) => {
        const shown = exchanges.map(({ request: { url } }) => Number(url.split('/').at(-1)) / 2);
        return [id, actual.replace(/^.*(?=\b\d{3}$)/, ''), shown.join(' ')].join('; ');
      }),
    ),
    judged: all.flatMap(({ id, judged }) => (judged > 0 ? [`${id} ${judged}`] : [])),
  };
}

const got: Told = { endpoint: 'get-agent', json: { agent: { id: 'a' }, currentUserMode: 'write' } };
const published: Told = { endpoint: 'get-published-agent', json: { publicAgent: { id: 'p' } } };
const made: Told = { endpoint: 'create-agent', json: { agent: { id: 'a' } } };
const imported: Told = {
  endpoint: 'import-agent',

  json: { agent: { id: 'a' } },
};
const listed = (results: readonly object[], more: Partial<Told> = {}): Told => ({
  json: { results, nextCursor: null },
  ...more,
});
const refusedAs = (of: Told, status: number): Told => ({ endpoint: of.endpoint ?? 'list-results', status, json: {} });
const isPublished = (is: unknown): Told => ({ ...got, json: { agent: { id: 'a', isPublished: is } } });
const row = { id: 'r' };

const GET = 'get-agent-accepts-valid-request';
const PUBLISHED = 'get-published-agent-accepts-valid-request';
const CREATED = 'created-agent-can-be-read';
const IMPORTED = 'imported-agent-can-be-read';

test('an agent that Get agent shows is there for another endpoint that reads it', () => {
  const lists: Check = {
    id: 'lists',
    title: 'Lists are accepted',
    endpoint: 'list-results',
    verifies: ['list-results-works'],
    provenBy: ['list-results-refused'],
    judge: (facts) => judgeReadingBetween(facts, 'list-results'),
  };
  expect(said([got, refusedAs(listed([]), 404), got], [lists]).failed).toEqual(['lists; 404; 1 3 2']);
  expect(said([got, refusedAs(listed([]), 404)], [lists]).failed).toEqual([]);
  expect(said([published, refusedAs(listed([]), 404), published], [lists]).failed).toEqual([]);
});

describe('an agent that is refused between two answers', () => {
  test.each<[string, readonly Told[], readonly string[]]>([
    ...[400, 404, 405, 410, 422, 501].map((status): [string, readonly Told[], readonly string[]] => [
      `with ${status}`,
      [got, refusedAs(got, status), got],
      [`${GET}; ${status}; 1 3 2`],
    ]),
    ...[401, 403, 429, 500, 503].map((status): [string, readonly Told[], readonly string[]] => [
      `with ${status}`,
      [got, refusedAs(got, status), got],
      [],
    ]),
    ['as a published one', [published, refusedAs(published, 404), published], [`${PUBLISHED}; 404; 1 3 2`]],
    ['and is not answered again', [got, refusedAs(got, 404)], []],
    ['as another agent', [got, { ...refusedAs(got, 404), agentId: 'b' }, got], []],
    ['for another caller', [got, { ...refusedAs(got, 404), caller: 'wrong' }, got], []],
    ['while a later request was open', [got, { ...refusedAs(got, 404), open: true }, got], []],
    ['by another method', [got, { ...refusedAs(got, 404), method: 'HEAD' }, got], []],
    ['and shows results before and after', [listed([row]), refusedAs(got, 404), listed([row])], [`${GET}; 404; 1 3 2`]],
    ['and shows no results', [listed([]), refusedAs(got, 404), listed([])], []],
    [
      'and shows results by a cursor',
      [listed([row], { query: { cursor: 'c' } }), refusedAs(got, 404), listed([row], { query: { cursor: 'c' } })],
      [],
    ],
    ['and whose results are refused', [refusedAs(listed([]), 404), refusedAs(got, 404), got], []],
    ['and is published', [published, refusedAs(got, 404), published], []],
    [
      'and is said to be published',
      [isPublished(true), refusedAs(published, 404), isPublished(true)],
      [`${PUBLISHED}; 404; 1 3 2`],
    ],
    ['and is not said to be published', [isPublished(undefined), refusedAs(published, 404), isPublished(true)], []],
    [
      'and is no longer published',
      [isPublished(true), isPublished(false), refusedAs(published, 404), isPublished(true)],
      [],
    ],
    ['as a published one, while its results are listed', [listed([row]), refusedAs(published, 404), listed([row])], []],
  ])('%s', (_, told, expected) => {
    expect(said(told).failed).toEqual(expected);
  });
});

describe('an agent that another client created', () => {
  test.each<[string, readonly Told[], readonly string[]]>([
    ['is found', [made, got], []],
    ['is not found, and then is', [made, refusedAs(got, 404), got], [`${CREATED}; 404; 1 3 2`]],
    ['is gone, and then is back', [made, refusedAs(got, 410), got], [`${CREATED}; 410; 1 3 2`]],
    ['was read, is not found, and then is', [made, got, refusedAs(got, 404), got], [`${CREATED}; 404; 2 4 3`]],
    ['is refused in another way', [made, got, refusedAs(got, 400), got], [`${GET}; 400; 2 4 3`]],
    ['is never found again', [made, got, refusedAs(got, 404)], []],
    [
      'is not found, and shows results',
      [made, { ...got, agentId: 'b' }, refusedAs(got, 404), listed([row])],
      [`${CREATED}; 404; 1 4 3`],
    ],
    ['is not found, and shows no results', [made, { ...got, agentId: 'b' }, refusedAs(got, 404), listed([])], []],
    ['is not found, like everything else', [made, refusedAs(got, 404), listed([row])], []],
    ['is found for another caller', [made, refusedAs(got, 404), { ...got, caller: 'valid' }], []],
    ['was imported, is not found, and then is', [imported, refusedAs(got, 404), got], [`${IMPORTED}; 404; 1 3 2`]],
  ])('%s', (_, told, expected) => {
    expect(said(told).failed).toEqual(expected);
  });
});

describe('if nothing is accepted', () => {
  const other: Told = listed([]);
  test.each<[string, readonly Told[], readonly string[]]>([
    ['the method is not allowed', [refusedAs(got, 405), other], [`${GET}; 405; 1`]],
    ['it is not implemented', [refusedAs(got, 501), other], [`${GET}; 501; 1`]],
    ['nor is anything else', [refusedAs(got, 405)], []],
    ['for another reason as well', [refusedAs(got, 405), refusedAs(got, 404), other], []],
    ['for another reason', [refusedAs(got, 404), other], []],
    ['by that method once, and is accepted once', [refusedAs(got, 405), got, other], []],
    ['at another endpoint', [refusedAs(published, 405), got], [`${PUBLISHED}; 405; 1`]],
  ])('%s', (_, told, expected) => {
    expect(said(told).failed).toEqual(expected);
  });
});

test.each<[string, readonly Told[], readonly string[]]>([
  ['nothing', [], []],
  ['refusals', [refusedAs(got, 404), refusedAs(published, 404)], []],
  ['readings', [got, got, published], [`${GET} 2`, `${PUBLISHED} 1`]],
  ['a created agent that is not read', [made], []],
  ['a created agent that is read twice', [made, got, got], [`${CREATED} 1`, `${GET} 2`]],
  ['what failed', [got, refusedAs(got, 404), got], [`${GET} 3`]],
])('the amount judged of %s', (_, told, expected) => {
  expect(said(told).judged).toEqual(expected);
});
