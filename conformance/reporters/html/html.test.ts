import { createHash } from 'node:crypto';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { UNSEEN } from '../../report/redact.ts';
import type { CheckReport, RecordedExchange, Report } from '../../report/report.ts';
import { html, multiline } from './markup.ts';
import { htmlReporter } from './html.ts';
import texts from '../../testing/hostile-texts.json';
import { HOSTILE, sampleCheck, sampleReport } from '../../testing/sample-report.ts';
import { anyText } from '../../../text/testing/test-any-text.ts';

const HOSTILE_HTML = [HOSTILE, ...texts.html, 'W'.repeat(300), `e${'\u0301'.repeat(60)}`].join(' ');

/** The page, parsed strictly: a text outside its place would be ill-formed, or appear as an element. */
function read(page: string): Document {
  const withoutCode = page.replace('<!doctype html>', '').replace(/(?<=<style>).*(?=<\/style>)/s, '');
  return new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(withoutCode, 'text/xml');
}

const all = (root: Document | Element, tag = '*'): Element[] => Array.from(root.getElementsByTagName(tag));

const classed = (root: Document | Element, name: string): Element[] =>
  all(root).filter((element) => (element.getAttribute('class') ?? '').split(' ').includes(name));

const textOf = (element: Element | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

const oneCheck = (check: Partial<CheckReport>): Report => {
  const failing = sampleCheck('fail', 0);
  return sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }, { checks: [{ ...failing, ...check }] });
};

const withExchange = (exchange: Partial<RecordedExchange>, at?: string): Report => {
  const exchanges = [{ curl: 'curl x', method: 'GET', url: 'http://x/a', status: 200, ...exchange }];
  return oneCheck({ failure: { expected: 'this', actual: 'that', exchanges, at } });
};

describe.each([
  ['of every status', sampleReport()],
  ['that passed', sampleReport({ pass: 4, fail: 0, notJudged: 0, error: 0 })],
  ['with hostile text', sampleReport({ pass: 9, fail: 8, notJudged: 7, error: 6 }, { text: HOSTILE_HTML })],
  ['with seventy checks', sampleReport({ pass: 50, fail: 10, notJudged: 8, error: 2 })],
  ['without a check', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 })],
])('the HTML report of a run %s', (_name, report) => {
  const page = htmlReporter(report);
  const document = read(page);

  test('loads nothing, and runs nothing', () => {
    expect(all(document, 'style')).toHaveLength(1);
    const written = all(document).flatMap(({ tagName, attributes }) => [
      tagName,
      ...Array.from(attributes, ({ name, value }) => `${tagName} ${name}="${value}"`),
    ]);
    const offences = [
      /^(?:script|img|iframe|object|embed|form|base|video|audio|math)$/,
      /^\w+ (?:on|style=|src|action|formaction|ping)/i,
      /^link href="(?!data:image\/svg\+xml,)|^(?!link)\w+ href="(?!#)/,
    ];
    expect(written.filter((one) => offences.some((offence) => offence.test(one)))).toEqual([]);
    const meta = all(document, 'meta').find((one) => one.getAttribute('http-equiv') === 'Content-Security-Policy');
    const [style = ''] = /(?<=<style>).*?(?=<\/style>)/s.exec(page) ?? [];
    const [hash, none] = [style, ''].map((text) => createHash('sha256').update(text).digest('base64'));
    const policy = `default-src 'none'; style-src 'sha256-${hash}'; script-src 'sha256-${none}'`;
    expect(meta?.getAttribute('content')).toBe(`${policy}; img-src data:; base-uri 'none'; form-action 'none'`);
    expect(style).not.toMatch(/<\/|<!--|https?:|@import|url\(/);
    expect(page.replaceAll('\n', '').match(UNSEEN)).toBeNull();
  });

  test('has a target for every link, and no target twice', () => {
    const ids = all(document).flatMap((one) => one.getAttribute('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all(document, 'a').map((one) => (one.getAttribute('href') ?? '').slice(1));
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });
});

test('no text, whatever its source, creates an element or an attribute', () => {
  const namesIn = (page: string): readonly string[] =>
    all(read(page)).flatMap(({ tagName, attributes }) => [
      `<${tagName}>`,
      ...Array.from(attributes, ({ name }) => name),
    ]);
  const reports = [withExchange({ body: '{"id":1}', headers: { a: 'b' } }, '/id'), sampleReport({}, { text: HOSTILE })];
  const known = new Set(reports.flatMap((report) => namesIn(htmlReporter(report))));
  fc.assert(
    fc.property(anyText({ maxLength: 40 }), fc.constantFrom('', '<', '"', "'", '&', '-->'), (some, mark) => {
      const text = `${mark}${some}${mark}`;
      const named = { [text]: text };
      const exchange = { requestHeaders: named, requestBody: text, body: JSON.stringify(named) };
      const exchanges = [{ curl: text, method: text, url: text, headers: { [text]: text }, ...exchange }];
      const failure = { expected: text, actual: text, at: text, exchanges };
      const check = { ...sampleCheck('fail', 1, text), id: text, title: text, failure, supply: text, reason: text };
      const page = htmlReporter(sampleReport({}, { text, checks: [check] }), { includeBodies: some.length % 2 === 0 });
      expect(namesIn(page).filter((name) => !known.has(name))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('inserted values are text, in elements and in attributes', () => {
  const text = `<b a="1">&amp;'`;
  expect(html`<p title="${text}">${text}${[html`<i>${1}</i>`, 'x']}${undefined}${false}</p>`.markup).toBe(
    '<p title="&lt;b a=&quot;1&quot;&gt;&amp;amp;&#39;">&lt;b a=&quot;1&quot;&gt;&amp;amp;&#39;<i>1</i>x</p>',
  );
  expect(html`<p title="${'a\u202eb'}">${'a\u202eb'}</p>`.markup).toBe(
    String.raw`<p title="a\u202eb">a<span class="unseen">\u202e</span>b</p>`,
  );
  const stacked = `e${'\u0301'.repeat(6)}`;
  expect(html`${stacked}`.markup).toBe(`${stacked.slice(0, 5)}${String.raw`\u{301}`.repeat(2)}`);
  expect(multiline('a\r\nb\n\tc').markup).toBe(String.raw`a
b
<span class="unseen">\t</span>c`);
});

test('a failure shows its requirement, what was expected and found, both sides of the exchange, and a command to copy', () => {
  const curl = `curl -sS 'http://x/a?b=<c>&d' -H "authorization: Bearer $TOKEN" --data-raw '{"a":"b"}'`;
  const sent = { curl, url: 'http://127.0.0.1:4010/plain/a' };
  const headers = { 'x-one': '1', 'set-cookie': 'sid=abc' };
  const report = withExchange({ ...sent, headers, body: '{"id":"sec"}', durationMs: 12 }, '/id');
  const document = read(htmlReporter(report));
  const [check] = classed(document, 'check');
  if (!check) throw new Error('no check');
  expect(check.hasAttribute('open')).toBe(true);
  const [{ statement, section, lane, id } = { statement: '', section: '', lane: '', id: '' }] =
    report.checks[0]?.requirements ?? [];
  const fact = (label: string): string => textOf(classed(check, label)[0]);
  expect(fact('requires')).toContain(`requires ${statement} (section ${section}, ${lane})`);
  expect(fact('requires').endsWith(` ${id}`)).toBe(true);
  expect([fact('expected'), fact('actual'), fact('at')]).toEqual(['expected this', 'actual that', 'at /id']);
  const [request, answer] = classed(check, 'side');
  expect(textOf(request)).toContain('GET /a');
  expect(textOf(answer)).toMatch(/^Answer after 12 ms 200 OK 2 headers x-one: 1set-cookie: \(not shown\) /);
  expect(textOf(all(answer ?? document, 'mark')[0])).toBe('"id": string');
  expect(all(check, 'pre').at(-1)?.textContent).toBe(curl);
});

test('lines far from the place are folded', () => {
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key${index}`, index])));
  const [, answer] = classed(read(htmlReporter(withExchange({ body }, '/key29'))), 'side');
  expect(all(answer ?? read('<a/>'), 'summary').map(textOf)).toEqual(['18 lines before', '19 lines after']);
});

test('bodies show their values only on request', () => {
  const report = withExchange({ body: '<html>a-value</html>', requestBody: '{"name":"another-value"}' });
  const [shape, values] = [false, true].map((includeBodies) => htmlReporter(report, { includeBodies }));
  expect(shape).not.toMatch(/a-value|another-value/);
  expect(shape).toMatch(/&quot;name&quot;[^]*20 characters that are not JSON/);
  expect(values).toMatch(/another-value[^]*&lt;html&gt;a-value&lt;\/html&gt;/);
});

test('a section has a list, with what is below each entry and with long lists folded', () => {
  const sections = all(read(htmlReporter(sampleReport())), 'section');
  const [evidence] = sections.filter((one) => one.getAttribute('id') === 'evidence');
  expect(textOf(all(evidence ?? read('<a/>'), 'ul')[0])).toContain(
    'judged 212 of 240 typed locations, 3 seen as null a: 180 of 200, 3 seen as null 2 never seen /agent/tags/*/agent/icon b: 32 of 40 20 never seen /b/0',
  );
});

test('the observed profile can be copied', () => {
  const report = sampleReport({ fail: 0 });
  const [profile] = classed(read(htmlReporter(report)), 'curl');
  expect(JSON.parse(profile?.textContent ?? '')).toEqual(report.observedProfile);
});

test.each<[string, string]>([
  ['2026-05-20T12:30:15.123Z', '2026-05-20 12:30:15 UTC'],
  ['2026-05-20T12:30:15Z', '2026-05-20 12:30:15 UTC'],
  ['2026-05-20T12:30:15+02:00', '2026-05-20T12:30:15+02:00'],
  ['soon', 'soon'],
])('the time %s is written as %s', (startedAt, expected) => {
  const [facts] = classed(read(htmlReporter({ ...sampleReport(), startedAt })), 'facts');
  expect(textOf(facts)).toContain(`Started ${expected} Took`);
});

test.each<[string, Partial<CheckReport>, readonly string[]]>([
  ['that failed', {}, ['expected a string plain, got a number plain at /agent/plain']],
  ['that was not judged', { status: 'not-judged', failure: undefined, reason: 'Not given.' }, ['Not given.']],
  ['that broke', { status: 'error', failure: undefined, reason: 'TypeError: no\n  at x' }, ['TypeError: no']],
  ['that passed', { status: 'pass', failure: undefined }, []],
])('the line of a check %s summarises it', (_, check, expected) => {
  expect(classed(read(htmlReporter(oneCheck(check))), 'brief').map(textOf)).toEqual(expected);
});
