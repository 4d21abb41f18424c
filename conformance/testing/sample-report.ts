import { endpointIds, gapIds, requirementIds, requirements, violationIds, violations } from '../../spec/index.ts';
import type { CheckReport, Report, Status } from '../report/report.ts';
import texts from './hostile-texts.json';

/** What a hostile target puts into names and bodies: markup, terminal escapes, forged lines, invalid characters. */
export const HOSTILE = texts.hostile.join(' | ');

/** For tests: a check's report, numbered to be unique. */
export function sampleCheck(status: Status, number: number, text = 'plain'): CheckReport {
  const id = requirementIds[number % requirementIds.length] ?? requirementIds[0] ?? 'agent-shape';
  const { section, lane, statement } = requirements[id];
  const exchange = {
    curl: `curl -sS 'http://127.0.0.1:4010/${text}' -H "authorization: Bearer $TOKEN"`,
    method: 'GET',
    url: `http://127.0.0.1:4010/${text}`,
    requestHeaders: { authorization: 'Bearer $TOKEN', [text]: 'value' },
    requestBody: `{"name":"${text}"}`,
    status: 200,
    headers: { 'x-header': text, [text]: 'value' },
    body: `{"name":"${text}"}`,
    durationMs: 12,
  };
  const endings: Readonly<Record<Status, Partial<CheckReport>>> = {
    pass: {},
    fail: {
      failure: {
        expected: `a string ${text}`,
        actual: `a number ${text}`,
        at: `/agent/${text}`,
        exchanges: [exchange, { curl: 'curl x', method: 'GET', url: 'http://x', failure: `closed ${text}` }],
        more: [{ expected: 'true', actual: text }],
      },
    },
    'not-judged': { reason: `nothing to judge ${text}`, ...(number % 2 === 0 ? { supply: '--agent-id' } : {}) },
    error: { reason: `TypeError: ${text}\n    at somewhere (file.ts:1:1)` },
  };
  return {
    id: `check-${number}`,
    title: `Check ${number} ${text}`,
    endpoint: endpointIds[number % endpointIds.length] ?? 'create-agent',
    requirements: [{ id, section, lane, statement }],
    status,
    judged: 10 + number,
    provenBy: violationIds
      .slice(number % violationIds.length)
      .slice(0, 2)
      .map((violation) => ({ id: violation, does: violations[violation].does })),
    ...endings[status],
  };
}

/** For tests: a finished run with the given number of checks of each status. */
export function sampleReport(
  { pass = 3, fail = 2, notJudged = 3, error = 1 }: Partial<Report['counts']> = {},
  { text = 'plain', ...overrides }: Partial<Report> & { readonly text?: string } = {},
): Report {
  const statuses = Object.entries({ pass, fail, 'not-judged': notJudged, error }).flatMap(([status, times]) =>
    Array<Status>(times).fill(status as Status),
  );
  const gap = gapIds[0] ?? 'success-status';
  const outcomeWithoutFailure = notJudged + error > 0 || pass === 0 ? 'partial' : 'conformant';
  return {
    tool: { name: 'agent-contract', version: '0.0.0' },
    target: { baseUrl: `http://127.0.0.1:4010/${text}` },
    seed: 42,
    startedAt: '2026-11-21T04:00:00.000Z',
    durationMs: 1234,
    outcome: fail > 0 ? 'nonconformant' : outcomeWithoutFailure,
    summary: `What it rests on ${text}`,
    counts: { pass, fail, notJudged, error },
    checks: statuses.map((status, index) => sampleCheck(status, index * 7, text)),
    observations: [
      { gap, section: '4.7', question: 'Which status?', choice: 'created', seen: `201 ${text}` },
      { gap, section: '2.12', question: 'Which format?', seen: text },
    ],
    observedProfile: { 'success-status': 'created' },
    evidence: [
      { schema: 'a', typed: 200, seenValid: 180, seenNull: 3, neverSeen: ['/agent/tags/*', '/agent/icon'] },
      {
        schema: 'b',
        typed: 40,
        seenValid: 32,
        seenNull: 0,
        neverSeen: Array.from({ length: 20 }, (_, n) => `/b/${n}`),
      },
    ],
    created: [{ kind: 'agent', id: `id ${text}`, name: `name ${text}` }],
    requests: 321,
    ...overrides,
  };
}

/** For tests: runs that every format must report as they were. */
export const sampleRuns: readonly (readonly [name: string, Report])[] = [
  ['of every status', sampleReport()],
  ['that passed', sampleReport({ pass: 4, fail: 0, notJudged: 0, error: 0 })],
  ...Object.entries({
    'with hostile text': HOSTILE,
    'with hostile Markdown': texts.markdown.join(' '),
    'with directives of TAP': `# SKIP \\# ${HOSTILE}`,
    'with forged lines': texts.lines,
    'with forged commands': texts.commands,
  }).map(([name, text]) => [name, sampleReport({ pass: 9, fail: 8, notJudged: 7, error: 6 }, { text })] as const),
  ['with seventy checks', sampleReport({ pass: 50, fail: 10, notJudged: 8, error: 2 })],
];
