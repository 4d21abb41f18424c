import type { Outcome, Report, Status } from '../../report/report.ts';
import { counted, duration, grouped } from '../../show.ts';
import { bySection, contractWords, depthOf, productWords, verdictWords } from '../wording/wording.ts';
import { itemOf } from './check-item.ts';
import type { OutlineOptions } from './line.ts';
import { baselineSection, sectionsOf } from './sections.ts';

/** What a report says, in the order in which it is read. The printers decide only how it looks. */
export type Outline = ReturnType<typeof outlineOf>;
export type CheckGroup = Outline['checks'][number];

const looks: Readonly<Record<Outcome, Status>> = {
  conformant: 'pass',
  partial: 'not-judged',
  nonconformant: 'fail',
  unreachable: 'error',
};

const comparedLooks = { 'nothing-new': 'pass', news: 'fail' } as const;

export function outlineOf(report: Report, options: OutlineOptions = {}) {
  const { outcome, target, tool, summary, counts, checks, baseline } = report;
  const sections = sectionsOf(report, options);
  return {
    verdict: verdictWords(report),
    /** The outcome looks like this status. */
    look: baseline && outcome !== 'unreachable' ? comparedLooks[baseline.verdict] : looks[outcome],
    target: target.baseUrl,
    tool: `${tool.name} ${tool.version}`,
    summary,
    counts: countsOf(counts),
    facts: factsOf(report),
    checks: bySection(checks).map(({ number, title, checks: members }) => ({
      number,
      title: title || 'Other',
      /** `3 of 4 passed`. */
      tally: `${members.filter(({ status }) => status === 'pass').length} of ${members.length} passed`,
      items: members.map((check) => itemOf(check, report, options)),
    })),
    baseline: baselineSection(report),
    causes: sections.find(({ id }) => id === 'causes'),
    sections: sections.filter(({ id }) => id !== 'causes'),
  };
}

function countsOf({ pass, fail, notJudged, error }: Report['counts']) {
  const counts: { status: Status; count: number; text: string }[] = [
    { status: 'pass', count: pass, text: `${grouped(pass)} passed` },
    { status: 'fail', count: fail, text: `${grouped(fail)} failed` },
    { status: 'not-judged', count: notJudged, text: `${grouped(notJudged)} not judged` },
  ];
  if (error > 0) counts.push({ status: 'error', count: error, text: counted(error, 'error') });
  return counts;
}

function factsOf(report: Report) {
  const { typed, seen } = depthOf(report);
  const facts = [
    { name: 'Seed', value: String(report.seed) },
    { name: 'Started', value: report.startedAt.replace(/^([\d-]{10})T([\d:]{8})(?:\.\d+)?Z$/, '$1 $2 UTC') },
    { name: 'Took', value: duration(report.durationMs) },
    { name: 'Requests', value: grouped(report.requests) },
    { name: 'Typed locations seen', value: `${grouped(seen)} of ${grouped(typed)}` },
    { name: 'Contract', value: contractWords(report) },
    { name: 'Product', value: productWords(report) },
  ];
  const conditions = report.conditions ?? [];
  if (conditions.length > 0) facts.push({ name: 'Conditions', value: conditions.join(' ') });
  return facts.filter(({ name, value }) => value !== '' && (name !== 'Typed locations seen' || typed > 0));
}
