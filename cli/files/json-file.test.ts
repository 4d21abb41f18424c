import path from 'node:path';
import { readBaseline, readReportFile } from '../check/checked-file.ts';
import { sampleReport } from '../../conformance/testing/sample-report.ts';
import { testFolder } from '../testing/test-io.ts';
import wrong from '../testing/wrong-files.json';
import { readJsonFile, snippet } from './json-file.ts';

const { folder, write } = testFolder();
const file = path.join(folder, 'a.json');
const written = (content: string | object): string => write('a.json', content);

const deep = { text: '['.repeat(100_000), line: 1, column: 1 };
test.each([...wrong.notJson, deep])('$text is not JSON at line $line, column $column', ({ text, line, column }) => {
  const says = `The thing a.json is not JSON; see line ${line}, column ${column}.`;
  const name = written(text);
  expect(() => readJsonFile('thing', name, folder)).toThrow(says);
});

test('valid JSON is read, with or without a byte order mark', () => {
  expect([readJsonFile('thing', written('\ufeff[1]'), folder), readJsonFile('thing', written('[2]'), folder)]).toEqual([
    [1],
    [2],
  ]);
  expect(() => readJsonFile('thing', 'none.json', folder)).toThrow('The thing none.json cannot be read (ENOENT).');
});

test('a value is shown with up to sixty characters', () => {
  expect([snippet('x'.repeat(58)), snippet('x'.repeat(59))]).toEqual([`"${'x'.repeat(58)}"`, `"${'x'.repeat(58)}…`]);
});

describe('a report', () => {
  test('with unknown members is read', () => {
    const report = { ...sampleReport(), more: 1 };
    expect(readReportFile(written(report), folder)).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test.each([
    [['seed'], /: the file .*seed[^;]*\.$/],
    [['seed', 'outcome', 'counts'], /: the file [^;]*; the file [^;]*; the file [^;]*\.$/],
    [['seed', 'outcome', 'counts', 'checks', 'summary'], /; and 2 more\.$/],
  ])('without %j is refused', (names, message) => {
    const report = Object.fromEntries(Object.entries(sampleReport()).filter(([name]) => !names.includes(name)));
    expect(() => readReportFile(written(report), folder)).toThrow(message);
  });
});

describe('a baseline', () => {
  test('need not exist if it is about to be written', () => {
    const none = path.join(folder, 'none.json');
    expect(readBaseline(none, none)).toBeUndefined();
    expect(() => readBaseline(none, undefined)).toThrow('cannot be read (ENOENT)');
    written('{');
    expect(() => readBaseline(file, file)).toThrow('is not JSON');
  });

  test.each(wrong.noBaseline)('$content is refused', ({ content, says }) => {
    written(content);
    expect(() => readBaseline(file, undefined)).toThrow(`The baseline ${file} is wrong: ${says}`);
  });
});
