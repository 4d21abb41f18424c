import { endpoints, type EndpointId } from '../../spec/index.ts';
import { grouping, orNothing } from '../../conformance/collections.ts';
import type { Fact } from '../../conformance/reporters/outline/check-item.ts';
import { counted, duration, optional } from '../../conformance/show.ts';
import { aspects, failing, fails, scoreOf, type Aspect, type ClientFinding, type ClientReport } from '../report.ts';

/** One finding, or several that are one to a reader. */
export type OutlineItem = ReturnType<typeof itemOf>;

/** An answer to one question. */
export type OutlinePart = ReturnType<typeof partsOf>[number];

/** What is above the findings of a question in the table of screens. */
const COLUMNS = { sent: 'Sent', freedom: 'Leans on', faults: 'Not noticed', needs: '' } as const;

/** What the report for people says, in any format. */
export function clientOutline(report: ClientReport) {
  const { tests, runs, durationMs, faults, outcome } = report;
  const score = faults && scoreOf(faults);
  const items = itemsOf(report.findings);
  const words = [counted(failing(report).length, 'finding')];
  const which = faults?.untried.length ? 'those faults that were tried' : 'the faults that they reach';
  if (score !== undefined) words.push(`the tests notice ${score} % of ${which}`);
  const judged = aspects.filter((one) => COLUMNS[one] !== '' && report.asked.includes(one));
  return {
    verdict: `${outcome.toUpperCase()}: ${words.join('; ')}`,
    facts: [
      `${counted(tests.steady.length, 'test')} of ${report.client}`,
      `${counted(runs, 'run')} in ${duration(durationMs)}`,
      `the tests alone take ${duration(tests.durationMs)}`,
    ],
    parts: partsOf(report, items),
    /** The columns of the table of screens, besides their tests and the worst harm, and its rows. */
    columns: judged.map((one) => COLUMNS[one]),
    rows: rowsOf(report, items.filter(isMissed), judged),
  };
}

function partsOf(report: ClientReport, items: readonly OutlineItem[]) {
  const { coverage, freedoms, held = {}, faults, needs, asked, tests, open, stale = [] } = report;
  const screenOf = screens(report);
  const of = (aspect: string): readonly OutlineItem[] => items.filter((one) => one.aspect === aspect);
  const part = (title: string, aspect: string, summary: string, lists: Record<string, readonly string[]>) => ({
    title,
    summary,
    /** Those of one screen together. */
    groups: byScreen(of(aspect), screenOf),
    lists: Object.entries(lists).flatMap(([name, lines]) => (orNothing(lines) ? { title: name, lines } : [])),
  });
  const undecided = open.flatMap((says) => freedoms?.find((id) => says.startsWith(`${id} `)) ?? []);
  const parts: ReturnType<typeof part>[] = [];
  if (asked.includes('sent')) {
    let summary = 'Nothing that the contract does not allow.';
    if (of('sent').length > 0) summary = 'Only what is accepted, or noted, below.';
    if (of('sent').some(isMissed)) summary = 'Some of it is not what was meant.';
    const lists = { 'Never asked for or met': coverage?.neverMet ?? [] };
    parts.push(part('What the client sends', 'sent', summary, lists));
  }
  if (freedoms) {
    const red = failing(report).filter((one) => one.aspect === 'freedom').length;
    const left = optional`, and ${undecided.length} that were not decided`;
    const summary = `${counted(freedoms.length, 'permitted choice')} can be seen in the answers; ${red} that the tests do not bear${left}.`;
    const own = Object.entries(held).map(([gap, names]) => `${gap}: ${names.join(', ')}`);
    const lists = { 'Chosen by the tests themselves, and left so': own };
    parts.push(part('What the client leans on', 'freedom', summary, lists));
  }
  if (faults) {
    const { noticed, unnoticed, unreached, untried, seldom } = faults;
    const left = optional`, ${untried.length} not tried`;
    const rare = optional` Of the noticed ones, ${seldom.unnoticed.length} would be missed if rare.`;
    const summary = `${noticed.length} noticed, ${unnoticed.length} reached and not noticed, ${unreached.length} never reached${left}.${rare}`;
    parts.push(part('Faults that the tests would notice', 'faults', summary, {}));
  }
  if (needs) {
    const rows = Object.entries(needs.endpoints).map(
      ([id, need]) => [id as EndpointId, Object.keys(need.fields)] as const,
    );
    const all = rows.flatMap(([, fields]) => fields);
    const late = optional` Not all was decided: ${needs.undecided} choices, faults or fields were not.`;
    const summary = `${counted(all.length, 'documented field')} that the tests miss if absent, empty or different.${late}`;
    const lines = rows.map(([id, fields]) => `${endpoints[id].title}: ${fields.join(', ') || 'no field'}`);
    parts.push(part('What the client needs', 'needs', summary, { Fields: lines }));
  }
  const runs = part('The runs', '', '', {
    'Tests that pass only sometimes, and were not relied on': tests.flaky,
    'Tests that fail as they are, and were left out': tests.failing,
    'Not decided': [
      optional`Choices, for want of time: ${undecided.join(', ')}.`,
      ...open.filter((says) => !undecided.some((id) => says.startsWith(`${id} `))),
    ].filter(Boolean),
    'Entries of the baseline that match nothing now': stale,
  });
  if (runs.lists.length > 0) parts.push(runs);
  return parts;
}

/** Finds what a reader takes for a screen: the file of a test, or where there is only one file, what is inside it. */
function screens({ tests, findings }: ClientReport) {
  const names = [...tests.steady, ...findings.flatMap(({ tests: own }) => own)];
  const parts = new Set(names.map((name) => name.split(' › ')[0])).size > 1 ? 1 : 2;
  return (name: string): string => name.split(' › ')[parts - 1] || name;
}

const isMissed = ({ status }: OutlineItem): boolean => status === 'fail';

/** The findings of each screen whose test met them first, and the screen with the most before the others. */
function byScreen(all: readonly OutlineItem[], screenOf: (name: string) => string) {
  const groups = Array.from(
    grouping(all, ({ tests }) => screenOf(tests[0] ?? '')),
    ([screen, items]) => ({ screen, missed: items.filter(isMissed).length, items }),
  );
  return groups.toSorted((a, b) => b.missed - a.missed);
}

/** What is to be mended in each screen, the one with the most first. A finding counts wherever a test shows it. */
function rowsOf(report: ClientReport, missed: readonly OutlineItem[], judged: readonly Aspect[]) {
  const screenOf = screens(report);
  const shown = missed.map((one) => ({ ...one, at: new Set(one.tests.map(screenOf)) }));
  const tests = grouping(report.tests.steady, screenOf);
  const rows = Array.from(new Set([...tests.keys(), ...shown.flatMap(({ at }) => [...at])]), (screen) => {
    const own = shown.filter(({ at }) => at.has(screen));
    return {
      screen,
      tests: tests.get(screen)?.length ?? 0,
      missed: judged.map((aspect) => own.filter((one) => one.aspect === aspect).length),
      all: own.length,
      harm: Math.max(0, ...own.map(({ harm = 0 }) => harm)),
    };
  });
  return rows.toSorted((a, b) => b.all - a.all);
}

/** What is one finding to a reader if the same tests have it: choices of one gap, fields of one request that belong elsewhere or nowhere, one token. */
const TOGETHER = /^(?:freedom:[^=]+=(?!.* and )|sent:(?:(?:undocumented|server)-field:[^:]+|authorization):)/s;

function itemsOf(findings: readonly ClientFinding[]): readonly OutlineItem[] {
  const groups = grouping(findings, ({ id, tests }) => `${TOGETHER.exec(id)?.[0] ?? id} ${tests.join()}`);
  return Array.from(groups.values(), (group) => itemOf(group));
}

const MOST_TESTS = 5;

function itemOf(group: readonly ClientFinding[]) {
  const [first] = group as readonly [ClientFinding];
  const { says, why, section, remedy, tests, again = '', accepted = '', count = 1, harm, isUnread, aspect } = first;
  const others = group.slice(1).map(({ id }) => id.replace(TOGETHER, ''));
  const meanings = group.slice(1).flatMap((one) => one.why.split(' Here: ').slice(1));
  const shown = tests.slice(0, MOST_TESTS);
  if (tests.length > MOST_TESTS) shown.push(`and ${tests.length - MOST_TESTS} more`);
  if (tests.length === 0) shown.push('not known: the runner does not tell which one asks, or none was running');
  let title = says;
  if (count > 1) title += ` (${count} times)`;
  if (others.length > 0) title += ` Also with ${others.join(', ')}.`;
  const texts = [
    { label: 'why', text: `${[why, ...meanings].join(' Or: ')} (section ${section})` },
    { label: 'tests', text: shown.join('; ') },
    { label: 'harm', text: optional`${harm} of 5` + optional`${isUnread && ', if the client reads what differs'}` },
    { label: 'so', text: remedy },
    { label: 'again', text: again },
    { label: 'accepted', text: accepted },
  ].filter(({ text }) => text !== '');
  return {
    id: first.id,
    aspect,
    tests: orNothing(tests) ?? ['No known test'],
    status: fails(first) ? ('fail' as const) : ('not-judged' as const),
    harm,
    title,
    brief: optional`harm ${harm} of 5` || undefined,
    facts: texts.map(({ label, text }): Fact => ({ label, line: label === 'again' ? [{ literal: text }] : [text] })),
    judged: 0,
    isKnown: false,
    exchanges: [],
    proof: [],
  };
}
