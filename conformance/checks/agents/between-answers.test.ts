import type { Check } from '../../check.ts';
import { isAnswered } from '../../http/exchange.ts';
import { foreignTraffic } from '../../history/policy.ts';
import { sampleHistory, type SampleExchange, numbersOf, verdictsOn } from '../../testing/sample-exchange.ts';
import { checks as allChecks } from '../index.ts';
import { createBetweens, judgeReadingBetween } from './between-answers.ts';
import judged from '../../testing/judged.json';

const checks = allChecks.filter(({ id }) => /can-be-read$|agent-accepts-valid-request$/.test(id));

/** Traffic that others caused, with answers five seconds apart. */
const verdictsOf = (samples: readonly SampleExchange[], of: readonly Check[] = checks) =>
  verdictsOn(
    of,
    samples.map((sample, i) => ({ caller: 'unknown', at: 1_000_000 + 5000 * i, ...sample })),
    { policy: foreignTraffic },
  );

const failures = (samples: readonly SampleExchange[], of?: readonly Check[]): readonly string[] =>
  [...verdictsOf(samples, of)].flatMap(([id, { findings }]) =>
    findings.map(({ actual, exchanges }) =>
      [id, actual.replace(/^.*(?=\b\d{3}$)/, ''), numbersOf(exchanges).join(' ')].join('; '),
    ),
  );

const got: SampleExchange = { endpoint: 'get-agent', json: { agent: { id: 'a' }, currentUserMode: 'write' } };
const published: SampleExchange = { endpoint: 'get-published-agent', json: { publicAgent: { id: 'p' } } };
const created: SampleExchange = { endpoint: 'create-agent', json: { agent: { id: 'a' } } };
const imported: SampleExchange = { endpoint: 'import-agent', json: { agent: { id: 'a' } } };
const listed = (results: readonly object[]): SampleExchange => ({ json: { results, nextCursor: null } });
const refusedAs = (of: SampleExchange, status: number): SampleExchange => ({
  endpoint: of.endpoint ?? 'list-results',
  status,
  json: {},
});
const isPublished = (is: unknown): SampleExchange => ({ ...got, json: { agent: { id: 'a', isPublished: is } } });
const isPublic = isPublished(true);
const noPublicForm = refusedAs(published, 404);
const row = { id: 'r' };
const laterPage = { ...listed([row]), query: { cursor: 'c' } };

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
  expect(failures([got, refusedAs(listed([]), 404), got], [lists])).toEqual(['lists; 404; 1 3 2']);
  expect(failures([got, refusedAs(listed([]), 404)], [lists])).toEqual([]);
  expect(failures([published, refusedAs(listed([]), 404), published], [lists])).toEqual([]);
});

describe('an agent that is refused between two answers', () => {
  test.each([400, 404, 405, 410, 422, 501])('with %d fails', (status) => {
    expect(failures([got, refusedAs(got, status), got])).toEqual([`${GET}; ${status}; 1 3 2`]);
  });

  test.each([401, 403, 429, 500, 503])('with %d fails nothing', (status) => {
    expect(failures([got, refusedAs(got, status), got])).toEqual([]);
  });

  test.each<[string, readonly SampleExchange[], readonly string[]]>([
    ['as a published one', [published, refusedAs(published, 404), published], [`${PUBLISHED}; 404; 1 3 2`]],
    ['and is not answered again', [got, refusedAs(got, 404)], []],
    ['as another agent', [got, { ...refusedAs(got, 404), agentId: 'b' }, got], []],
    ['for another caller', [got, { ...refusedAs(got, 404), caller: 'wrong' }, got], []],
    ['while a later request was open', [got, { ...refusedAs(got, 404), open: true }, got], []],
    ['and shows results before and after', [listed([row]), refusedAs(got, 404), listed([row])], [`${GET}; 404; 1 3 2`]],
    ['and shows no results', [listed([]), refusedAs(got, 404), listed([])], []],
    ['and shows results by a cursor', [laterPage, refusedAs(got, 404), laterPage], []],
    ['and whose results are refused', [refusedAs(listed([]), 404), refusedAs(got, 404), got], []],
    ['and is published', [published, refusedAs(got, 404), published], []],
    ['and is said to be published', [isPublic, noPublicForm, isPublic], [`${PUBLISHED}; 404; 1 3 2`]],
    ['and is not said to be published', [isPublished(undefined), noPublicForm, isPublic], []],
    ['and is no longer published', [isPublic, isPublished(false), noPublicForm, isPublic], []],
    ['as a published one, while its results are listed', [listed([row]), refusedAs(published, 404), listed([row])], []],
  ])('%s', (_, samples, expected) => {
    expect(failures(samples)).toEqual(expected);
  });
});

describe('an agent that another client created', () => {
  const other = { ...got, agentId: 'b' };
  test.each<[string, readonly SampleExchange[], readonly string[]]>([
    ['is found', [created, got], []],
    ['is not found, and then is', [created, refusedAs(got, 404), got], [`${CREATED}; 404; 1 3 2`]],
    ['is gone, and then is back', [created, refusedAs(got, 410), got], [`${CREATED}; 410; 1 3 2`]],
    ['was read, is not found, and then is', [created, got, refusedAs(got, 404), got], [`${CREATED}; 404; 2 4 3`]],
    ['is refused in another way', [created, got, refusedAs(got, 400), got], [`${GET}; 400; 2 4 3`]],
    ['is never found again', [created, got, refusedAs(got, 404)], []],
    ['is not found, and has results', [created, other, refusedAs(got, 404), listed([row])], [`${CREATED}; 404; 1 4 3`]],
    ['is not found, and shows no results', [created, other, refusedAs(got, 404), listed([])], []],
    ['is not found, like everything else', [created, refusedAs(got, 404), listed([row])], []],
    ['is found for another caller', [created, refusedAs(got, 404), { ...got, caller: 'valid' }], []],
    ['was imported, is not found, and then is', [imported, refusedAs(got, 404), got], [`${IMPORTED}; 404; 1 3 2`]],
  ])('%s', (_, samples, expected) => {
    expect(failures(samples)).toEqual(expected);
  });
});

describe('if nothing is accepted', () => {
  const other: SampleExchange = listed([]);
  test.each<[string, readonly SampleExchange[], readonly string[]]>([
    ['the method is not allowed', [refusedAs(got, 405), other], [`${GET}; 405; 1`]],
    ['it is not implemented', [refusedAs(got, 501), other], [`${GET}; 501; 1`]],
    ['nor is anything else', [refusedAs(got, 405)], []],
    ['for another reason as well', [refusedAs(got, 405), refusedAs(got, 404), other], []],
    ['for another reason', [refusedAs(got, 404), other], []],
    ['by that method once, and is accepted once', [refusedAs(got, 405), got, other], []],
    ['at another endpoint', [refusedAs(published, 405), got], [`${PUBLISHED}; 405; 1`]],
  ])('%s', (_, samples, expected) => {
    expect(failures(samples)).toEqual(expected);
  });
});

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['nothing', [], []],
  ['refusals', [refusedAs(got, 404), refusedAs(published, 404)], []],
  ['readings', [got, got, published], [`${GET} 2`, `${PUBLISHED} 1`]],
  ['a created agent that is not read', [created], []],
  ['a created agent that is read twice', [created, got, got], [`${CREATED} 1`, `${GET} 2`]],
  ['what failed', [got, refusedAs(got, 404), got], [`${GET} 3`]],
])('the amount judged of %s', (_, samples, expected) => {
  const some = [...verdictsOf(samples)].filter(([, verdict]) => verdict.judged > 0);
  expect(some.map(([id, verdict]) => `${id} ${verdict.judged}`)).toEqual(expected);
});

/**
 * Which exchanges show that something was missing, counted from 1. Each step says what becomes of a thing, how many
 * milliseconds after the beginning, and what is unusual about it: `refused 5000 begun=1`.
 */
function found(...steps: readonly string[]): readonly string[] {
  const parts = steps.map((step) => /^(\w+) (\d+)(?: key=(\w+))?(?: begun=(\d+))?$/.exec(step) ?? []);
  const history = sampleHistory(
    parts.map(([, what, at, , begun]) => {
      const status = what === 'refused' ? 404 : 200;
      return { at: Number(at), begun: begun === undefined ? undefined : Number(begun), status };
    }),
  );
  const betweens = createBetweens();
  for (const [i, [, what, , key = 'k']] of parts.entries()) {
    const exchange = history[i];
    if (what === 'forget') betweens.forget(key);
    else if (exchange && isAnswered(exchange)) betweens[what === 'refused' ? 'refused' : 'answered'](key, exchange);
  }
  return betweens.found.map(({ exchanges: [before, after, refusal] }) => numbersOf([before, refusal, after]).join(' '));
}

test.each(judged.between as unknown as [string, string, string[]][])(
  'something is missing %s',
  (_, steps, expected) => {
    expect(found(...steps.split(', '))).toEqual(expected);
  },
);

test('the number of findings and of remembered things is bounded', () => {
  const often = Array.from({ length: 30 }, (_, i) => `${i % 2 === 0 ? 'refused' : 'answered'} ${5000 + i}`);
  expect(found('answered 0', ...often, ...often).length).toBe(25);
  const things = (count: number): readonly string[] => [
    ...Array.from({ length: count }, (_, i) => `answered 0 key=${i}`),
    `refused 5000 key=${count - 1}`,
    `answered 6000 key=${count - 1}`,
  ];
  expect([found(...things(2000)).length, found(...things(2001)).length]).toEqual([1, 0]);
});
