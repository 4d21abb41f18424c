import type { Judge, Verdict } from '../../../check.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import type { List } from '../../../history/facts/lists.ts';
import type { Disagreement } from '../../../results/agreement.ts';
import { pageOf } from '../../../results/relations.ts';
import { AGENT_WITH_RESULTS, unreadableIn } from '../pages.ts';
import { beyondEnds } from './ends.ts';
import { compareSpans, describeDisagreement, namedBy, pointerOf, spannedBy, type Spans } from './windows.ts';

/** Judges that pages of any size show the same results, at any time. */
export const judgeAgreement = (facts: Facts): Judge => ({
  conclude(verdict) {
    const spans = facts.derive(compareSpans);
    verdict.judged = spans.agreement.compared;
    for (const n of spans.agreement.lagging) facts.excuses.use('lagging-replica', n);
    for (const one of spans.agreement.disagreements.filter((each) => isOurs(each, spans))) {
      const requirement = one.position === 'between' ? 'cursor-continues' : 'page-size-irrelevant';
      verdict.findings.push({ ...describeDisagreement(one), requirement });
    }
    if (facts.lists.all.length === 0) verdict.missing = { reason: 'No list was read.', supply: AGENT_WITH_RESULTS };
  },
});

/** Judges that readings of one list agree. A result between two pages of any reading was lost by its cursor. */
function isOurs(one: Disagreement, { findings, isOfPages }: Spans): boolean {
  const { list, position, isSame, isKnown } = one;
  if (isOfPages(one)) return position === 'inside' || isKnown;
  const [named, span] = [namedBy(list), spannedBy(list)];
  if (span !== undefined && (findings.get(span)?.length ?? 0) > 0) return false;
  if (named === 'default' && (findings.get('last7Days')?.length ?? 0) > 0) return false;
  if (isSame) return position !== 'inside' || named === undefined;
  return position === 'between';
}

/** Judges that time windows nest or stay apart as their names say, and end where they are said to. */
export const judgeNesting = (facts: Facts): Judge => ({
  conclude(verdict) {
    const { agreement, findings } = facts.derive(compareSpans);
    const blamed = new Set<string | undefined>([...findings].flatMap(([name, { length }]) => (length > 0 ? name : [])));
    for (const one of agreement.disagreements) {
      const [inner, outer] = [namedBy(one.witnesses[0].list), namedBy(one.list)];
      const isNested = nested.some(([part, whole]) => part === inner && whole === outer);
      if (!isNested || blamed.has(inner) || blamed.has(outer)) continue;
      if (one.kind === 'missing' && !one.isKnown && one.position !== 'between')
        verdict.findings.push(describeDisagreement(one));
    }
    for (const present of ['monthToDate', 'today'])
      if (!blamed.has('lastMonth') && !blamed.has(present)) findOverlaps(facts, 'lastMonth', present, verdict);
    verdict.findings.push(...beyondEnds(facts));
    if (verdict.judged === 0) verdict.missing = unreadableIn(facts.lists.all);
  },
});

/** The specification leaves open whether today belongs to the last days. */
const nested = [
  ['last7Days', 'last30Days'],
  ['today', 'monthToDate'],
  ['today', 'yearToDate'],
  ['monthToDate', 'yearToDate'],
] as const;

function findOverlaps({ lists }: Facts, past: string, present: string, verdict: Verdict): void {
  const named = (name: string): readonly List[] =>
    lists.all.filter((list) => namedBy(list) === name && list.rows.length > 0);
  for (const list of named(past)) {
    const others = named(present).filter(({ of }) => of === list.of);
    const before = others.find(({ pages }) => (pages.at(-1)?.n ?? Infinity) < (list.pages[0]?.begun ?? 0));
    const after = others.findLast(({ pages }) => (pages[0]?.begun ?? 0) > (list.pages.at(-1)?.n ?? Infinity));
    if (!before || !after) continue;
    verdict.judged++;
    const row = list.rows.find(({ id }) => before.place.has(id) && after.place.has(id));
    if (!row) continue;
    verdict.findings.push({
      expected: `no result both in ${past} and in ${present}`,
      actual: `result ${JSON.stringify(row.id)} of ${JSON.stringify(row.createdAt)} in both`,
      at: pointerOf(list, pageOf(list, row.id), row.id),
      exchanges: [before, after, list].flatMap((one) => one.pages[pageOf(one, row.id)]?.excerpt ?? []),
    });
  }
}
