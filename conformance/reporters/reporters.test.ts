import { DOMParser, type Document } from '@xmldom/xmldom';
import { UNSEEN, visible } from '../report/redact.ts';
import type { Report, Status } from '../report/report.ts';
import { reporters, type ReportFormat } from './index.ts';
import { bySection, compareSections, verdictWords } from './wording/wording.ts';
import { endpoints } from '../../spec/index.ts';
import { statusMarks } from './markdown.ts';
import { sarifReporter } from './sarif.ts';
import { HOSTILE, sampleReport, sampleRuns } from '../testing/sample-report.ts';
import { marks } from './text.ts';

const noChecks = { pass: 0, fail: 0, notJudged: 0, error: 0 };
const oneFailure = sampleReport({ ...noChecks, fail: 1 });
const write = (format: ReportFormat, report: Report, color = false): string =>
  reporters[format].reporter(report, { color, verbose: true });

type Verdict = readonly [title: string, status: Status | undefined];

const TAP_POINT = /^(not )?ok (\d+) - [\w-]+: ((?:\\.|[^#\\])*?)(?: # SKIP (.*))?$/;

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { id: string; shortDescription: { text: string } }[] } };
  readonly invocations: readonly {
    readonly executionSuccessful: boolean;
    readonly toolExecutionNotifications: readonly { level: string; associatedRule: { index: number } }[];
  }[];
  readonly results: readonly {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly level: string;
    readonly message: { readonly text: string };
    readonly locations: readonly { physicalLocation: { artifactLocation: { uri: string } } }[];
    readonly partialFingerprints: Readonly<Record<string, string>>;
    readonly webResponse?: { readonly body?: unknown };
  }[];
}

function readSarif(output: string): SarifRun {
  const log = JSON.parse(output) as { readonly runs: readonly [SarifRun] };
  expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif') as unknown });
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

/** What each output says about each check, read back. Titles are compared as they are shown. */
type WholeFormat = Exclude<ReportFormat, 'badge' | 'shields' | 'summary'>;
const readers: Readonly<Record<WholeFormat, (output: string) => readonly Verdict[]>> = {
  text(output) {
    const statuses = new Map(Object.entries(marks).map(([status, mark]) => [mark, status as Status]));
    return output.split('\n').map((line): Verdict => {
      const [, mark = '', title = ''] = /^ {2}(\S) (.*?)(?: {2}\[[\w-]+\])?$/.exec(line) ?? [];
      return [title, statuses.get(mark)];
    });
  },
  json: (output) => (JSON.parse(output) as Report).checks.map(({ title, status }) => [visible(title), status]),
  junit(output) {
    const statuses: Readonly<Record<string, Status>> = { failure: 'fail', skipped: 'not-judged', error: 'error' };
    return Array.from(parseXml(output).getElementsByTagName('testcase'), (element) => [
      element.getAttribute('name') ?? '',
      statuses[element.getElementsByTagName('*')[0]?.tagName ?? ''] ?? 'pass',
    ]);
  },
  html(output) {
    const document = parseXml(output.replace('<!doctype html>', '').replace(/<style>[^]*?<\/style>/, ''));
    return Array.from(document.getElementsByTagName('details')).flatMap((element): Verdict[] => {
      const names = Array.from(element.getElementsByTagName('bdi'));
      const title = names.find((one) => one.getAttribute('class') === 'title')?.textContent;
      return typeof title === 'string' ? [[title, element.getAttribute('data-status') as Status]] : [];
    });
  },
  markdown(output) {
    const statuses = new Map(Object.entries(statusMarks).map(([status, mark]) => [mark, status as Status]));
    const list = output.slice(output.indexOf('### All checks')).split('\n');
    return list.map((line): Verdict => {
      const [, mark = '', title = ''] = /^- (\S+) (.*) `[\w-]+`$/.exec(line) ?? [];
      const text = title.replaceAll('<span>$</span>', '$').replaceAll('&#8203;', '');
      return [text.replace(/\\([!-/:-@[-`{-~])/g, '$1'), statuses.get(mark)];
    });
  },
  ctrf(output) {
    const statuses: Readonly<Record<string, Status>> = { passed: 'pass', failed: 'fail', skipped: 'not-judged' };
    const { results } = JSON.parse(output) as { results: { tests: readonly { name: string; status: string }[] } };
    return results.tests.map(({ name, status }) => [name, status === 'other' ? 'error' : statuses[status]]);
  },
  sarif(output) {
    const { tool, results, invocations } = readSarif(output);
    const statuses = new Map<number, Status>(results.map(({ ruleIndex }) => [ruleIndex, 'fail']));
    for (const { level, associatedRule } of invocations.flatMap((one) => one.toolExecutionNotifications))
      statuses.set(associatedRule.index, level === 'note' ? 'not-judged' : 'error');
    return tool.driver.rules.map((rule, index) => [rule.shortDescription.text, statuses.get(index) ?? 'pass']);
  },
  tap(output) {
    const [version, , plan, ...lines] = output.trimEnd().split('\n');
    expect(version).toBe('TAP version 14');
    const points: Verdict[] = [];
    const notes: string[] = [];
    let isInYaml = false;
    for (const line of lines) {
      const [point, not, number, title = '', skip] = TAP_POINT.exec(line) ?? [];
      if (isInYaml && line !== '  ...') {
        expect(line).toMatch(/^ {2}\S| {4}- /);
        const [, text] = /^ {2}\w+: (".*")$/.exec(line) ?? [];
        if (text !== undefined) JSON.parse(text);
        if (line === '  status: error') points.push([points.pop()?.[0] ?? '', 'error']);
      } else if (point === undefined) {
        isInYaml = line === '  ---';
        if (!/^ {2}(?:---|\.\.\.)$/.test(line)) notes.push(line);
      } else {
        const judged = not === undefined ? 'pass' : 'fail';
        points.push([title.replace(/\\(.)/g, '$1'), skip === undefined ? judged : 'not-judged']);
        expect(Number(number)).toBe(points.length);
      }
    }
    expect([plan, notes.filter((line) => !/^# \w+: \S/.test(line))]).toEqual([`1..${points.length}`, []]);
    expect(notes).toContainEqual(expect.stringMatching(/^# verdict: /));
    return points;
  },
};

function countsOf(verdicts: readonly Verdict[]): Report['counts'] {
  const having = (wanted: Status): number => verdicts.filter(([, status]) => status === wanted).length;
  return { pass: having('pass'), fail: having('fail'), notJudged: having('not-judged'), error: having('error') };
}

function parseXml(text: string): Document {
  return new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(text, 'text/xml');
}

test.each(sampleRuns)('badges and the summary of a run %s say its verdict, and only text', (_name, report) => {
  const words = verdictWords(report);
  const svg = parseXml(write('badge', report));
  expect(Array.from(svg.getElementsByTagName('*'), ({ tagName }) => tagName).join(' ')).toBe(
    'svg title rect path g text text',
  );
  expect(svg.getElementsByTagName('text').item(1)?.textContent).toBe(words);
  expect(JSON.parse(write('shields', report))).toMatchObject({ schemaVersion: 1, message: words });
  const summary = write('summary', report).split('\n');
  expect(summary[0]).toContain(words);
  expect(summary[2]).toContain(`${report.counts.fail} broken`);
  expect(summary.length).toBeLessThan(40);
  expect(write('summary', report).replaceAll('\n', '').match(UNSEEN)).toBeNull();
});

describe.each(Object.keys(readers) as WholeFormat[])('the %s report', (format) => {
  test.each(sampleRuns)('of a run %s, read back, has the same verdicts and counts', (_name, report) => {
    const verdicts = readers[format](write(format, report)).filter(([, status]) => status !== undefined);
    expect(new Map(verdicts)).toEqual(new Map(report.checks.map(({ title, status }) => [visible(title), status])));
    expect(countsOf(verdicts)).toEqual(report.counts);
  });

  test('contains nothing that a terminal executes, and is the same for the same run', () => {
    const output = write(format, sampleReport({}, { text: HOSTILE })).replaceAll('\n', '');
    expect(output.match(UNSEEN)).toBeNull();
    expect(output).toContain('é 日本 😀');
    expect(write(format, sampleReport({}, { text: HOSTILE })).replaceAll('\n', '')).toBe(output);
  });
});

describe('the text report', () => {
  const output = write('text', sampleReport());
  const lines = output.trimEnd().split('\n');

  test('begins with the target, the seed and the time, and ends with the verdict and the counts', () => {
    expect(lines[0]).toBe(
      'agent-contract 0.0.0  http://127.0.0.1:4010/plain  seed 42, started 2026-11-21 04:00:00 UTC, took 1.2 s, requests 321, typed locations seen 212 of 240',
    );
    expect(lines.at(-1)).toBe('NONCONFORMANT: 3 passed, 2 failed, 3 not judged, 1 error');
  });

  test('has the sections as headings in the order of the specification', () => {
    const headings = lines.flatMap((line) => /^(\d[\d.]*) {2}\S/.exec(line)?.[1] ?? []);
    expect(headings).toEqual(headings.toSorted(compareSections));
    expect(headings).toEqual(bySection(sampleReport().checks).map(({ number }) => number));
    expect(headings.length).toBeGreaterThan(3);
  });

  test('shows a failure in full', () => {
    const { checks } = oneFailure;
    const [requirement] = checks[0]?.requirements ?? [];
    const failure = write('text', oneFailure);
    expect(failure).toContain(
      [
        '  ✗ Check 0 plain  [check-0]',
        `      requires  ${requirement?.statement ?? ''} (section ${requirement?.section ?? ''}, ${requirement?.lane ?? ''})`,
        '      expected  a string plain',
        '      actual    a number plain',
        '      at        /agent/plain',
        '      also      expected true, got plain',
        '      request   curl x',
        '      answer    No answer: closed plain',
        `      before    curl -sS 'http://127.0.0.1:4010/plain' -H "authorization: Bearer $TOKEN"`,
        '      answer    200 OK {"name":"plain"}',
      ].join('\n'),
    );
  });

  test('groups unjudged checks by what to supply, with those that nothing helps last', () => {
    const from = lines.findIndex((line) => line.startsWith('Not judged'));
    expect(lines.slice(from + 1, from + 7)).toEqual([
      '  To judge these: --agent-id',
      '    nothing to judge plain',
      '      Check 42 plain',
      '  Nothing that you can supply would help:',
      '    nothing to judge plain',
      '      Check 35 plain',
    ]);
  });

  test('shows observed choices, the depth of the evidence and what was created', () => {
    expect(output).toContain(
      [
        '  2.12  Which format? → none of the known choices: plain',
        '  4.7   Which status? → created: 201 plain',
        '  1 choice as a profile, with which mock --profile FILE answers like this target: observedProfile in the JSON report',
      ].join('\n'),
    );
    expect(output).toContain(
      [
        '  judged 212 of 240 typed locations, 3 seen as null',
        '    a: 180 of 200, 3 seen as null, never seen: /agent/tags/*, /agent/icon',
        '    b: 32 of 40, never seen: /b/0, /b/1, /b/2, /b/3, /b/4, /b/5, /b/6, /b/7, and 12 more',
      ].join('\n'),
    );
    expect(output).toContain('  agent     id plain  name plain');
    // An error of the runner is there without its stack.
    expect(output).toContain('broke     TypeError: plain');
    expect(output).not.toContain('file.ts');
  });

  test('shows no passed check, choice or created resource unless it is verbose, and says that', () => {
    const short = reporters.text.reporter(sampleReport(), { color: false });
    expect(short.match(/[✓–]|Observed|Created on|Depth/g)).toBeNull();
    expect(short).toContain('  ✗ Check 21 plain  [check-21]');
    expect(short).toContain('  To judge these: --agent-id\n    1 check: nothing to judge plain\n');
    expect(short).toContain(
      'With --verbose, and in the HTML and JSON reports: 3 checks that passed, 2 observed choices, 1 resource',
    );
    expect(short.split('\n').at(-2)).toBe(lines.at(-1));
  });

  test('has no line of more than 300 characters, a command aside, which stands in the JSON report if it is very long', () => {
    const long = write('text', sampleReport({}, { text: 'word '.repeat(600) }));
    const others = long.split('\n').filter((line) => !/curl |✓|✗|–|!/.test(line));
    expect(Math.max(...others.map(({ length }) => length))).toBeLessThanOrEqual(300);
    expect(long).toMatch(/before {4}a command of \d+ characters, which is in the JSON report/);
  });

  test('names first what a run without requests needs first, and nothing else', () => {
    const asked = sampleReport({ pass: 0, fail: 0, error: 0 }, { requests: 0, observations: [], created: [] });
    const short = reporters.text.reporter(asked, { color: false });
    expect(short.match(/To judge these|Nothing that you can/g)).toEqual(['To judge these']);
    expect(short).not.toContain('--verbose');
  });

  test('is coloured only on request', () => {
    const colored = write('text', sampleReport(), true);
    // oxlint-disable-next-line no-control-regex
    const escapes = /\u001b\[\d+m/g;
    expect(colored.match(escapes)?.length).toBeGreaterThan(20);
    expect(colored.replace(escapes, '')).toBe(output);
  });
});

describe('the JSON report', () => {
  test.each(sampleRuns)('of a run %s, parsed, equals the report', (_name, report) => {
    expect(JSON.parse(write('json', report))).toEqual(report);
  });

  test('has its properties in the same order, however the run built it, and those of the profile as they are', () => {
    const observedProfile = { 'success-status': 'ok', 'content-type': 'read', 'absent-values': 'null' } as const;
    const report = sampleReport({}, { observedProfile });
    const reversed = Object.fromEntries(Object.entries(report).toReversed());
    expect(write('json', reversed as unknown as Report)).toBe(write('json', report));
    const read = JSON.parse(write('json', report)) as Report;
    expect(Object.keys(read).slice(0, 4)).toEqual(['tool', 'target', 'seed', 'startedAt']);
    expect(Object.keys(read.observedProfile)).toEqual(Object.keys(observedProfile));
  });

  test('contains no command of a CI server, and keeps a header called __proto__', () => {
    const report = sampleReport({}, { text: 'a ##[add-mask]b\n::error::c ###[x]' });
    for (const { failure } of report.checks)
      Object.assign(failure?.exchanges[0] ?? {}, { headers: JSON.parse('{"__proto__":"odd"}') as object });
    expect(write('json', report)).not.toMatch(/##\[|^\s*::/m);
    expect(write('json', report)).toContain('"__proto__": "odd"');
    expect(JSON.parse(write('json', report))).toEqual(report);
  });
});

describe('the JUnit report', () => {
  const attributesOf = (xml: string, tag: string): Record<string, string>[] =>
    Array.from(parseXml(xml).getElementsByTagName(tag), (element) =>
      Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value ?? ''])),
    );

  test.each(sampleRuns)('of a run %s has the right counts on every level', (_name, report) => {
    const document = parseXml(write('junit', report));
    const tags = { tests: 'testcase', failures: 'failure', errors: 'error', skipped: 'skipped' };
    for (const level of ['testsuites', 'testsuite'])
      for (const suite of Array.from(document.getElementsByTagName(level)))
        for (const [name, tag] of Object.entries(tags))
          expect([name, suite.getAttribute(name)]).toEqual([name, String(suite.getElementsByTagName(tag).length)]);
    const { name, time } = attributesOf(write('junit', report), 'testsuites')[0] ?? {};
    expect([name, time]).toEqual(['agent-contract', '1.234']);
  });

  test('names failures with their requirements, and says why other checks were not judged', () => {
    const report = sampleReport({ pass: 0, fail: 1, notJudged: 1, error: 0 });
    const xml = write('junit', report);
    const message = 'expected a string plain, got a number plain at /agent/plain';
    expect(attributesOf(xml, 'failure')).toEqual([{ message, type: report.checks[0]?.requirements[0]?.id }]);
    expect(attributesOf(xml, 'testcase')[0]).toEqual({ classname: 'check-0', name: 'Check 0 plain', time: '0' });
    expect(xml).toMatch(/<failure [^>]*>requires  [^<]*\nexpected  a string plain\nactual    [^<]*\S<\/failure>/);
    expect(xml).toContain('at        /agent/plain');
    expect(xml).toMatch(/<skipped [^>]*\/>/);
  });

  test('keeps hostile text within its attribute or element', () => {
    const xml = write('junit', sampleReport({ pass: 1, fail: 1, notJudged: 0, error: 0 }, { text: HOSTILE }));
    const [, failed] = attributesOf(xml, 'testcase');
    expect(failed?.['name']).toContain('<script>alert(1)</script>&amp;"\' | ]]> <!-- --> <?x?> | \\u001b[31mred');
    expect(attributesOf(xml, 'script')).toEqual([]);
    expect(xml.match(/<testcase [^>]*\/>/g)).toHaveLength(1);
  });

  test.each([
    ['that reached nothing', sampleReport({ pass: 0, fail: 0, notJudged: 2, error: 0 }, { outcome: 'unreachable' })],
    ['without a check', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 })],
  ])('of a run %s is not green', (_name, report) => {
    const xml = write('junit', report);
    expect(attributesOf(xml, 'testsuites')[0]).toMatchObject({ errors: '1', tests: String(report.checks.length + 1) });
    expect(attributesOf(xml, 'error')).toEqual([{ message: 'What it rests on plain', type: report.outcome }]);
  });
});

test('every documented section has a title, and sections are ordered by number', () => {
  expect(['2.10', '4', '2.9', '10', '4.1'].toSorted(compareSections)).toEqual(['2.9', '2.10', '4', '4.1', '10']);
  for (const { title } of bySection(sampleRuns.at(-1)?.[1].checks ?? [])) expect(title).not.toBe('');
});

describe('the SARIF report', () => {
  test.each(sampleRuns)('of a run %s has a rule for each check and a result for each failure', (_name, report) => {
    const { tool, results, invocations } = readSarif(sarifReporter(report));
    const failed = report.checks.flatMap(({ id, status }, index) => (status === 'fail' ? [[id, index, 'error']] : []));
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(report.checks.map(({ id }) => id));
    expect(results.map(({ ruleId, ruleIndex, level }) => [ruleId, ruleIndex, level])).toEqual(failed);
    expect(invocations[0]?.executionSuccessful).toBe(report.counts.error === 0);
  });

  test('has a relative URI, and the same fingerprint for the same failure, another for another', () => {
    const report = sampleReport({ ...noChecks, fail: 2 });
    const { results } = readSarif(sarifReporter(report));
    for (const [index, { locations }] of results.entries()) {
      const uri = locations[0]?.physicalLocation.artifactLocation.uri ?? '';
      const endpoint = report.checks[index]?.endpoint ?? 'get-agent';
      expect(uri).toMatch(/^[\w%-]+(?:\/[\w%-]+)*$/);
      expect(`/${decodeURIComponent(uri)}`).toBe(endpoints[endpoint].path);
    }
    const prints = results.map((one) => one.partialFingerprints);
    expect(new Set(prints.map((one) => one['primaryLocationLineHash'])).size).toBe(2);
    const again = readSarif(sarifReporter({ ...report, seed: 1, startedAt: 'never' })).results;
    expect(again.map((one) => one.partialFingerprints)).toEqual(prints);
  });

  test('has no link in a message, and bodies only on request', () => {
    const report = sampleReport({ ...noChecks, fail: 1 }, { text: '[x](javascript:1)' });
    for (const { failure } of report.checks) Object.assign(failure?.exchanges ?? [], { length: 1 });
    const [without, having] = [{}, { includeBodies: true }].map(
      (options) => readSarif(sarifReporter(report, options)).results[0],
    );
    expect(without?.message.text).toContain(String.raw`\[x\](javascript:1)`);
    expect(without?.webResponse).not.toHaveProperty('body');
    expect(having?.webResponse?.body).toEqual({ text: '{"name":"[x](javascript:1)"}' });
  });
});

test.each<[string, Partial<Report['counts']>, Report['outcome'], boolean]>([
  ['with a check that passed', { pass: 1, notJudged: 2 }, 'partial', false],
  ['with a check that failed', { fail: 1, notJudged: 2 }, 'nonconformant', false],
  ['with a check that broke', { error: 1, notJudged: 2 }, 'partial', false],
  ['that judged nothing', { notJudged: 2 }, 'partial', true],
  ['without a check', {}, 'partial', true],
  ['that reached nothing', { notJudged: 2 }, 'unreachable', true],
])('the TAP report of a run %s %j, which is %s, bails out: %s', (_name, counts, outcome, bails) => {
  expect(/^Bail out!/m.test(write('tap', sampleReport({ ...noChecks, ...counts }, { outcome })))).toBe(bails);
});
