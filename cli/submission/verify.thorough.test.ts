import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Report } from '../../conformance/report/report.ts';
import { served } from '../../http/testing/test-server.ts';
import { createMock } from '../../mock/index.ts';
import { testFolder } from '../testing/test-io.ts';
import { sha256Of, ENVIRONMENT, HISTORY, REPORT, STATEMENT, statementOf } from './bundle.ts';

const { folder, run, write } = testFolder();
const mock = createMock({ seed: 1, faults: ['create-workspace-loses-name'] });
const few = ['--only', 'create-workspace-*', '--only', 'get-agent-answer-shape', '--seed', '7'];
const product = ['--product', 'Acme', '--product-version', '1.0', '--product-commit', 'abc'];
let target: readonly string[];

beforeAll(async () => {
  target = [(await served(mock)).url, '--token', mock.target.token, '--agent-id', mock.target.agentId];
  await run(['check', ...target, ...few, '--write-baseline', 'known.json']);
  const known = JSON.parse(readFileSync(path.join(folder, 'known.json'), 'utf8')) as { entries: object[] };
  const entries = known.entries.map((entry) => ({ ...entry, reason: 'Mended in 1.1.', link: 'https://a.test/issue' }));
  write('known.json', { entries });
  const submitted = '--baseline known.json --submission bundle'.split(' ');
  const { status, stderr } = await run(['check', ...target, ...few, ...product, ...submitted]);
  if (status !== 0) throw new Error(`the submission was not made: ${stderr}`);
});

const bytes = (name: string): Buffer => readFileSync(path.join(folder, 'changed', name));
const put = (name: string, content: string | Uint8Array): void =>
  writeFileSync(path.join(folder, 'changed', name), content);
const json = (name: string): Record<string, unknown> => JSON.parse(bytes(name).toString()) as Record<string, unknown>;

/** A statement with the right digests of what is there: somebody who changes a file can make one. */
function stateAgain(): void {
  const digests = [REPORT, HISTORY, ENVIRONMENT].map((name) => [name, sha256Of(bytes(name))] as const);
  put(STATEMENT, JSON.stringify(statementOf(json(REPORT) as unknown as Report, Object.fromEntries(digests))));
}

/** A report in which anything can be changed. */
type Open = { -readonly [K in keyof Report]: Report[K] };

const inReport = (change: (report: Open) => void) => (): void => {
  const report = json(REPORT) as unknown as Open;
  change(report);
  put(REPORT, JSON.stringify(report));
  stateAgain();
};
const inHistory = (change: (lines: string[]) => string[]) => (): void => {
  const lines = gunzipSync(bytes(HISTORY)).toString().split('\n');
  put(HISTORY, gzipSync(change(lines).join('\n')));
  stateAgain();
};
/** The lines of entries, each with a comma after it but the last. */
const without = (lines: string[], at: number): string[] => lines.filter((_, index) => index !== at);

const passing = (report: Report) => report.checks.find(({ status }) => status === 'pass');
const failing = (report: Report) => report.checks.find(({ status }) => status === 'fail');

async function verified(change: () => void = () => undefined) {
  rmSync(path.join(folder, 'changed'), { recursive: true, force: true });
  cpSync(path.join(folder, 'bundle'), path.join(folder, 'changed'), { recursive: true });
  change();
  const { status, stdout } = await run(['verify', 'changed']);
  return { status, wrong: stdout.split('\n').filter((line) => line.startsWith('✗')) };
}

test('what was submitted is verified, a signature beside it too', async () => {
  expect(await verified()).toEqual({ status: 0, wrong: [] });
  expect(await verified(() => put('statement.json.sig', 'x'))).toEqual({ status: 0, wrong: [] });
  expect(json(STATEMENT)).toMatchObject({ predicate: { product: { name: 'Acme', version: '1.0', commit: 'abc' } } });
  const all = [REPORT, HISTORY, ENVIRONMENT, STATEMENT].map((name) => {
    const content = bytes(name);
    return name === HISTORY ? gunzipSync(content).toString() : content.toString();
  });
  expect(all.join('')).not.toContain(mock.target.token);
});

const stating = (more: object) => (): void => put(STATEMENT, JSON.stringify({ ...json(STATEMENT), ...more }));
const passed = { status: 'pass', failure: undefined };
const flip = (name: string) => (): void => {
  const content = bytes(name);
  const place = Math.floor(content.length / 2);
  content[place] = (content[place] ?? 0) ^ 1;
  put(name, content);
};

test.each<[string, () => void]>([
  ...[REPORT, HISTORY, ENVIRONMENT].flatMap((name): [string, () => void][] => [
    [`another bit in ${name}`, flip(name)],
    [`${name} is missing`, () => rmSync(path.join(folder, 'changed', name))],
    [`${name} is empty`, () => put(name, '')],
  ]),
  ['no statement', () => rmSync(path.join(folder, 'changed', STATEMENT))],
  ['another type of statement', stating({ _type: 'x' })],
  ['another predicate', stating({ predicateType: 'x' })],
  ['no subjects', stating({ subject: [] })],
  ['another result in the statement', () => put(STATEMENT, bytes(STATEMENT).toString().replace('FAILED', 'PASSED'))],
  ['another file', () => put('more.txt', 'x')],
  ['another outcome', inReport((report) => void (report.outcome = 'conformant'))],
  ['a failure that passes', inReport((one) => Object.assign(failing(one) ?? {}, passed))],
  ['other counts', inReport((report) => void (report.counts = { ...report.counts, fail: 0 }))],
  ['another scope', inReport((report) => void (report.scope = { checks: 2, of: 2 }))],
  ['another finding', inReport((report) => Object.assign(failing(report)?.failure ?? {}, { actual: 'less' }))],
  ['a level held', inReport((report) => Object.assign(report.levels?.[0] ?? {}, { status: 'held' }))],
  ['another edition', inReport((report) => void Object.assign(report.contract ?? {}, { edition: '2030-01' }))],
  ['another digest', inReport(({ contract }) => Object.assign(contract ?? {}, { digest: `sha256:${'0'.repeat(64)}` }))],
  ['no product', inReport((report) => void delete (report.target as Record<string, unknown>)['product'])],
  [
    'an exemption without a link',
    inReport(({ baseline }) => Object.assign(baseline?.known[0] ?? {}, { link: undefined })),
  ],
  ['another version of the tool', inReport((report) => void (report.tool = { ...report.tool, version: '9.9.9' }))],
  ['another seed', inReport((report) => void (report.seed = report.seed + 1))],
  ['nothing created', inReport((report) => void (report.created = []))],
  ['no report schema', inReport((report) => Object.assign(passing(report) ?? {}, { status: 'splendid' }))],
  ['an exchange less', inHistory((lines) => without(lines, 3))],
  ['a history without an end', inHistory((lines) => lines.slice(0, -3))],
  [
    'another name in an answer',
    inHistory((lines) => lines.map((line) => line.replaceAll(String.raw`\"workspace\":{`, String.raw`\"workspac\":{`))),
  ],
  ['another status of an answer', inHistory((lines) => lines.map((line) => line.replaceAll(':401', ':200')))],
])('a bundle with %s is not verified', async (_, change) => {
  const { status, wrong } = await verified(change);
  expect(wrong).not.toEqual([]);
  expect(status).toBe(1);
});
