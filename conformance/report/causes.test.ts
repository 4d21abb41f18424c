import { sampleReport } from '../testing/sample-report.ts';
import { causesOf } from './causes.ts';
import type { CheckReport, FailureReport } from './report.ts';

const [template] = sampleReport({ pass: 1, fail: 0, notJudged: 0, error: 0 }).checks;

function failed(id: string, failure: Partial<FailureReport>): CheckReport {
  if (!template) throw new Error('no check');
  const whole = { expected: 'a string', actual: 'the number 3', exchanges: [], ...failure };
  return { ...template, id, status: 'fail', failure: whole };
}

const names = (checks: readonly CheckReport[]): readonly (readonly string[])[] =>
  causesOf(checks).map((cause) => cause.checks);

test.each<[string, readonly Partial<FailureReport>[], number]>([
  ['the same place under other envelopes', [{ at: '/agent/theme/x' }, { at: '/publicAgent/theme/x' }], 1],
  ['the same place of other items', [{ at: '/agent/groups/0/id' }, { at: '/agent/groups/7/id' }], 1],
  ['another value of the same type', [{ at: '/agent/x' }, { at: '/agent/x', actual: 'the number 4' }], 1],
  ['another type', [{ at: '/agent/x' }, { at: '/agent/x', actual: 'the string "3"' }], 2],
  ['another place', [{ at: '/agent/x' }, { at: '/agent/y' }], 2],
  ['another envelope itself', [{ at: '/agent' }, { at: '/workspace' }], 2],
  ['the whole body and no place', [{ at: '' }, {}], 2],
  ['no place, one requirement', [{ actual: 'it was accepted with 200' }, { actual: 'it was accepted with 201' }], 1],
  ['another requirement', [{ at: '/agent/x' }, { at: '/agent/x', requirement: 'theme-shape' }], 2],
])('%s', (_, failures, causes) => {
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
});

test('a failure without its own requirement breaks the first one of its check', () => {
  const [cause] = causesOf([failed('one', {})]);
  expect(cause?.requirement).toBe(template?.requirements[0]?.id);
});
