import fc from 'fast-check';
import { gaps, requirements, timeFilters, violations } from '../../spec/index.ts';
import { misfits } from './json-schema.ts';
import { redactReport } from './redact-report.ts';
import type { Report } from './report.ts';
import { githubReporter, reporters } from '../reporters/index.ts';
import { sampleCheck, sampleReport } from '../testing/sample-report.ts';
import type { RunOptions } from '../run-options.ts';
import { runConformance } from '../run.ts';
import { tinyService, type TinyAnswer, type TinyRequest } from '../testing/tiny-service.ts';
import type { Transport } from '../../http/exchange.ts';

const TOKEN = 'tok/en+1 with "odd" <chars>&\'=';

test('a report contains no trace of a long secret, wherever it was', () => {
  const redacted = redactReport(sampleReport({}, { text: TOKEN }), [{ value: TOKEN }]);
  const { checks, ...rest } = redacted;
  expect(JSON.stringify([rest, checks])).not.toMatch(/odd/);
  expect(checks[3]?.failure?.exchanges[0]?.headers).toEqual({ 'x-header': '$TOKEN', $TOKEN: 'value' });
});

test('an error of the runner, or of a transport of the user, may contain a secret anywhere', async () => {
  const sample = sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 1 }, { text: 'hunter' });
  expect(JSON.stringify(redactReport(sample, [{ value: 'hunter' }]).checks[0]?.reason)).not.toContain('hunter');
  const report = await judged('hunter', { transport: () => Promise.reject(new Error('no way for hunter')) });
  expect(report.summary).toContain('"Error: no way for $TOKEN"');
});

test('an error of the runner without a message stays an error', () => {
  const { reason: _reason, ...silent } = sampleCheck('error', 0);
  const report = sampleReport({}, { checks: [silent] });
  expect(redactReport(report, [{ value: TOKEN }])).toEqual(report);
});

test('nothing recognisable is left of a secret that was cut', () => {
  const created = [4, 3].map((length) => ({ kind: 'agent', id: 'a', name: `${TOKEN.slice(0, length)}…` }) as const);
  const { created: redacted } = redactReport(sampleReport({}, { created }), [{ value: TOKEN }]);
  expect(redacted.map(({ name }) => name)).toEqual(['$TOKEN…', `${TOKEN.slice(0, 3)}…`]);
});

const now = Date.UTC(2026, 4, 20, 15, 30);
const LONG = 'a-token-1-that-is-no-word-of-anybody';

/** Breaks something in every way, and repeats the caller's credential each time, so that every kind of message quotes it. */
const repeating = (request: TinyRequest, answer: () => TinyAnswer): TinyAnswer | undefined => {
  const token = (request.authorization ?? '').replace(/^\w+ ?/i, '');
  const given = answer();
  const headers = { 'x-you-sent': `it was ${token}`, [`x-${token.toLowerCase()}`]: '1' };
  if (given.status >= 400)
    return { ...given, headers, body: { [`no_${token}`]: token, code: `c_${token}`, [token]: 1 } };
  const { agent, workspace, results, nextCursor } = Object(given.body) as Record<string, object | undefined>;
  if (request.path.endsWith('/results')) {
    const all = (results ?? []) as { id: string }[];
    const repeated = all.map((one) => ({ ...one, id: `${one.id}${token}`, agentId: token }));
    return { status: 200, headers, body: { results: repeated, nextCursor, [token]: 1 } };
  }
  if (workspace) return { status: 200, headers, body: { workspace: { ...workspace, name: `my ${token}`, icon: 7 } } };
  if (agent && request.method === 'GET')
    return { status: 200, headers, body: { agent: { ...agent, id: token, name: [token] }, currentUserMode: token } };
  return agent && { status: 200, headers, body: { agent: { ...agent, name: `our ${token}`, icon: { [token]: 1 } } } };
};

/** A run against a service that accepts this token. */
async function judged(token: string, options: Partial<RunOptions> = {}): Promise<Report> {
  const inner = tinyService({ now, before: repeating });
  return runConformance({
    baseUrl: 'http://tiny.test/',
    token,
    workspaceId: 'w',
    agentId: 'main',
    publishedAgentId: 'main',
    transport: known(inner.transport, token),
    now,
    seed: 7,
    concurrency: 1,
    canary: 'canary-of-this-test-0001',
    sleep: () => Promise.resolve(),
    ...options,
  });
}

/** The tiny service knows only one token, and repeats it where it would repeat the caller's. */
const known =
  (transport: Transport, token: string): Transport =>
  async (request) => {
    const sent = request.headers['authorization'];
    const authorization = sent?.endsWith(` ${token}`) ? `${sent.slice(0, -token.length)}good` : sent;
    const answer = await transport({
      ...request,
      headers: { ...request.headers, ...(authorization && { authorization }) },
    });
    const said = (text: string): string => text.replaceAll('good', () => token);
    return {
      ...answer,
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [said(name), said(value)])),
      body: Buffer.from(said(Buffer.from(answer.body).toString())),
    };
  };

/** Values that the contract names: a report may quote them even if the token is the same word. */
const documented: ReadonlySet<string> = new Set(
  ['5', '6', 'guest', 'read', 'write', ...timeFilters].map((one) => `"${one}"`),
);

/** Removes what is not ours: quotations, and what came over the wire. `seen` gets each removed value. */
function ownWords(report: Report, seen: (foreign: string) => void = () => undefined): Report {
  const quoted = (text: string): string =>
    text.replace(/"(?:[^"\\]|\\.)*(?:"|$)/gs, (one) => {
      if (!documented.has(one)) seen(one);
      return '"…"';
    });
  const foreign = (text: string): string => {
    seen(text);
    return '…';
  };
  const finding = <T extends { readonly expected: string; readonly actual: string }>(one: T): T => ({
    ...one,
    expected: quoted(one.expected),
    actual: quoted(one.actual),
  });
  return {
    ...report,
    durationMs: 0,
    summary: quoted(report.summary),
    causes: report.causes?.map(finding),
    observations: report.observations.map((one) => ({ ...one, seen: quoted(one.seen) })),
    created: report.created.map(({ kind, id, name }) => ({ kind, id: foreign(id), name: foreign(name) })),
    checks: report.checks.map(({ reason, failure, ...check }) => ({
      ...check,
      durationMs: 0,
      reason: reason && quoted(reason),
      failure: failure && {
        ...finding(failure),
        exchanges: failure.exchanges.map(({ body = '', headers = {}, ...exchange }) => {
          seen(JSON.stringify(headers));
          // Documented field names are not secret.
          seen(body.replace(/"\w+":/g, (name) => (name.includes('$') ? name : '')));
          return { ...exchange, durationMs: 0 };
        }),
        more: failure.more?.map(finding),
      },
    })),
  };
}

/** Words of the program itself. */
const sentences = [
  ...Object.values(requirements).map(({ statement }) => statement),
  ...Object.values(violations).map(({ does }) => does),
  ...Object.values(gaps).map(({ question }) => question),
  'wrong ok agent pass fail check not-judged expected actual curl Bearer Basic http application json accept host',
  'authorization content-type tiny.test results limit cursor timeFilter allTime api v1 agents workspaces 1 42 401 id',
  'get-agent list-results newest-first TOKEN $TOKEN token canary refused accepted answered with',
];
// A token like 1 would stand in headers that are none of its own.
const vocabulary = [...new Set(sentences.join(' ').match(/[\w$.-]{3,}/g))];

let judgedOnce: Promise<Report> | undefined;
const plain = (): Promise<Report> => (judgedOnce ??= judged(LONG));

const shown = (report: Report): readonly string[] =>
  [...Object.values(reporters).map(({ reporter }) => reporter), githubReporter].map((reporter) =>
    reporter(report, { color: false, includeBodies: true }),
  );

test('every kind of message quotes the token that the target repeats', async () => {
  const report = await plain();
  const text = JSON.stringify(report);
  expect(report.counts.fail).toBeGreaterThan(8);
  expect(text).not.toContain(LONG);
  expect(text.split('$TOKEN').length).toBeGreaterThan(100);
  for (const { seen } of report.observations.filter(({ gap }) => gap === 'error-body'))
    expect(seen).toMatch(/\$\{?TOKEN\b/);
});

test('the words of a report do not depend on the token, and nothing else contains it', async () => {
  const expected = ownWords(await plain());
  const inAllFormats = shown(expected);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...vocabulary), async (token) => {
      const report = await judged(token);
      const leaks: string[] = [];
      const own = ownWords(report, (foreign) => {
        const rest = foreign.replace(/\$TOKEN/g, '').toLowerCase();
        if (token.length >= 4 && rest.includes(token.toLowerCase()) && !'$token'.includes(token.toLowerCase()))
          leaks.push(foreign);
      });
      expect(leaks).toEqual([]);
      expect(own).toEqual(expected);
      expect(shown(own)).toEqual(inAllFormats);
      expect(misfits('report', report)).toEqual([]);
    }),
    { numRuns: 6, seed: 20, examples: [['wrong'], ['ok'], ['agent'], ['pass']] },
  );
});
