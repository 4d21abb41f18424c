import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sampleReport } from '../../conformance/testing/sample-report.ts';
import { toCurl } from '../../text/curl.ts';
import { temporaryFolder } from '../testing/test-io.ts';
import { withBodiesBeside } from './publish.ts';

const folder = temporaryFolder();
const url = 'http://127.0.0.1:4010/api/v1/agents';

function moved(body: string, curl = toCurl({ method: 'POST', url, headers: { 'content-type': 'a/b' }, body })) {
  const report = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 });
  const checks = report.checks.map((check) => ({
    ...check,
    failure: { expected: 'a', actual: 'b', exchanges: [{ curl, method: 'POST', url, requestBody: body }] },
  }));
  const file = path.join(folder, `${body.length}.txt`);
  const [check] = withBodiesBeside({ ...report, checks }, file, (text) => text.replaceAll('secret', '$TOKEN')).checks;
  return { before: curl, after: check?.failure?.exchanges[0]?.curl ?? '', written: `${file}.bodies` };
}

test.each([
  ['in an argument', `{"a":"${"it's ".repeat(100)}"}`],
  ['in a pipe', `{"a":"${'é'.repeat(5000)}"}`],
])('a long body %s gets a file beside the report, which the command names', (_, body) => {
  const { after, written } = moved(body);
  expect(after).toBe(`curl -sS -i ${url} -H 'content-type: a/b' --data-binary @${written}/1.json`);
  expect(readFileSync(path.join(written, '1.json'), 'utf8')).toBe(body);
});

test('what is written passes the guard of the program', () => {
  const { written } = moved(`{"a":"secret ${'x'.repeat(400)}"}`);
  expect(readFileSync(path.join(written, '1.json'), 'utf8')).toContain('"$TOKEN x');
});

test.each([
  ['is short', '{"a":1}', undefined],
  ['holds a variable', 'x'.repeat(400), `curl -sS -i ${url} --data-raw "${'x'.repeat(400)}$TOKEN"`],
])('a command whose body %s stays as it is', (_, body, curl) => {
  const { before, after } = moved(body, curl);
  expect(after).toBe(before);
  expect(readdirSync(folder)).not.toContain(`${body.length}.txt.bodies`);
});
