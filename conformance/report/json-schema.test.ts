import { changedAt } from '../../spec/json-pointer.ts';
import { withBaseline } from './baseline.ts';
import { misfits } from './json-schema.ts';
import { sampleReport } from '../testing/sample-report.ts';
import cases from '../testing/report-changes.json';

test.each([
  ['of every status', sampleReport()],
  ['that passed', sampleReport({ pass: 4, fail: 0, notJudged: 0, error: 0 })],
  [
    'beside a baseline',
    withBaseline(sampleReport(), {
      entries: [
        { check: 'check-0', reason: 'It passes.' },
        { check: 'check-21', at: '/agent/*', reason: 'Known.', expires: '2026-12-31' },
        { check: 'check-35', status: 'not-judged', reason: 'Not given.' },
      ],
    }),
  ],
])('a report %s is valid', (_name, report) => {
  expect(misfits('report', report)).toEqual([]);
});

const whole = sampleReport({ pass: 1, fail: 1, notJudged: 1, error: 1 });
/** The report with another value at a path of names; null removes it. */
const having = (path: string, value: unknown): unknown => {
  const [owner = '', name = ''] = `/${path.replaceAll('.', '/')}`.split(/\/(?=[^/]*$)/);
  return changedAt(whole, owner, (found) => ({ ...(found as object), [name]: value ?? undefined }));
};

test.each(cases.invalid as [string, unknown, string][])(
  'a report whose %s is %j is invalid, and the error says where',
  (path, value, message) => {
    const said = misfits('report', having(path, value)).map(({ at, says }) => `${at} ${says}`);
    expect(said).toContainEqual(expect.stringContaining(message));
  },
);

test('a baseline is validated too, including its dates', () => {
  const entry = { check: 'a', reason: 'b' };
  expect(misfits('baseline', { $schema: 'x', entries: [{ ...entry, at: '/a/*', expires: '2026-12-31' }] })).toEqual([]);
  const wrong = [{ ...entry, expires: '2026-02-30' }, { check: 'a' }, { ...entry, at: 'a' }, { ...entry, until: 'x' }];
  expect(misfits('baseline', { entries: wrong }).map(({ at, says }) => `${at} ${says}`)).toEqual([
    '/entries/0/expires must be a day such as 2026-12-31',
    "/entries/1 must have required property 'reason'",
    '/entries/2/at must be a JSON Pointer such as /results/*/createdAt',
    '/entries/3 must have no property "until"',
  ]);
});
