import { UNSEEN } from '../report/redact.ts';
import { githubReporter } from './github.ts';
import { sampleReport, sampleRuns } from '../testing/sample-report.ts';

interface Command {
  readonly kind: string;
  readonly title: string;
  readonly message: string;
}

/** Read as GitHub's runner reads them. */
function read(output: string): readonly Command[] {
  expect(output.endsWith('\n')).toBe(true);
  const decoded = (text: string): string => text.replace(/%(0A|0D|3A|2C|25)/g, (code) => decodeURIComponent(code));
  return Array.from(output.trimEnd().split('\n'), (line) => {
    const [whole, kind = '', title = '', message = ''] = /^::(\w+) title=([^:,]*)::(.*)$/.exec(line) ?? [];
    expect(whole).toBe(line);
    return { kind, title: decoded(title), message: decoded(message) };
  });
}

test.each(sampleRuns)(
  'the annotations of a run %s, read back, name failures, errors and unjudged checks',
  (_name, report) => {
    const output = githubReporter(report, { color: false });
    expect(output.replaceAll('\n', '').match(UNSEEN)).toBeNull();
    const [verdict, ...rest] = read(output);
    expect(verdict).toMatchObject(
      report.counts.fail > 0
        ? { kind: 'error', title: 'agent-contract: Nonconformant' }
        : { kind: 'notice', title: 'agent-contract: Conformant' },
    );
    const having = (status: string): string[] =>
      report.checks.filter((check) => check.status === status).map(({ id }) => id);
    const ofKind = (kind: string): readonly Command[] => rest.filter((command) => command.kind === kind);
    expect(ofKind('error').map(({ title }) => title)).toEqual(having('fail'));
    const broke = having('error').map((id) => `The runner broke in ${id}`);
    expect(ofKind('warning').map(({ title }) => title)).toEqual(broke);
    const unjudged = ofKind('notice').flatMap(({ message }) => message.split('\n'));
    expect(unjudged.filter((line) => /^check-\d+$/.test(line)).toSorted()).toEqual(having('not-judged').toSorted());
  },
);

test.each([
  ['plain', '\nexpected a string plain, got a number plain at /agent/plain\nsection '],
  // What looks like an escape is not changed.
  ['100%0Aforged%3A%25', '\nexpected a string 100%0Aforged%3A%25, got '],
])('a failure says what was expected and found: %s', (text, says) => {
  const report = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }, { text });
  expect(read(githubReporter(report, { color: false }))[1]?.message).toContain(says);
});

test('a partial run is a warning, and one that reached nothing an error', () => {
  const reports = [sampleReport({ fail: 0 }), sampleReport({ pass: 0, fail: 0, error: 0 }, { outcome: 'unreachable' })];
  const kinds = reports.map((report) => read(githubReporter(report, { color: false }))[0]?.kind);
  expect(kinds).toEqual(['warning', 'error']);
});
