import { violationIds } from '../../../spec/index.ts';
import type { CheckReport, FailureReport, RecordedExchange, Report } from '../../report/report.ts';
import { githubReporter, isReportFormat, reporters, type ReportFormat } from '../index.ts';
import { sampleCheck, sampleReport } from '../../testing/sample-report.ts';

const write = (format: ReportFormat, report: Report): string =>
  reporters[format].reporter(report, { color: false, includeBodies: true, verbose: true });

const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

const exchange = (index: number): RecordedExchange => ({
  curl: `curl ${index}`,
  method: 'GET',
  url: `http://x/${index}`,
  status: 200,
});

function failing(failure: Partial<FailureReport>, check: Partial<CheckReport> = {}): Report {
  const found = { expected: 'this', actual: 'that', exchanges: [], ...failure };
  return sampleReport(
    { pass: 0, fail: 1, notJudged: 0, error: 0 },
    { checks: [{ ...sampleCheck('fail', 0), failure: found, ...check }] },
  );
}

const asking = (part: Partial<RecordedExchange>): Report => failing({ exchanges: [{ ...exchange(0), ...part }] });

const otherPlaces = (count: number): Report =>
  failing({ more: list(count, () => ({ expected: 'this', actual: 'that' })) });
const exchanges = (count: number): Report => failing({ exchanges: list(count, exchange) });
const neverSeen = (count: number): Report => {
  const places = list(count, (index) => `/place${index}`);
  return sampleReport({}, { evidence: [{ schema: 's', typed: 99, seenValid: 1, seenNull: 0, neverSeen: places }] });
};
const requirements = (count: number): Report => {
  const one = { id: 'agent-shape', section: '1', lane: 'stated' } as const;
  return failing({}, { requirements: list(count, (index) => ({ ...one, statement: `sentence ${index}` })) });
};
const proofs = (count: number): Report =>
  failing({}, { provenBy: violationIds.slice(0, count).map((id) => ({ id, does: `It does this.` })) });
const news = (count: number): Report => {
  const all = list(count, (n) => ({ kind: 'now-passes' as const, check: `check ${n}`, says: 'It passes.' }));
  return sampleReport({}, { baseline: { verdict: 'news', known: [], news: all } });
};
const serverErrors = (count: number): Report => {
  const shown = list(count, () => ({ endpoint: 'get-agent' as const, status: 500, curl: 'curl broken' }));
  return sampleReport({}, { serverErrors: { count, shown } });
};
const longCurl = (count: number): Report => asking({ curl: 'ü'.repeat(count) });
const failures = (fail: number): Report => sampleReport({ pass: 0, fail, notJudged: 0, error: 0 });

/**
 * The number that is shown. If there is one more, the report gives the number of those left out. `shown` is what each looks like.
 */
test.each<[ReportFormat, string, number, (count: number) => Report, string, RegExp | undefined]>([
  ['text', 'other places', 5, otherPlaces, '1 more of these', / also {6}expected this/g],
  ['text', 'exchanges', 3, exchanges, '1 exchange before these, in the JSON', / (?:request|before) +curl \d/g],
  ['text', 'requirements', 1, requirements, '1 more: see agent-contract explain check-0', / requires {2}sentence/g],
  ['text', 'characters of an answer', 250, (count) => asking({ body: 'ü'.repeat(count) }), 'ü…', /ü/g],
  ['text', 'characters of a command', 2000, longCurl, '2001 characters', undefined],
  ['text', 'places never seen', 8, neverSeen, ' and 1 more', /\/place\d/g],
  ['text', 'differences from the baseline', 100, news, '  and 1 more', /passes now {2}check/g],
  ['text', 'answers above 499', 3, serverErrors, '  and 1 more', / 500 {2}curl broken/g],
  ['markdown', 'characters of a text', 600, (count) => failing({ expected: 'ü'.repeat(count) }), 'ü…', /ü/g],
  ['markdown', 'characters of a body', 3000, (count) => asking({ body: 'ü'.repeat(count) }), 'ü…', /ü/g],
  ['markdown', 'characters of a command', 2000, longCurl, '2001 characters', undefined],
  ['markdown', 'proofs', 10, proofs, '- and 1 more', /^- It does this\\?\. `/gm],
  ['html', 'other places', 5, otherPlaces, '1 more of these', /<dt>also<\/dt>\s*<dd>(?:<[^>]*>)*expected this/g],
  ['html', 'failures at a glance', 5, failures, 'and 1 more failure below', /<span><bdi>expected a string/g],
])('the %s report shows this many %s: %d', (format, _what, most, build, says, shown) => {
  const [whole, cut] = [write(format, build(most)), write(format, build(most + 1))];
  const anyNumber = new RegExp(says.replace(/\d[\d,]*/, String.raw`[-\d,]+`));
  expect([whole, cut].map((output) => anyNumber.exec(output)?.[0])).toEqual([undefined, says]);
  if (shown) expect([whole, cut].map((output) => output.match(shown)?.length)).toEqual([most, most]);
});

const full = sampleReport();
const noNulls = sampleReport({}, { evidence: full.evidence.map((one) => ({ ...one, seenNull: 0 })) });
const causes = (...shared: readonly string[]): Report =>
  sampleReport({}, { causes: [{ requirement: 'agent-shape', expected: 'this', actual: 'that', checks: shared }] });
const mended = { check: 'check-21', reason: 'being mended' };
const known = sampleReport({}, { baseline: { verdict: 'nothing-new', known: [mended], news: [] } });
const beyond = failing({ at: '/a', exchanges: [{ ...exchange(0), body: '{"b":' }] });
const passing = (judged: number): Report =>
  sampleReport({ pass: 1, fail: 0, notJudged: 0, error: 0 }, { checks: [{ ...sampleCheck('pass', 0), judged }] });
const unjudged = (supply: Partial<CheckReport>): Report => {
  const check = { ...sampleCheck('not-judged', 1), ...supply };
  return sampleReport({ pass: 0, fail: 0, notJudged: 1, error: 0 }, { checks: [check] });
};

/** Text that appears in a report only if there is something to say. Text, Markdown and HTML print the same outline. */
test.each<[ReportFormat, string, Report, Report, RegExp]>([
  ['text', 'an error of the runner', full, sampleReport({ error: 0 }), /, \d+ errors?$/m],
  ['text', 'nulls', full, noNulls, /seen as null/],
  ['text', 'evidence', full, sampleReport({}, { evidence: [] }), /Depth of evidence/],
  ['text', 'observations', full, sampleReport({}, { observations: [] }), /Observed choices/],
  ['text', 'a known choice', full, sampleReport({}, { observedProfile: {} }), /as a profile/],
  ['text', 'what was created', full, sampleReport({}, { created: [] }), /Created on the target/],
  ['text', 'what was not judged', full, sampleReport({ notJudged: 0 }), /^Not judged/m],
  ['text', 'what a wrong token hides', full, sampleReport({}, { outcome: 'unreachable' }), /^Not judged/m],
  ['text', 'a cause', causes('one', 'two'), causes('one'), /Causes \(each shows in several checks\)\n.*\n +one, two/],
  ['text', 'a status above 499', serverErrors(3), full, /Answers with a status above 499/],
  ['text', 'a baseline', known, full, /Compared with the baseline\n {2}known {2}check-21: being mended\n/],
  ['text', 'a place', failing({ at: '' }), failing({}), /^ +at +the whole body$/m],
  ['text', 'its other requirements', requirements(2), requirements(1), /1 more: see agent-contract explain/],
  ['markdown', 'a failure', full, sampleReport({ fail: 0, error: 0 }), /### Failures/],
  ['markdown', 'an error of the runner', full, sampleReport({ error: 0 }), /- \*\*Broke\*\* `TypeError: plain`/],
  ['markdown', 'a check', full, sampleReport({}, { checks: [] }), /### All checks/],
  ['markdown', 'a proof', proofs(1), proofs(0), /Proven to catch/],
  ['markdown', 'a duration', asking({ durationMs: 12 }), asking({}), / after 12 ms/],
  ['markdown', 'a body', asking({ body: 'x' }), asking({ body: '' }), /<summary>Its body</],
  ['markdown', 'a word', failing({ actual: 'x' }), failing({ actual: ' ' }), /\*\*Actual\*\* `x`/],
  ['html', 'a link to what was created', full, sampleReport({}, { created: [] }), /<a href="#created">/],
  ['html', 'the lack of checks', sampleReport({}, { checks: [] }), full, /No check was run/],
  ['html', 'a check', full, sampleReport({}, { checks: [] }), /<legend>Show/],
  ['html', 'what was judged', passing(1), passing(0), /judged on 1</],
  ['html', 'a known failure', known, full, /<span class="badge">known<\/span>/],
  ['html', 'a failure that is new', full, known, /<ol class="digest"(?:(?!<\/ol>)[^])*Check 21 plain/],
  ['html', 'a proof', proofs(1), proofs(0), /Proven to catch/],
  ['html', 'a duration', asking({ durationMs: 12 }), asking({}), /after 12 ms/],
  ['html', 'a header of a request', asking({ requestHeaders: { a: 'b' } }), asking({}), /<ul class="headers">/],
  ['html', 'what to supply', unjudged({ supply: '--agent-id' }), unjudged({}), /<div class="supply">/],
  ['html', 'a place beyond the body', beyond, full, /lies beyond/],
  ['junit', 'a place', failing({ at: '' }), failing({}), /^at {8}the whole body</m],
  ['junit', 'what to supply', unjudged({ supply: '--agent-id' }), unjudged({}), /Supply --agent-id\./],
  ['junit', 'the lack of checks', sampleReport({}, { checks: [] }), full, /classname="run"/],
  ['tap', 'a place', failing({ at: '/id' }), failing({}), /^ {2}at: "\/id"$/m],
  ['tap', 'an exchange', exchanges(1), exchanges(0), /^ {2}curl:$/m],
  ['tap', 'what to supply', unjudged({ supply: '--agent-id' }), unjudged({}), /# SKIP .*Supply --agent-id/],
  ['tap', 'silence', sampleReport({ pass: 0, fail: 0, error: 0 }), sampleReport({ pass: 1, fail: 1 }), /Bail out!/],
])('the %s report mentions %s only if there is something to say', (format, _what, there, absent, says) => {
  expect([there, absent].map((report) => says.test(write(format, report)))).toEqual([true, false]);
});

test('up to three failures are open from the start, more are not', () => {
  const open = (report: Report): number[] => [
    write('html', report).match(/data-id="[\w-]+" +open=""/g)?.length ?? 0,
    write('markdown', report).match(/^#### ❌ Check/gm)?.length ?? 0,
    write('markdown', report).match(/<summary>❌ <b>Check/g)?.length ?? 0,
  ];
  expect(open(failures(3))).toEqual([3, 3, 0]);
  expect(open(failures(4))).toEqual([0, 0, 4]);
});

test('the last of several exchanges is the one that failed, which comes first, and only there the place is marked', () => {
  const report = failing({ at: '/id', exchanges: list(2, (index) => ({ ...exchange(index), body: '{"id":1}' })) });
  const page = write('html', report);
  expect(page).toMatch(/The exchange that failed[^]*Before it: exchange 1 of 2/);
  expect(page.match(/<mark>[^\n]*<\/mark>/g)).toEqual(['<mark>  &quot;id&quot;: 1</mark>']);
  expect(write('markdown', report).match(/← here/g)).toHaveLength(1);
});

test('the icon of the page has its own colour for each outcome', () => {
  const colours = (['conformant', 'partial', 'nonconformant', 'unreachable'] as const).map(
    (outcome) => /fill%3D&#39;%23([\da-f]{6})&#39;/.exec(write('html', sampleReport({}, { outcome })))?.[1],
  );
  expect(new Set(colours).size).toBe(4);
  expect(colours).not.toContain(undefined);
});

test('JUnit has the first line of an error as its message, and all of it as its text', () => {
  expect(write('junit', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 1 }))).toContain(
    '<error message="TypeError: plain" type="error">TypeError: plain\n    at somewhere (file.ts:1:1)</error>',
  );
});

const silent = { ...sampleCheck('fail', 0), failure: undefined, provenBy: undefined, judged: undefined };
const withChecks = Object.keys(reporters).filter((name) => !['badge', 'shields', 'summary'].includes(name));

test.each(withChecks.filter(isReportFormat))(
  'a failure without what a report may lack is shown as it is in %s',
  (format) => {
    const output = write(format, { ...failures(1), checks: [silent] });
    expect(output).toContain('Check 0 plain');
    expect(output).toContain('check-0');
    expect(output).not.toMatch(/undefined|\[object/);
  },
);

test('an annotation of such a failure has its title and its requirement', () => {
  const [{ section, statement } = { section: '', statement: '' }] = silent.requirements;
  expect(githubReporter({ ...failures(1), checks: [silent] }, { color: false })).toContain(
    `title=check-0::Check 0 plain%0Asection ${section}: ${statement}\n`,
  );
});
