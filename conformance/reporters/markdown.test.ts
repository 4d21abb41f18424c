import { markdownReporter } from './markdown.ts';
import { HOSTILE, sampleCheck, sampleReport, sampleRuns } from '../testing/sample-report.ts';

/** What GitHub would read as Markdown or HTML: everything except code, escaped characters and our own markup. */
function outsideCode(output: string): string {
  return output
    .replace(/^(`{3,})[^`\n]*\n[\s\S]*?\n\1$/gm, '')
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    .replace(/<\/?(?:details|summary|b|sub)>|<span>\$<\/span>|&#\d+;/g, '');
}

describe.each(sampleRuns)('the Markdown report of a run %s', (_name, report) => {
  const output = markdownReporter(report);

  test('has the outcome as its heading, and the counts', () => {
    const { pass, fail, notJudged, error } = report.counts;
    expect(output).toContain(`\n✅ ${pass} passed · ❌ ${fail} failed · ⚪ ${notJudged} not judged`);
    expect(output.includes(` · 💥 ${error} error`)).toBe(error > 0);
    expect(output.startsWith(fail > 0 ? '## ❌ Nonconformant\n' : '## ✅ Conformant\n')).toBe(true);
  });

  test('has only its own markup', () => {
    expect(outsideCode(output).match(/[<>]|@\w|(?<!^)#\w|\]\(|https?:|www\./m)).toBeNull();
    const count = (text: string): number => output.split(text).length;
    expect(count('\n<details><summary>')).toBe(count('\n</details>'));
  });
});

test('a failure is shown in full, with the shape of its body', () => {
  const output = markdownReporter(sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }));
  expect(output).toContain('- **Expected** `a string plain`\n- **Actual** `a number plain`\n- **At** `/agent/plain`\n');
  expect(output).toContain(`\`\`\`sh\ncurl -sS 'http://127.0.0.1:4010/plain'`);
  expect(output).toContain('{\n  "name": string\n}');
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

test('a run without a check, or that reached nothing, is not green', () => {
  expect(markdownReporter(sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 }))).toMatch(/^## ⚪ Partial\n/);
  expect(markdownReporter(sampleReport({}, { outcome: 'unreachable' }))).toMatch(/^## 💥 Unreachable\n/);
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
