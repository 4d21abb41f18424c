import { createColors } from 'picocolors';
import { visible } from '../report/redact.ts';
import type {
  CheckReport,
  FailureReport,
  NewsKind,
  Outcome,
  RecordedExchange,
  Report,
  Reporter,
  Status,
} from '../report/report.ts';
import { bySection, compareSections } from './wording/sections.ts';
import { brokenFirst, findingLine, placeWords } from './wording/wording.ts';

/** A longer command would bury the failure; the JSON report has it. */
const LONGEST_CURL = 2000;
const LONGEST_BODY = 300;
const MOST_REQUIREMENTS = 3;
const MOST_EXCHANGES = 3;
const MOST_MORE = 5;
const MOST_NEVER_SEEN = 8;

type Colors = ReturnType<typeof createColors>;

/** The report for a person: one line for each check, each failure in full, then what is open. */
export const textReporter: Reporter = (report, { color }) => {
  const colors = createColors(color);
  const blocks = [
    heading(report, colors),
    ...bySection(report.checks).map(({ number, title, checks }) => [
      colors.bold(`${number}  ${title}`.trim()),
      ...checks.flatMap((check) => checkLines(check, colors)),
    ]),
    causes(report, colors),
    serverErrors(report, colors),
    notJudged(report, colors),
    observed(report, colors),
    evidence(report, colors),
    created(report, colors),
    baseline(report, colors),
    verdict(report, colors),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
};

function heading(report: Report, colors: Colors): string[] {
  const facts = [
    `seed ${report.seed}`,
    report.startedAt.replace('T', ' ').replace(/\.\d+Z$/, 'Z'),
    duration(report.durationMs),
    countOf(report.requests, 'request'),
  ];
  return [
    `${colors.bold(`${report.tool.name} ${report.tool.version}`)}  ${colors.cyan(visible(report.target.baseUrl))}  ${colors.dim(facts.join(', '))}`,
  ];
}

/** The first character of each check's line. */
export const marks: Readonly<Record<Status, string>> = { pass: '✓', fail: '✗', 'not-judged': '–', error: '!' };

function checkLines(check: CheckReport, colors: Colors): string[] {
  const title = visible(check.title);
  const id = colors.dim(`[${check.id}]`);
  const mark = marks[check.status];
  switch (check.status) {
    case 'pass':
      return [`  ${colors.green(mark)} ${title}`];
    case 'not-judged':
      return [`  ${colors.yellow(mark)} ${title}`];
    case 'error':
      return [
        `  ${colors.magenta(mark)} ${title}  ${id}`,
        detail('broke', check.reason?.split('\n', 1)[0] ?? 'for an unknown reason', colors),
      ];
    case 'fail':
      return [`  ${colors.red(mark)} ${colors.bold(title)}  ${id}`, ...failureLines(check, colors)];
  }
}

function failureLines(check: CheckReport, colors: Colors): string[] {
  const { id, requirements, failure } = check;
  const lines = brokenFirst(check)
    .slice(0, failure?.requirement === undefined ? MOST_REQUIREMENTS : 1)
    .map(({ section, lane, statement }) => detail('requires', `${statement} (section ${section}, ${lane})`, colors));
  const others = requirements.length - lines.length;
  if (others > 0 && failure?.requirement === undefined)
    lines.push(detail('requires', `${others} more: see agent-contract explain ${id}`, colors));
  if (failure === undefined) return lines;
  const { exchanges } = failure;
  const shown = exchanges.slice(-MOST_EXCHANGES);
  const hidden = exchanges.length - shown.length;
  return [
    ...lines,
    detail('expected', failure.expected, colors),
    detail('actual', failure.actual, colors, colors.red),
    ...at(failure, colors),
    ...moreLines(failure.more ?? [], colors),
    ...(hidden > 0 ? [detail('request', `(${hidden} before these, in the JSON report)`, colors)] : []),
    ...shown.flatMap((exchange) => exchangeLines(exchange, colors)),
  ];
}

function moreLines(more: NonNullable<FailureReport['more']>, colors: Colors): string[] {
  const lines = more.slice(0, MOST_MORE).map((one) => detail('also', findingLine(one), colors));
  const hidden = more.length - lines.length;
  return hidden > 0 ? [...lines, detail('also', `${hidden} more of these, in the JSON report`, colors)] : lines;
}

function exchangeLines({ curl, status, body, failure }: RecordedExchange, colors: Colors): string[] {
  const command =
    curl.length <= LONGEST_CURL
      ? curl
      : `a command of ${curl.length} characters: run again with --report json=FILE to get it`;
  const text = visible(body ?? '');
  const excerpt = text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}…`;
  const answer = failure ?? `${status ?? 'none'} ${excerpt}`.trim();
  return [detail('request', command, colors), detail('answer', answer, colors)];
}

function at({ at: place }: FailureReport, colors: Colors): string[] {
  return place === undefined ? [] : [detail('at', placeWords(place), colors)];
}

function detail(name: string, text: string, colors: Colors, paint = (plain: string): string => plain): string {
  return `      ${colors.dim(name.padEnd(9))} ${paint(visible(text))}`;
}

function causes({ causes: all = [] }: Report, colors: Colors): string[] {
  const shared = all.filter(({ checks }) => checks.length > 1);
  if (shared.length === 0) return [];
  return [
    colors.bold('One cause, several checks'),
    ...shared.flatMap((cause) => [
      `  ${visible(findingLine(cause))} ${colors.dim(`(${visible(cause.requirement)})`)}`,
      `      ${colors.dim(cause.checks.join(', '))}`,
    ]),
  ];
}

function serverErrors({ serverErrors: errors }: Report, colors: Colors): string[] {
  if (errors === undefined) return [];
  const hidden = errors.count - errors.shown.length;
  return [
    colors.bold('Answers with a status above 499') + colors.dim(' (no requirement forbids them)'),
    ...errors.shown.map(({ status, curl }) => `  ${colors.red(String(status))}  ${visible(shortened(curl))}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}

const shortened = (curl: string): string => (curl.length <= LONGEST_CURL ? curl : `${curl.slice(0, LONGEST_CURL)}…`);

function notJudged(report: Report, colors: Colors): string[] {
  // If every request was refused, the summary says it all.
  if (report.outcome === 'unreachable') return [];
  const groups = new Map<string, Map<string, CheckReport[]>>();
  for (const check of report.checks) {
    if (check.status !== 'not-judged') continue;
    const { supply = '', reason = '' } = check;
    const reasons = groups.get(supply) ?? new Map<string, CheckReport[]>();
    groups.set(supply, reasons.set(reason, [...(reasons.get(reason) ?? []), check]));
  }
  if (groups.size === 0) return [];
  const ordered = Array.from(groups).toSorted(([one], [other]) => Number(one === '') - Number(other === ''));
  return [
    colors.bold('Not judged'),
    ...ordered.flatMap(([supply, reasons]) => [
      supply === ''
        ? '  Nothing that you can supply would help:'
        : `  To judge these: ${colors.yellow(visible(supply))}`,
      ...Array.from(reasons).flatMap(([reason, checks]) => [
        ...(supply !== '' && reason.includes(supply) ? [] : [`    ${colors.dim(visible(reason))}`]),
        ...checks.map(({ title }) => `    · ${visible(title)}`),
      ]),
    ]),
  ];
}

function observed(report: Report, colors: Colors): string[] {
  if (report.observations.length === 0) return [];
  const known = Object.keys(report.observedProfile).length;
  const inOrder = [...report.observations].toSorted((one, other) => compareSections(one.section, other.section));
  return [
    colors.bold('Observed choices') + colors.dim(' (the specification leaves them open, so none is wrong)'),
    ...inOrder.map(({ section, question, choice, seen }) => {
      const answer =
        choice === undefined ? `none of the known choices: ${visible(seen)}` : `${choice}: ${visible(seen)}`;
      return `  ${colors.dim(section.padEnd(5))} ${question} ${colors.cyan(`→ ${answer}`)}`;
    }),
    ...(known === 0
      ? []
      : [
          colors.dim(
            `  ${countOf(known, 'choice')} as a profile: observedProfile in the JSON report (see mock --profile)`,
          ),
        ]),
  ];
}

function evidence(report: Report, colors: Colors): string[] {
  const sum = (of: 'typed' | 'seenValid' | 'seenNull'): number =>
    report.evidence.reduce((total, one) => total + one[of], 0);
  if (sum('typed') === 0) return [];
  const nulls = sum('seenNull') > 0 ? ` (${countOf(sum('seenNull'), 'location')} seen as null)` : '';
  const unseen = sum('seenValid') === 0 ? [] : report.evidence.filter(({ neverSeen }) => neverSeen.length > 0);
  return [
    colors.bold('Depth of evidence'),
    `  judged ${sum('seenValid')} of ${sum('typed')} typed locations${nulls}${unseen.length > 0 ? '; never seen:' : ''}`,
    ...unseen.map(({ schema, typed, neverSeen }) => {
      if (neverSeen.length === typed) return `    ${schema}: ${colors.dim('all of it')}`;
      const hidden = neverSeen.length - MOST_NEVER_SEEN;
      const places = `${visible(neverSeen.slice(0, MOST_NEVER_SEEN).join(', '))}${hidden > 0 ? ` and ${hidden} more` : ''}`;
      return `    ${schema}: ${colors.dim(places)}`;
    }),
  ];
}

function created(report: Report, colors: Colors): string[] {
  if (report.created.length === 0) return [];
  return [
    colors.bold('Created on the target') + colors.dim(' (the service has no operation that deletes)'),
    ...report.created.map(({ kind, id, name }) => `  ${kind.padEnd(9)} ${visible(id)}  ${colors.dim(visible(name))}`),
  ];
}

const newsWords: Readonly<Record<NewsKind, string>> = {
  'new-failure': 'new failure',
  'new-not-judged': 'newly not judged',
  'now-passes': 'passes now',
  'matches-nothing': 'matches nothing',
  expired: 'expired',
};

function baseline({ baseline: held }: Report, colors: Colors): string[] {
  if (held === undefined) return [];
  const { known, news } = held;
  return [
    colors.bold('Compared with the baseline'),
    ...known.map(({ check, status, at: place, reason, expires }) => {
      const end = expires === undefined ? '' : `, until ${expires}`;
      return colors.dim(
        `  ${status === 'not-judged' ? 'known, not judged' : 'known'}  ${visible(check)}${place === undefined ? '' : ` at ${visible(placeWords(place))}`}: ${visible(reason)}${end}`,
      );
    }),
    ...news.map(({ kind, check, says, at: place, entry }) => {
      const where = place ?? entry?.at;
      return `  ${colors.red(newsWords[kind])}  ${colors.bold(visible(check))}${where === undefined ? '' : ` at ${visible(placeWords(where))}`}: ${visible(says)}`;
    }),
    news.length === 0
      ? colors.green(`  Nothing is new: ${countOf(known.length, 'finding')} known.`)
      : colors.red(
          `  ${news.length} of these ${news.length === 1 ? 'is' : 'are'} new, and fail${news.length === 1 ? 's' : ''} the run.`,
        ),
  ];
}

function verdict({ outcome, summary, counts }: Report, colors: Colors): string[] {
  const paint: Readonly<Record<Outcome, (text: string) => string>> = {
    conformant: colors.green,
    partial: colors.yellow,
    nonconformant: colors.red,
    unreachable: colors.red,
  };
  const totals = [
    `${counts.pass} passed`,
    `${counts.fail} failed`,
    `${counts.notJudged} not judged`,
    ...(counts.error > 0 ? [countOf(counts.error, 'error')] : []),
  ];
  return [visible(summary), `${colors.bold(paint[outcome](outcome.toUpperCase()))}: ${totals.join(', ')}`];
}

function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
