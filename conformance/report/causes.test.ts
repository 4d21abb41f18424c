import { sampleReport } from '../testing/sample-report.ts';
import { checks as allChecks } from '../checks/index.ts';
import data from '../history/premises.json';
import { ownPremises, premisesOf } from '../history/premises.ts';
import { causesOf, withCauses } from './causes.ts';
import type { CheckReport, FailureReport } from './report.ts';
import cases from '../testing/report-changes.json';

const [template] = sampleReport({ pass: 1, fail: 0, notJudged: 0, error: 0 }).checks;

function failed(id: string, failure: Partial<FailureReport>): CheckReport {
  if (!template) throw new Error('no check');
  const whole = { expected: 'a string', actual: 'the number 3', exchanges: [], ...failure };
  return { ...template, id, status: 'fail', failure: whole };
}

const names = (checks: readonly CheckReport[]): readonly (readonly string[])[] =>
  causesOf(checks).map((cause) => cause.checks);

test.each(cases.causes as [string, Partial<FailureReport>[], number][])('%s', (_, failures, causes) => {
  const checks = failures.map((failure, i) => failed(`check-${i}`, { requirement: 'agent-shape', ...failure }));
  expect(names(checks)).toHaveLength(causes);
  expect(names(checks).flat()).toEqual(checks.map(({ id }) => id));
});

test('a cause has the words of its first check', () => {
  const checks = [
    failed('one', { at: '/agent/tags/2', requirement: 'agent-shape' }),
    failed('two', { at: '/agent/tags/0', requirement: 'agent-shape', expected: 'else' }),
  ];
  expect(causesOf(checks)).toEqual([
    { requirement: 'agent-shape', expected: 'a string', actual: 'the number 3', at: '/tags/*', checks: ['one', 'two'] },
  ]);
  // Without its own requirement, a failure breaks the first one of its check.
  expect(causesOf([failed('one', {})])[0]?.requirement).toBe(template?.requirements[0]?.id);
});

const page = (query: string): FailureReport['exchanges'][number] => ({
  curl: '',
  method: 'GET',
  url: `http://x/api/v1/agents/a/results?${query}`,
});
const at = (id: string, endpoint: CheckReport['endpoint'], failure: Partial<FailureReport>): CheckReport => ({
  ...failed(id, failure),
  endpoint,
});
const [WINDOW, CURSOR] = ['list-results-time-filter-today', 'list-results-cursor-keeps-filter'];

const [SHAPE, KEEPS] = ['create-agent-answer-shape', 'create-agent-keeps-what-was-sent'];
const READS = 'created-agent-reads-as-answered';
const creating = (id: string, place: string): CheckReport => at(id, 'create-agent', { at: place });
const listing = (id: string, query: string): CheckReport => at(id, 'list-results', { exchanges: [page(query)] });

test.each<[string, readonly CheckReport[], Readonly<Record<string, string>>]>([
  [
    'on a later page',
    [listing(CURSOR, 'timeFilter=today&limit=7&cursor=x'), listing(WINDOW, 'limit=100&cursor=y&timeFilter=today')],
    { [WINDOW]: CURSOR },
  ],
  [
    'of another list',
    [listing(CURSOR, 'timeFilter=lastMonth&limit=7&cursor=x'), listing(WINDOW, 'limit=100&timeFilter=today')],
    {},
  ],
  [
    'at the same place, through two premises',
    [creating(SHAPE, '/agent/theme'), creating(KEEPS, '/agent/theme/chat'), creating(READS, '/agent/theme/chat/x')],
    { [KEEPS]: SHAPE, [READS]: SHAPE },
  ],
  [
    'on pages of another list, where it is about their size',
    [listing('list-results-respects-limit', 'limit=7'), listing('list-results-default-limit', 'timeFilter=today')],
    { 'list-results-default-limit': 'list-results-respects-limit' },
  ],
  [
    'on pages of another list, where it is about another agent',
    [listing('list-results-belong-to-the-agent', 'limit=7'), listing(WINDOW, 'timeFilter=today')],
    { [WINDOW]: 'list-results-belong-to-the-agent' },
  ],
  ['at another place', [creating(SHAPE, '/agent/theme'), creating(KEEPS, '/agent/groups')], {}],
])('a finding %s follows from its premise', (_, some, expected) => {
  const marked = withCauses(some);
  const because = marked.flatMap(({ id, failure }) => (failure?.because === undefined ? [] : [[id, failure.because]]));
  expect(Object.fromEntries(because)).toEqual(expected);
  const causes = causesOf(marked);
  expect(causes.flatMap(({ consequences = [] }) => consequences)).toEqual(Object.keys(expected));
});

test('premises are checks, and no check rests on itself', () => {
  const ids = new Set(allChecks.map(({ id }) => id));
  const named = [...Object.entries(ownPremises).flat(2), ...Object.values(data.accepts)];
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  const premises = new Map(allChecks.map(({ id, endpoint }) => [id, premisesOf(id, endpoint)]));
  const below = (id: string, met: readonly string[]): readonly string[] =>
    (premises.get(id) ?? []).flatMap((one) => (met.includes(one) ? [one] : [one, ...below(one, [...met, one])]));
  expect([...ids].filter((id) => below(id, []).includes(id))).toEqual([]);
});
