import { defaults, filterWalks, readings, sizes } from '../../../probes/lists.ts';
import type { Check, Finding, Missing } from '../../../check.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import type { Disagreement } from '../../../results/agreement.ts';
import { createVerdict } from '../verdict-builder.ts';
import { describeDisagreement, namedBy, spansOf, type Spans } from './windows.ts';

export const walksAgree: Check = {
  id: 'list-results-walks-agree',
  title: 'Pages of any size show the same results, at any time and while other lists are read',
  endpoint: 'list-results',
  verifies: ['page-size-irrelevant', 'cursor-continues'],
  provenBy: [
    'page-boundary-loses-result',
    'next-cursor-null-early',
    'page-of-25-loses-last',
    'other-agents-list-ends-walk',
  ],
  probes: [...readings, sizes, filterWalks, defaults],
  judge: (facts) => ({
    verdict() {
      const spans = spansOf(facts);
      const findings = spans.agreement.disagreements.filter((one) => isOurs(one, spans)).map(findingOf);
      const judged = spans.agreement.compared;
      return { findings: findings.slice(0, 5), judged, missing: judged === 0 ? noReadings(facts) : undefined };
    },
  }),
};

/** Judges that readings of one list agree. A result between two pages of any reading was lost by its cursor. */
function isOurs({ list, position, isSame }: Disagreement, { findings }: Spans): boolean {
  const named = namedBy(list);
  if (named !== undefined && (findings.get(named)?.length ?? 0) > 0) return false;
  if (named === 'default' && (findings.get('last7Days')?.length ?? 0) > 0) return false;
  return isSame ? position !== 'inside' || named === undefined : position === 'between';
}

const findingOf = (one: Disagreement): Finding => ({
  ...describeDisagreement(one),
  requirement: one.position === 'between' ? 'cursor-continues' : 'page-size-irrelevant',
});

const noReadings = ({ lists }: Facts): Missing => ({
  reason:
    lists.all.length === 0
      ? 'No list was read.'
      : 'No list was read three times in order, so a lost result looks like a change during the run.',
  supply: '--agent-id of an agent with results',
});

export const windowsNest: Check = {
  id: 'list-results-windows-nest',
  title: 'Time windows nest or stay apart as their names say',
  endpoint: 'list-results',
  verifies: ['time-filter-nesting'],
  provenBy: ['last-month-reaches-into-this'],
  probes: [...readings, filterWalks],
  judge: (facts) => ({
    verdict() {
      const verdict = createVerdict();
      const spans = spansOf(facts);
      const isBlamed = (name: string | undefined): boolean =>
        name !== undefined && [...spans.findings].some(([named, { length }]) => named === name && length > 0);
      for (const one of spans.agreement.disagreements) {
        const inner = one.witnesses[0].list.selection.sentFilter;
        const outer = one.list.selection.sentFilter;
        if (one.kind !== 'missing' || one.isKnown || one.position === 'between' || isBlamed(inner) || isBlamed(outer))
          continue;
        if (nested.some(([part, whole]) => part === inner && whole === outer)) verdict.found(describeDisagreement(one));
      }
      verdict.judged(overlaps(facts, isBlamed, (finding) => verdict.found(finding)));
      return verdict.verdict({
        reason: 'The windows hold no results to compare.',
        supply: '--agent-id of an agent with results',
      });
    },
  }),
};

/** The specification leaves open whether today belongs to the last days. */
const nested = [
  ['last7Days', 'last30Days'],
  ['today', 'monthToDate'],
  ['today', 'yearToDate'],
  ['monthToDate', 'yearToDate'],
] as const;

const apart = [
  ['lastMonth', 'monthToDate'],
  ['lastMonth', 'today'],
] as const;

/**
 * Results in both of two disjoint lists, if the second reading of one encloses the other; and how many were compared.
 */
function overlaps({ lists }: Facts, isBlamed: (name: string) => boolean, found: (finding: Finding) => void): number {
  let judged = 0;
  for (const [past, present] of apart) {
    if (isBlamed(past) || isBlamed(present)) continue;
    for (const list of lists.all) {
      if (namedBy(list) !== past || list.rows.length === 0) continue;
      const others = lists.all.filter((one) => one.of === list.of && namedBy(one) === present && one.rows.length > 0);
      const before = others.find((one) => (one.pages.at(-1)?.n ?? Infinity) < (list.pages[0]?.begun ?? 0));
      const after = others.findLast((one) => (one.pages[0]?.begun ?? 0) > (list.pages.at(-1)?.n ?? Infinity));
      if (!before || !after) continue;
      judged++;
      const row = list.rows.find(({ id }) => before.place.has(id) && after.place.has(id));
      if (!row) continue;
      const page = (of: typeof list): number => of.pages.findIndex(({ rows }) => rows.some(({ id }) => id === row.id));
      found({
        expected: `no result both in ${past} and in ${present}`,
        actual: `result ${JSON.stringify(row.id)} of ${JSON.stringify(row.createdAt)} in both`,
        at: `/results/${list.pages[page(list)]?.rows.findIndex(({ id }) => id === row.id) ?? 0}`,
        exchanges: [before, after, list].flatMap((one) => one.pages[page(one)]?.kept ?? []),
      });
    }
  }
  return judged;
}
