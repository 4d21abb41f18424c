import { endpoints, type EndpointId } from '../../spec/index.ts';
import { grouping } from '../../conformance/collections.ts';
import { counted, duration } from '../../conformance/reporters/wording/wording.ts';
import { failing, scoreOf, type Aspect, type ClientFinding, type ClientReport, type EndpointNeeds } from '../report.ts';

/** One finding, or several that are one to a reader. */
export type OutlineItem = ReturnType<typeof itemOf>;

export interface OutlinePart {
  readonly title: string;
  /** Above what is counted in the table of screens; empty if nothing is. */
  readonly column: string;
  /** What comes of it, as a sentence. */
  readonly summary: string;
  /** Those of one screen together. */
  readonly groups: ReturnType<typeof byScreen>;
  readonly lists: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

const outcomes = { sound: 'SOUND', unsound: 'UNSOUND', partial: 'PARTIAL' } as const;

/** What the report for people says, in any format. */
export function clientOutline(report: ClientReport) {
  const { tests, runs, durationMs, faults, open, stale = [] } = report;
  const score = faults && scoreOf(faults);
  const words = [counted(failing(report).length, 'finding')];
  if (score !== undefined) words.push(`the tests notice ${score} % of the faults that they reach`);
  const later = [
    listOf('Tests that pass only sometimes, and were left out', tests.flaky),
    listOf('Tests that fail as they are, and were left out', tests.failing),
    listOf('Not decided', open),
    listOf('Entries of the baseline that match nothing now', stale),
  ].flat();
  const parts = [...partsOf(report)];
  const judged = parts.filter(({ column }) => column !== '');
  if (later.length > 0) parts.push({ title: 'The runs', column: '', summary: '', groups: [], lists: later });
  return {
    verdict: `${outcomes[report.outcome]}: ${words.join('; ')}`,
    facts: [
      `${counted(tests.steady.length, 'test')} of ${report.client}`,
      `${counted(runs, 'run')} in ${duration(durationMs)}`,
      `the tests alone take ${duration(tests.durationMs)}`,
    ],
    parts,
    /** The columns of the table of screens, besides their tests and the worst harm, and its rows. */
    columns: judged.map(({ column }) => column),
    rows: rowsOf(report, judged),
  };
}

const listOf = (title: string, lines: readonly string[]): OutlinePart['lists'] => {
  if (lines.length === 0) return [];
  return [{ title, lines }];
};

function partsOf(report: ClientReport): readonly OutlinePart[] {
  const { findings, coverage, freedoms, held = {}, faults, needs, asked } = report;
  const of = (aspect: Aspect): readonly ClientFinding[] => findings.filter((one) => one.aspect === aspect);
  const open = (aspect: Aspect): number => failing(report).filter((one) => one.aspect === aspect).length;
  const screenOf = screens(report);
  const parts: OutlinePart[] = [];
  if (asked.includes('sent'))
    parts.push({
      title: 'What the client sends',
      column: 'Sent',
      summary: open('sent') === 0 ? 'Nothing that the contract does not allow.' : 'Some of it is not what was meant.',
      groups: byScreen(of('sent'), screenOf),
      lists: listOf('Never asked for or met', coverage?.neverMet ?? []),
    });
  if (freedoms)
    parts.push({
      title: 'What the client leans on',
      column: 'Leans on',
      summary:
        `${counted(freedoms.length, 'permitted choice')} can be seen in the answers; ${counted(open('freedom'), 'one')} that the tests do not bear.`.replace(
          /(\d+) ones?\b/,
          '$1',
        ),
      groups: byScreen(of('freedom'), screenOf),
      lists: listOf(
        'Chosen by the tests themselves, and left so',
        Object.entries(held).map(([gap, names]) => `${gap}: ${names.join(', ')}`),
      ),
    });
  if (faults) {
    const { noticed, unnoticed, unreached, untried, seldom } = faults;
    let summary = `${noticed.length} noticed, ${unnoticed.length} reached and not noticed, ${unreached.length} never reached`;
    if (untried.length > 0) summary += `, ${untried.length} not tried`;
    summary += '.';
    if (seldom.unnoticed.length > 0) summary += ` ${seldom.unnoticed.length} of the noticed ones not if they are rare.`;
    parts.push({
      title: 'Faults that the tests would notice',
      column: 'Not noticed',
      summary,
      groups: byScreen(of('faults'), screenOf),
      lists: [],
    });
  }
  if (needs) {
    const lines = (Object.entries(needs.endpoints) as [EndpointId, EndpointNeeds][]).map(
      ([id, { fields }]) => `${endpoints[id].title}: ${Object.keys(fields).join(', ') || 'no field'}`,
    );
    const fields = Object.values(needs.endpoints).reduce((sum, one) => sum + Object.keys(one.fields).length, 0);
    const summary = `${counted(fields, 'documented field')} that the tests miss if absent, empty or different.`;
    parts.push({ title: 'What the client needs', column: '', summary, groups: [], lists: listOf('Fields', lines) });
  }
  return parts;
}

/** Finds what a reader takes for a screen: the file of a test, or where there is only one file, what is inside it. */
function screens({ tests, findings }: ClientReport) {
  const names = [...tests.steady, ...findings.flatMap(({ tests: own }) => own)];
  const parts = new Set(names.map((name) => name.split(' › ')[0])).size > 1 ? 1 : 2;
  return (name = ''): string => name.split(' › ').slice(0, parts).join(' › ') || 'No single test';
}

/** The findings of each screen whose test met them first, and the screen with the most before the others. */
function byScreen(findings: readonly ClientFinding[], screenOf: (name?: string) => string) {
  const groups = Array.from(
    grouping(findings, ({ tests: [first] }) => screenOf(first)),
    ([screen, own]) => ({ screen, missed: failing({ findings: own }).length, items: itemsOf(own) }),
  );
  return groups.toSorted((a, b) => b.missed - a.missed);
}

/** What is to be mended in each screen, the one with the most first. */
function rowsOf(report: ClientReport, parts: readonly OutlinePart[]) {
  const screenOf = screens(report);
  const groups = parts.flatMap((part) => part.groups);
  const tests = grouping(report.tests.steady, screenOf);
  const rows = Array.from(new Set([...tests.keys(), ...groups.map(({ screen }) => screen)]), (screen) => ({
    screen,
    tests: tests.get(screen)?.length ?? 0,
    missed: parts.map((part) => part.groups.find((group) => group.screen === screen)?.missed ?? 0),
    harm: Math.max(
      0,
      ...groups.filter((one) => one.screen === screen).flatMap(({ items }) => items.map(({ harm = 0 }) => harm)),
    ),
  }));
  const sum = (row: { missed: readonly number[] }): number => row.missed.reduce((all, count) => all + count, 0);
  return rows.toSorted((a, b) => sum(b) - sum(a));
}

/** Choices of one gap at which the same tests fail are one finding to a reader. */
function itemsOf(findings: readonly ClientFinding[]): readonly OutlineItem[] {
  const groups = grouping(findings, (one) => {
    const isOneChoice = one.aspect === 'freedom' && !one.id.includes(' and ');
    return `${one.id.replace(isOneChoice ? /=.*/s : '', '')} ${one.tests.join()}`;
  });
  return Array.from(groups.values(), (group) => itemOf(group));
}

const MOST_TESTS = 5;

function itemOf(group: readonly ClientFinding[]) {
  const [first] = group as readonly [ClientFinding];
  const { says, why, section, remedy, tests, again, accepted, isNote, count = 1, harm } = first;
  const others = group.slice(1).map(({ id }) => id.split('=')[1] ?? id);
  const shown = tests.slice(0, MOST_TESTS);
  if (tests.length > MOST_TESTS) shown.push(`and ${tests.length - MOST_TESTS} more`);
  const facts = [
    { label: 'why', text: `${why} (section ${section})` },
    { label: 'also', text: others.join(', ') },
    { label: 'tests', text: shown.join('; ') },
    { label: 'harm', text: harm ? `${harm} of 5` : '' },
    { label: 'so', text: remedy },
    { label: 'again', text: again ?? '' },
    { label: 'accepted', text: accepted ?? '' },
  ].filter(({ text }) => text !== '');
  const isOpen = accepted === undefined && isNote !== true;
  return {
    mark: isOpen ? ('fail' as const) : ('not-judged' as const),
    harm,
    title: count > 1 ? `${says} (${count} times)` : says,
    facts,
  };
}
