import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { ctrfReporter } from './ctrf.ts';
import { sampleReport, sampleRuns } from '../testing/sample-report.ts';

const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
const named = { type: 'string', minLength: 1 };
const open = { type: 'object' };
const object = (required: readonly string[], properties: object): object => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
});
const list = (items: object): object => ({ type: 'array', items });

const testSchema = object(['name', 'status', 'duration'], {
  name: named,
  testId: named,
  status: { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] },
  rawStatus: text,
  duration: { type: 'integer' },
  suite: { ...list(text), minItems: 1 },
  message: text,
  trace: text,
  type: text,
  tags: list(text),
  extra: open,
});
const counts = ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'];
const summary = object(counts, {
  ...Object.fromEntries([...counts, 'suites', 'duration'].map((name) => [name, count])),
  extra: open,
});
const results = object(['tool', 'summary', 'tests'], {
  tool: object(['name'], { name: named, version: text }),
  summary,
  tests: list(testSchema),
  environment: open,
});

/** What CTRF requires (https://ctrf.io, version 0.0.0), as far as it concerns this report. */
const schema = object(['reportFormat', 'specVersion', 'results'], {
  reportFormat: { const: 'CTRF' },
  specVersion: { type: 'string', pattern: String.raw`^\d+\.\d+\.\d+$` },
  timestamp: { type: 'string', format: 'date-time' },
  generatedBy: text,
  results,
});

const validate = addFormats(new Ajv({ allErrors: true })).compile(schema);

test.each([...sampleRuns, ['without a check', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 })] as const])(
  'the CTRF report of a run %s is valid CTRF',
  (_name, report) => {
    const document: unknown = JSON.parse(ctrfReporter(report, { color: false }));
    expect(validate(document) || validate.errors).toBe(true);
    const { pass, fail, notJudged, error } = report.counts;
    // A run without a check has a test that says so.
    const [tests, other] = [Math.max(1, report.checks.length), report.checks.length > 0 ? error : 1];
    const tallied = { tests, passed: pass, failed: fail, skipped: notJudged, other };
    expect(document).toMatchObject({ results: { summary: { ...tallied, pending: 0 } } });
  },
);

test('a failed test says what was expected and found, and how to repeat it', () => {
  const report = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 });
  const { results: found } = JSON.parse(ctrfReporter(report, { color: false })) as { results: { tests: unknown[] } };
  const message = 'expected a string plain, got a number plain at /agent/plain';
  const trace = `curl x\ncurl -sS 'http://127.0.0.1:4010/plain' -H "authorization: Bearer $TOKEN"`;
  const extra = { requirements: report.checks[0]?.requirements, at: '/agent/plain' };
  expect(found.tests).toMatchObject([{ testId: 'check-0', rawStatus: 'fail', message, trace, extra }]);
});
