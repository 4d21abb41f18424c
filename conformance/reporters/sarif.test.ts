import { endpoints } from '../../spec/index.ts';
import { HOSTILE, sampleReport } from '../testing/sample-report.ts';
import { sarifReporter } from './sarif.ts';

interface Log {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly invocations: readonly {
      readonly executionSuccessful: boolean;
      readonly toolExecutionNotifications: readonly { readonly level: string }[];
    }[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
      readonly webResponse?: { readonly body?: unknown };
    }[];
  }[];
}

const read = (...parameters: Parameters<typeof sarifReporter>): Log['runs'][number] => {
  const log = JSON.parse(sarifReporter(...parameters)) as Log;
  expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif') as unknown });
  expect(log.runs).toHaveLength(1);
  const [run] = log.runs;
  if (!run) throw new Error('no run');
  return run;
};

test.each([
  ['of every status', sampleReport()],
  ['with hostile text', sampleReport({ pass: 9, fail: 8, notJudged: 7, error: 6 }, { text: HOSTILE })],
])('the SARIF report of a run %s has a rule for each check and a result for each failure', (_name, report) => {
  const { tool, results, invocations } = read(report);
  expect(tool.driver.rules.map(({ id }) => id)).toEqual(report.checks.map(({ id }) => id));
  expect(results.map(({ ruleId }) => ruleId)).toEqual(
    report.checks.filter(({ status }) => status === 'fail').map(({ id }) => id),
  );
  for (const { ruleId, ruleIndex, level } of results) {
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(level).toBe('error');
  }
  const levels = invocations[0]?.toolExecutionNotifications.map((notification) => notification.level) ?? [];
  expect(levels.filter((level) => level === 'note')).toHaveLength(report.counts.notJudged);
  expect(levels.filter((level) => level === 'error')).toHaveLength(report.counts.error);
  expect(invocations[0]?.executionSuccessful).toBe(report.counts.error === 0);
});

test('a result has a relative URI, and the same failure has the same fingerprint, another failure another', () => {
  const report = sampleReport({ pass: 0, fail: 2, notJudged: 0, error: 0 });
  const { results } = read(report);
  for (const [index, { locations }] of results.entries()) {
    const uri = locations[0]?.physicalLocation.artifactLocation.uri ?? '';
    const endpoint = report.checks[index]?.endpoint ?? 'get-agent';
    expect(uri).toMatch(/^[\w%-]+(?:\/[\w%-]+)*$/);
    expect(`/${decodeURIComponent(uri)}`).toBe(endpoints[endpoint].path);
  }
  const prints = results.map(({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash']);
  expect(new Set(prints).size).toBe(2);
  expect(read({ ...report, seed: 1, startedAt: 'never' }).results.map((one) => one.partialFingerprints)).toEqual(
    results.map((one) => one.partialFingerprints),
  );
});

test('no message contains a link', () => {
  const { results } = read(sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }, { text: '[x](javascript:1)' }));
  expect(results[0]?.message.text).toContain(String.raw`\[x\](javascript:1)`);
});

test('bodies are included only on request', () => {
  const [check] = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }).checks;
  const exchanges = check?.failure?.exchanges.slice(0, 1) ?? [];
  const checks = check?.failure ? [{ ...check, failure: { ...check.failure, exchanges } }] : [];
  const report = sampleReport({}, { checks });
  expect(read(report).results[0]?.webResponse).not.toHaveProperty('body');
  expect(read(report, { includeBodies: true }).results[0]?.webResponse?.body).toEqual({ text: '{"name":"plain"}' });
});
