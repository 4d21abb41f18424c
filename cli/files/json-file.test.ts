import path from 'node:path';
import { readBaseline, readReportFile } from '../check/checked-file.ts';
import { sampleReport } from '../../conformance/testing/sample-report.ts';
import { testFolder } from '../testing/test-io.ts';
import { readJsonFile, snippet } from './json-file.ts';

const { folder, write } = testFolder();
const file = path.join(folder, 'a.json');
const written = (content: string | object): string => write('a.json', content);

test.each<[string, number, number]>([
  ['', 1, 1],
  ['x', 1, 1],
  ['{"a":1', 1, 7],
  ['{"a":1,}', 1, 8],
  ['\ufeff{"a":1,}', 1, 8],
  ['{\n  "a": x\n}', 2, 8],
  ['[1,\n2,\n3] 4', 3, 4],
  ['{"a":"b\n"}', 1, 6],
  ['[tru]', 1, 2],
  ['[1.]', 1, 2],
  ['['.repeat(100_000), 1, 1],
])('%j is not JSON at line %d, column %d', (text, line, column) => {
  const name = written(text);
  expect(() => readJsonFile('thing', name, folder)).toThrow(
    `The thing a.json is not JSON; see line ${line}, column ${column}.`,
  );
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
  test('with unknown members is read', async () => {
    const report = { ...sampleReport(), more: 1 };
    expect(await readReportFile(written(report), folder)).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test.each([
    [['seed'], /: the file .*seed[^;]*\.$/],
    [['seed', 'outcome', 'counts'], /: the file [^;]*; the file [^;]*; the file [^;]*\.$/],
    [['seed', 'outcome', 'counts', 'checks', 'summary'], /; and 2 more\.$/],
  ])('without %j is refused', async (names, message) => {
    const report = Object.fromEntries(Object.entries(sampleReport()).filter(([name]) => !names.includes(name)));
    await expect(readReportFile(written(report), folder)).rejects.toThrow(message);
  });
});

describe('a baseline', () => {
  test('need not exist if it is about to be written', async () => {
    const none = path.join(folder, 'none.json');
    expect(await readBaseline(none, none)).toBeUndefined();
    await expect(readBaseline(none, undefined)).rejects.toThrow('cannot be read (ENOENT)');
    written('{');
    await expect(readBaseline(file, file)).rejects.toThrow('is not JSON');
  });

  test.each<[object, RegExp]>([
    [[], /: the file [^;]*, and is \[\]\.$/],
    [{ entries: [{ check: 'a', reason: '' }] }, /: \/entries\/0\/reason [^;]*, and is ""\.$/],
    [{ entries: [{ check: 'a' }] }, /: \/entries\/0 [^,]*reason[^,]*\.$/],
    [
      { entries: [{ check: 'a', reason: 'b', expires: 'soon' }] },
      /: \/entries\/0\/expires must be a day such as 2026-12-31, and is "soon"\.$/,
    ],
    [{ entries: [{ check: 'a', reason: 'b', until: 'x' }] }, /: \/entries\/0 must have no property "until"\.$/],
    [{ entries: [], more: 1 }, /: the file [^,]*more[^,]*\.$/],
  ])('%j is refused', async (content, message) => {
    written(content);
    await expect(readBaseline(file, undefined)).rejects.toThrow(message);
  });
});
