import { UNSEEN } from '../report/redact.ts';
import type { Status } from '../report/report.ts';
import { markdownReporter, statusMarks } from './markdown.ts';
import { HOSTILE, sampleCheck, sampleReport } from '../testing/sample-report.ts';

const HOSTILE_MARKDOWN = [
  HOSTILE,
  '``` \n```\n# heading',
  '` `` ```',
  '`'.repeat(100),
  '</details></summary><img src=x onerror=alert(1)>',
  '@everyone #1 org/repo#2 a@b.example',
  '[link](javascript:alert(1)) ![image](http://evil.example/x.png) <http://evil.example>',
  'https://evil.example www.evil.example',
  '| a | b |\n|---|---|\n| c | d |',
  '$x$ $`y`$ $$z$$',
  '~~gone~~ **bold** _it_ &lt; &#60; \\',
  '- item\n1. item\n> quote\n---',
].join(' ');

const marks = new Map(Object.entries(statusMarks).map(([status, mark]) => [mark, status as Status]));

/** The list of all checks, read back. */
function read(output: string): [string, Status][] {
  return output
    .slice(output.indexOf('### All checks'))
    .split('\n')
    .flatMap((line): [string, Status][] => {
      const [, mark = '', id = ''] = /^- (\S+) .* `([\w-]+)`$/.exec(line) ?? [];
      const status = marks.get(mark);
      return status === undefined ? [] : [[id, status]];
    });
}

/** What GitHub would read as Markdown or HTML: everything except code, escaped characters and our own markup. */
function outsideCode(output: string): string {
  return output
    .replace(/^(`{3,})[^`\n]*\n[\s\S]*?\n\1$/gm, '')
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    .replace(/<\/?(?:details|summary|b|sub)>|<span>\$<\/span>|&#\d+;/g, '');
}

describe.each([
  ['of every status', sampleReport()],
  ['with hostile text', sampleReport({ pass: 9, fail: 8, notJudged: 7, error: 6 }, { text: HOSTILE })],
  ['with hostile Markdown', sampleReport({ pass: 2, fail: 2, notJudged: 2, error: 2 }, { text: HOSTILE_MARKDOWN })],
  ['with seventy checks', sampleReport({ pass: 50, fail: 10, notJudged: 8, error: 2 })],
])('the Markdown report of a run %s', (_name, report) => {
  const output = markdownReporter(report);

  test('has, when read back, the same verdicts and counts', () => {
    expect(Object.fromEntries(read(output))).toEqual(
      Object.fromEntries(report.checks.map(({ id, status }) => [id, status])),
    );
    const { pass, fail, notJudged, error } = report.counts;
    expect(output).toContain(
      `\n✅ ${pass} passed · ❌ ${fail} failed · ⚪ ${notJudged} not judged · 💥 ${error} error`,
    );
    expect(output.startsWith('## ❌ Nonconformant\n')).toBe(true);
  });

  test('has only its own markup', () => {
    expect(output.replaceAll('\n', '').match(UNSEEN)).toBeNull();
    const rest = outsideCode(output);
    expect(rest.match(/[<>]|@\w|(?<!^)#\w|\]\(|https?:|www\./m)).toBeNull();
    const count = (text: string): number => output.split(text).length;
    expect(count('\n<details><summary>')).toBe(count('\n</details>'));
  });
});

test('a failure is shown in full, with the shape of its body, or its values on request', () => {
  const report = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 });
  const output = markdownReporter(report);
  expect(output).toContain('- **Expected** `a string plain`\n- **Actual** `a number plain`\n- **At** `/agent/plain`\n');
  expect(output).toContain(`\`\`\`sh\ncurl -sS 'http://127.0.0.1:4010/plain'`);
  expect(output).toContain('{\n  "name": string\n}');
  expect(output).not.toContain('"name": "plain"');
  expect(markdownReporter(report, { includeBodies: true })).toContain('{\n  "name": "plain"\n}');
});

test('the summary of any run fits the limits of GitHub', () => {
  const text = `${HOSTILE} ${'x'.repeat(3000)}`;
  const checks = Array.from({ length: 3000 }, (_, index) =>
    sampleCheck(index % 2 === 0 ? 'fail' : 'pass', index, text),
  );
  const output = markdownReporter(sampleReport({}, { checks, text }));
  expect(Buffer.byteLength(output)).toBeLessThan(1_000_000);
  expect(output).toContain('more failures');
  expect(output.split('\n<details>').length).toBe(output.split('\n</details>').length);
});

test.each([
  ['without a check', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 }), '⚪ Partial'],
  ['that reached nothing', sampleReport({ pass: 0, fail: 0, error: 0 }, { outcome: 'unreachable' }), '💥 Unreachable'],
])('a run %s is not green', (_name, report, heading) => {
  expect(markdownReporter(report)).toMatch(new RegExp(`^## ${heading}\n`));
});

test.each([
  ['{"a": "its value"}', true, 'Its body', true],
  ['{"a": "its value"}', false, 'The shape of its body', false],
  ['its value', true, 'Its body', true],
  ['its value', false, undefined, false],
  ['', true, undefined, false],
  ['', false, undefined, false],
])('the body %j, with bodies shown: %p, has the title %s', (body, includeBodies, title, isShown) => {
  const exchange = { curl: 'curl', method: 'GET', url: 'http://x/', status: 200, body };
  const failure = { expected: 'this', actual: 'that', exchanges: [exchange] };
  const report = sampleReport({}, { checks: [{ ...sampleCheck('fail', 0), failure }] });
  const output = markdownReporter(report, { color: false, includeBodies });
  expect(/<summary>([^<]* body)<\/summary>/.exec(output)?.[1]).toBe(title);
  expect(output.includes('its value')).toBe(isShown);
});
