import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { ctrfReporter } from './ctrf.ts';
import { sampleReport, sampleRuns } from '../testing/sample-report.ts';

const count = { type: 'integer', minimum: 0 };

/** What CTRF requires (https://ctrf.io, version 0.0.0), as far as it concerns this report. */
const schema = {
  type: 'object',
  required: ['reportFormat', 'specVersion', 'results'],
  properties: {
    reportFormat: { const: 'CTRF' },
    specVersion: { type: 'string', pattern: String.raw`^\d+\.\d+\.\d+$` },
    timestamp: { type: 'string', format: 'date-time' },
    generatedBy: { type: 'string' },
    results: {
      type: 'object',
      required: ['tool', 'summary', 'tests'],
      additionalProperties: false,
      properties: {
        tool: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: { name: { type: 'string', minLength: 1 }, version: { type: 'string' } },
        },
        summary: {
          type: 'object',
          required: ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'],
          additionalProperties: false,
          properties: {
            tests: count,
            passed: count,
            failed: count,
            skipped: count,
            pending: count,
            other: count,
            suites: count,
            start: count,
            stop: count,
            duration: count,
            extra: { type: 'object' },
          },
        },
        tests: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'status', 'duration'],
            additionalProperties: false,
            properties: {
              name: { type: 'string', minLength: 1 },
              testId: { type: 'string', minLength: 1 },
              status: { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] },
              rawStatus: { type: 'string' },
              duration: { type: 'integer' },
              suite: { type: 'array', minItems: 1, items: { type: 'string' } },
              message: { type: 'string' },
              trace: { type: 'string' },
              type: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' } },
              extra: { type: 'object' },
            },
          },
        },
        environment: { type: 'object' },
      },
    },
  },
  additionalProperties: false,
};

const validate = addFormats(new Ajv({ allErrors: true })).compile(schema);

test.each([...sampleRuns, ['without a check', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 })] as const])(
  'the CTRF report of a run %s is valid CTRF',
  (_name, report) => {
    const document: unknown = JSON.parse(ctrfReporter(report, { color: false }));
    expect(validate(document) || validate.errors).toBe(true);
    const { pass, fail, notJudged, error } = report.counts;
    const summary = { tests: report.checks.length, passed: pass, failed: fail, skipped: notJudged, other: error };
    expect(document).toMatchObject({ results: { summary: { ...summary, pending: 0 } } });
  },
);

test('a failed test says what was expected and found, and how to repeat it', () => {
  const report = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 });
  const { tests } = (JSON.parse(ctrfReporter(report, { color: false })) as { results: { tests: unknown[] } }).results;
  expect(tests).toMatchObject([
    {
      testId: 'check-0',
      rawStatus: 'fail',
      message: 'expected a string plain, got a number plain at /agent/plain',
      trace: `curl -sS 'http://127.0.0.1:4010/plain' -H "authorization: Bearer $TOKEN"\ncurl x`,
      extra: { requirements: report.checks[0]?.requirements, at: '/agent/plain' },
    },
  ]);
});
