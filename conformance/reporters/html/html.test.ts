import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { UNSEEN, visible } from '../../report/redact.ts';
import type { CheckReport, RecordedExchange, Report } from '../../report/report.ts';
import { html, multiline } from './markup.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { htmlReporter } from './html.ts';
import { HOSTILE, sampleCheck, sampleReport } from '../../testing/sample-report.ts';
import { anyText } from '../../../text/testing/test-any-text.ts';

const HOSTILE_HTML = [
  HOSTILE,
  '</script><script>alert(1)</script>',
  '</style><style>*{color:red}</style>',
  '<img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)" x="',
  "' onfocus='alert(1)' autofocus '",
  'javascript:alert(1)',
  '--><!--',
  'W'.repeat(300),
  `e${'\u0301'.repeat(60)}`,
].join(' ');

/** The page, parsed strictly: a text outside its place would be ill-formed, or appear as an element. */
function read(page: string): Document {
  const withoutCode = page.replace('<!doctype html>', '').replace(style, '').replace(script, '');
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
  return oneCheck({ failure: { expected: 'this', actual: 'that', exchanges, ...(at === undefined ? {} : { at }) } });
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

  test('has, when read back, the same verdicts and counts', () => {
    expect(textOf(all(document, 'h1')[0]).toLowerCase()).toBe(report.outcome);
    const checks = classed(document, 'check');
    expect(
      Object.fromEntries(checks.map((one) => [one.getAttribute('data-id'), one.getAttribute('data-status')])),
    ).toEqual(Object.fromEntries(report.checks.map(({ id, status }) => [id, status])));
    expect(checks.map((one) => textOf(classed(one, 'title')[0])).toSorted()).toEqual(
      report.checks.map(({ title, status }) => shownTitle(title, status)).toSorted(),
    );
    const counts = Object.fromEntries(
      all(classed(document, 'counts')[0] ?? document, 'li').map((one) => [
        one.getAttribute('data-status'),
        Number(textOf(all(one, 'b')[0])),
      ]),
    );
    const { pass, fail, notJudged, error } = report.counts;
    expect(counts).toEqual({ pass, fail, 'not-judged': notJudged, ...(error > 0 ? { error } : {}) });
  });

  test('loads nothing, and runs only its own script', () => {
    expect(all(document, 'script')).toHaveLength(1);
    expect(all(document, 'style')).toHaveLength(1);
    const offences = all(document).flatMap((element) => [
      ...(/^(?:img|iframe|object|embed|form|base|video|audio|math)$/.test(element.tagName) ? [element.tagName] : []),
      ...Array.from(element.attributes).flatMap(({ name, value }) => {
        const mayLink = element.tagName === 'link' ? /^data:image\/svg\+xml,/ : /^#/;
        const isWrong =
          /^(?:on|style$|src|action|formaction|ping)/i.test(name) || (name === 'href' && !mayLink.test(value));
        return isWrong ? [`${name}="${value}"`] : [];
      }),
    ]);
    expect(offences).toEqual([]);
    const meta = all(document, 'meta').find((one) => one.getAttribute('http-equiv') === 'Content-Security-Policy');
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
    expect(page).toContain(`<style>${style}</style>`);
    expect(page).toContain(`<script>${script}</script>`);
    expect(meta?.getAttribute('content')).toBe(
      `default-src 'none'; style-src 'sha256-${hash(style)}'; script-src 'sha256-${hash(script)}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
  });

  test('contains nothing that a browser or a terminal executes', () => {
    expect(page.replaceAll('\n', '').match(UNSEEN)).toBeNull();
  });

  test('has a target for every link, and no target twice', () => {
    const ids = all(document).flatMap((one) => one.getAttribute('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all(document, 'a').map((one) => (one.getAttribute('href') ?? '').slice(1));
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });
});

function shownTitle(title: string, status: string): string {
  const words = { pass: 'Passed', fail: 'Failed', 'not-judged': 'Not judged', error: 'Runner error' }[status] ?? '';
  const capped = title.replace(
    /(\u0301{4})(\u0301+)/gu,
    (_all, kept: string, rest: string) => kept + String.raw`\u{301}`.repeat(rest.length),
  );
  return `${words}: ${visible(capped)}`.replace(/\s+/g, ' ').trim();
}

test('no text, whatever its source, creates an element or an attribute', () => {
  const known = new Set(
    all(read(htmlReporter(withExchange({ body: '{"id":1}', headers: { a: 'b' } }, '/id'))))
      .concat(all(read(htmlReporter(sampleReport({}, { text: HOSTILE })))))
      .flatMap((element) => [`<${element.tagName}>`, ...Array.from(element.attributes, ({ name }) => name)]),
  );
  fc.assert(
    fc.property(anyText({ maxLength: 40 }), fc.constantFrom('', '<', '"', "'", '&', '-->'), (some, mark) => {
      const text = `${mark}${some}${mark}`;
      const exchange = {
        requestHeaders: { [text]: text },
        requestBody: text,
        body: JSON.stringify({ [text]: text }),
      };
      const failure = {
        expected: text,
        actual: text,
        at: text,
        exchanges: [{ curl: text, method: text, url: text, headers: { [text]: text }, ...exchange }],
      };
      const report = sampleReport(
        {},
        {
          text,
          checks: [{ ...sampleCheck('fail', 1, text), id: text, title: text, failure, supply: text, reason: text }],
        },
      );
      const found = new Set(
        all(read(htmlReporter(report, { includeBodies: some.length % 2 === 0 }))).flatMap((element) => [
          `<${element.tagName}>`,
          ...Array.from(element.attributes, ({ name }) => name),
        ]),
      );
      expect([...found].filter((name) => !known.has(name))).toEqual([]);
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
  expect(multiline('a\r\nb\n\tc').markup).toBe(String.raw`a
b
<span class="unseen">\t</span>c`);
});

test('script and style need no escaping in HTML, and there is one script', () => {
  expect(`${script}${style}`).not.toMatch(/<\/|<!--|https?:|@import|url\(/);
  expect(() => new Script(script)).not.toThrow();
});

test('a failure shows its requirement, what was expected and found, both sides of the exchange, and a command to copy', () => {
  const curl = `curl -sS 'http://x/a?b=<c>&d' -H "authorization: Bearer $TOKEN" --data-raw '{"a":"b"}'`;
  const report = withExchange(
    {
      curl,
      url: 'http://127.0.0.1:4010/plain/a',
      headers: { 'x-one': '1', 'set-cookie': 'sid=abc' },
      body: '{"id":"sec"}',
    },
    '/id',
  );
  const document = read(htmlReporter(report));
  const [check] = classed(document, 'check');
  if (!check) throw new Error('no check');
  expect(check.hasAttribute('open')).toBe(true);
  const [requirement] = report.checks[0]?.requirements ?? [];
  expect(textOf(classed(check, 'requirements')[0])).toContain(requirement?.statement);
  expect(textOf(classed(check, 'requirements')[0])).toContain(`${requirement?.lane} section ${requirement?.section}`);
  expect(textOf(classed(check, 'versus')[0])).toBe('Expected this Actual that');
  expect(textOf(classed(check, 'at')[0])).toContain('/id');
  const [request, answer] = classed(check, 'side');
  expect(textOf(request)).toContain('GET /a');
  expect(textOf(answer)).toContain('200 OK');
  expect(textOf(answer)).toContain('x-one 1');
  expect(textOf(answer)).toContain('set-cookie (not shown)');
  expect(textOf(all(answer ?? document, 'mark')[0])).toBe('"id": string');
  expect(all(classed(check, 'curl')[0] ?? document, 'pre')[0]?.textContent).toBe(curl);
});

test('bodies show their values only on request', () => {
  const report = withExchange({ body: '{"id":"a-value"}', requestBody: '{"name":"another-value"}' });
  const shape = htmlReporter(report);
  expect(shape).not.toMatch(/a-value|another-value/);
  expect(shape).toContain('&quot;name&quot;');
  expect(htmlReporter(report, { includeBodies: true })).toMatch(/another-value[^]*a-value/);
  const page = withExchange({ body: '<html>a-value</html>' });
  expect(htmlReporter(page)).not.toContain('a-value');
  expect(textOf(classed(read(htmlReporter(page)), 'side')[1])).toContain('20 characters that are not JSON');
  expect(htmlReporter(page, { includeBodies: true })).toContain('&lt;html&gt;a-value&lt;/html&gt;');
});

test('a missing answer is reported as missing', () => {
  const [check] = sampleReport({ pass: 0, fail: 1, notJudged: 0, error: 0 }).checks;
  const exchanges = [{ curl: 'curl x', method: 'GET', url: 'http://x', failure: 'closed <early>' }];
  const failure = { expected: 'an answer', actual: 'none', exchanges };
  const document = read(htmlReporter(sampleReport({}, { checks: check ? [{ ...check, failure }] : [] })));
  expect(textOf(classed(document, 'side')[1])).toBe('Answer No answer closed <early>');
});

test('each check lists the violations that it is proven to catch', () => {
  const provenBy = [{ id: 'create-agent-repeats-id', does: 'Create agent answers <one> id twice.' }] as const;
  const document = read(htmlReporter(oneCheck({ provenBy })));
  expect(textOf(classed(document, 'proven')[0])).toContain(
    'Create agent answers <one> id twice. create-agent-repeats-id',
  );
});

test('unjudged checks are grouped by what to supply and by reason', () => {
  const document = read(htmlReporter(sampleReport({ notJudged: 4 })));
  const section = all(document, 'section').find((one) => one.getAttribute('id') === 'not-judged');
  const cards = classed(section ?? document, 'card');
  expect(cards.map((card) => textOf(all(card, 'h3')[0]))).toEqual([
    'Supply --agent-id 2 checks',
    'Nothing that you could supply 2 checks',
  ]);
  expect(classed(cards[0] ?? document, 'why').map(textOf)).toEqual(['nothing to judge plain']);
});

test('evidence has a bar for each schema, and names what was never seen', () => {
  const document = read(htmlReporter(sampleReport()));
  const [first, second] = classed(document, 'evidence');
  const [bar] = all(first ?? document, 'svg');
  expect(bar?.getAttribute('aria-label')).toBe('180 of 200 seen valid, 3 seen as null, 2 never seen');
  const widths = all(bar ?? document, 'rect').map((one) => Number(one.getAttribute('width')));
  expect(widths).toEqual([897, 15]);
  expect(
    all(second ?? document, 'li')
      .map(textOf)
      .slice(0, 2),
  ).toEqual(['/b/0', '/b/1']);
});

test('observed choices are described in words, and unknown ones as seen', () => {
  const choices = all(classed(read(htmlReporter(sampleReport())), 'choices')[0] ?? read('<a/>'), 'li').map(textOf);
  expect(choices).toEqual([
    '2.12 Which format? None of the known choices Seen: plain',
    '4.7 Which status? 201 for what was created, 200 for what was read Seen: 201 plain',
  ]);
});

test('the observed profile can be copied', () => {
  const observedProfile = { 'success-status': 'ok', 'last-page': 'empty-page-after' } as const;
  const section = all(read(htmlReporter(sampleReport({}, { observedProfile }))), 'section').find(
    (one) => one.getAttribute('id') === 'observations',
  );
  const [block] = classed(section ?? read('<a/>'), 'curl');
  expect(block?.textContent).toContain('agent-contract mock --profile profile.json');
  const [pre] = all(block ?? read('<a/>'), 'pre');
  expect(JSON.parse(pre?.textContent ?? '')).toEqual(observedProfile);
  expect(htmlReporter(sampleReport({}, { observedProfile: {} }))).not.toContain('profile.json');
});

test('checks with the same id have separate anchors', () => {
  const checks = [
    sampleCheck('pass', 1),
    { ...sampleCheck('fail', 2), id: 'check-1' },
    { ...sampleCheck('pass', 3), id: 'check 1' },
  ];
  const ids = classed(read(htmlReporter(sampleReport({}, { checks }))), 'check').map((one) => one.getAttribute('id'));
  expect(ids.toSorted()).toEqual(['check-check-1', 'check-check-1-2', 'check-check-1-3']);
});

test.each<[string, string | undefined]>([
  ['2026-05-20T12:30:15.123Z', '2026-05-20 12:30:15 UTC'],
  ['2026-05-20T12:30:15Z', '2026-05-20 12:30:15 UTC'],
  ['2026-05-20T12:30:15+02:00', undefined],
  ['2026-05-20', undefined],
  ['soon', undefined],
])('the time %s is written as %s', (startedAt, expected) => {
  const times = all(read(htmlReporter({ ...sampleReport(), startedAt })), 'time');
  expect(times.map((one) => [one.getAttribute('datetime'), textOf(one)])).toEqual(
    expected === undefined ? [] : [[startedAt, expected]],
  );
});

test('created things have a section, if there are any', () => {
  const section = (report: Report): Element | undefined =>
    all(read(htmlReporter(report)), 'section').find((one) => one.getAttribute('id') === 'created');
  const made = [{ kind: 'agent' as const, id: 'a1', name: 'Check 1' }];
  expect(textOf(section({ ...sampleReport(), created: made }))).toContain('agent a1 Check 1');
  expect(section({ ...sampleReport(), created: [] })).toBeUndefined();
});

test.each<[string, Partial<CheckReport>, readonly string[]]>([
  ['that failed', {}, ['expected a string plain got a number plain at /agent/plain']],
  ['that was not judged', { status: 'not-judged', failure: undefined, reason: 'Not given.' }, ['Not given.']],
  ['that broke', { status: 'error', failure: undefined, reason: 'TypeError: no\n  at x' }, ['TypeError: no']],
  ['that passed', { status: 'pass', failure: undefined }, []],
] as [string, Partial<CheckReport>, readonly string[]][])(
  'the line of a check %s summarises it',
  (_, check, expected) => {
    expect(classed(read(htmlReporter(oneCheck(check))), 'brief').map(textOf)).toEqual(expected);
  },
);
