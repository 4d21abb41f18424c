import { endpointIds, requirementIds, requirements, violationIds, violations } from '../../spec/index.ts';
import { present } from '../collections.ts';
import type { CheckReport, Report, Status } from '../report/report.ts';
import texts from './hostile-texts.json';
import sample from './sample-report.json';

/** What a hostile target puts into names and bodies: markup, terminal escapes, forged lines, invalid characters. */
export const HOSTILE = texts.hostile.join(' | ');

/** A part of `sample-report.json` with a text in every place that takes one. */
function filled(part: unknown, text: string): unknown {
  const escaped = JSON.stringify(text).slice(1, -1);
  return JSON.parse(JSON.stringify(part).replaceAll('{text}', () => escaped));
}

/** For tests: a check's report, numbered to be unique. */
export function sampleCheck(status: Status, number: number, text = 'plain'): CheckReport {
  const id = requirementIds[number % requirementIds.length] ?? requirementIds[0] ?? 'agent-shape';
  const { section, lane, statement } = requirements[id];
  const [first, second] = violationIds.slice(number % violationIds.length);
  return {
    id: `check-${number}`,
    title: `Check ${number} ${text}`,
    endpoint: endpointIds[number % endpointIds.length] ?? 'create-agent',
    requirements: [{ id, section, lane, statement }],
    status,
    judged: 10 + number,
    provenBy: present(first, second).map((violation) => ({ id: violation, does: violations[violation].does })),
    ...(filled(sample.endings[status], text) as Partial<CheckReport>),
    ...(status === 'not-judged' && number % 2 === 0 && { supply: '--agent-id' }),
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
  const outcomeWithoutFailure = notJudged + error > 0 || pass === 0 ? 'partial' : 'conformant';
  return {
    ...(filled(sample.report, text) as Report),
    outcome: fail > 0 ? 'nonconformant' : outcomeWithoutFailure,
    counts: { pass, fail, notJudged, error },
    checks: statuses.map((status, index) => sampleCheck(status, index * 7, text)),
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
