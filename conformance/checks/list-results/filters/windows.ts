import { timeFilters, type TimeFilter } from '../../../../spec/index.ts';
import type { Finding } from '../../../check.ts';
import type { TargetClock } from '../../../history/facts/clock.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import type { List } from '../../../history/facts/lists.ts';
import { agreementOf, type Agreement, type Disagreement } from '../../../results/agreement.ts';
import { describeQuery } from '../../../history/facts/selection.ts';
import { boundsOf, within, type WindowBounds } from '../../../results/windows.ts';
import { show } from '../../../show.ts';
import { keptOf } from '../verdict-builder.ts';

/** The named filter, or the default one. */
export type Named = TimeFilter | 'default';

/** Differences of lists from the time spans of their filters, and from each other. */
export interface Spans {
  readonly agreement: Agreement;
  /** What the lists of a filter show or lack wrongly. */
  readonly findings: ReadonlyMap<Named, readonly Finding[]>;
}

const known = new WeakMap<Facts, { readonly requests: number; readonly spans: Spans }>();

/** Computed once for the current state of a history. */
export function spansOf(facts: Facts): Spans {
  const { requests } = facts.traffic;
  const before = known.get(facts);
  if (before?.requests === requests) return before.spans;
  const agreement = agreementOf(facts.lists, facts.clock);
  const findings = new Map<Named, readonly Finding[]>();
  for (const named of [...timeFilters, 'default'] as const)
    findings.set(named, [...outside(facts, named), ...lost(facts, named, agreement)].slice(0, 5));
  const spans = { agreement, findings };
  known.set(facts, { requests, spans });
  return spans;
}

/** The filter that a list names; `undefined` if something else selects too. */
export const namedBy = ({ selection, open }: List): Named | undefined =>
  open || selection.filter === undefined
    ? undefined
    : selection.sentFilter === undefined
      ? 'default'
      : selection.filter;

/** The index of the first result on a page that is outside the list's span under any reading; null if there is none. */
export function strayOn(list: List, number: number, clock: TargetClock): number | null | undefined {
  const bounds = boundsOf(list, clock);
  const { rows = [] } = list.pages[number] ?? {};
  if (!bounds || !rows.some(({ at }) => at)) return undefined;
  const index = rows.findIndex(({ at }) => at && !within(at.ms, bounds.possible));
  return index < 0 ? null : index;
}

function outside({ lists, clock }: Facts, named: Named): readonly Finding[] {
  return lists.all.flatMap((list): readonly Finding[] => {
    if (namedBy(list) !== named) return [];
    const number = list.pages.findIndex((_, i) => typeof strayOn(list, i, clock) === 'number');
    const index = number < 0 ? undefined : strayOn(list, number, clock);
    const row = list.pages[number]?.rows[index ?? -1];
    const bounds = boundsOf(list, clock);
    if (!row || !bounds) return [];
    return [
      {
        expected: `results of ${list.selection.filter} (${describeSpan(bounds)}, in any time zone) ${describeQuery(list.query)}`,
        actual: `one of ${show(row.createdAt)}`,
        at: `/results/${index}/createdAt`,
        exchanges: keptOf(list, number),
      },
    ];
  });
}

/** Results that lists of a filter lack, although they lie between two results of one page, or certainly in the span. */
function lost({ clock }: Facts, named: Named, { disagreements }: Agreement): readonly Finding[] {
  return disagreements.flatMap((one) =>
    namedBy(one.list) === named && (isLost(one, clock) || isOfLastWeek(one)) ? [describeDisagreement(one)] : [],
  );
}

function isLost({ kind, list, row, position, isSame, isKnown }: Disagreement, clock: TargetClock): boolean {
  if (kind !== 'missing') return false;
  if (position === 'inside') return true;
  if (isSame || isKnown || (position !== 'head' && position !== 'end')) return false;
  const bounds = boundsOf(list, clock);
  return bounds !== undefined && row.at !== undefined && within(row.at.ms, bounds.certain);
}

/** Compares a list without a filter with lists of last7Days, whatever span that is. */
function isOfLastWeek({ kind, list, witnesses, position, isSame, isKnown }: Disagreement): boolean {
  if (isSame || namedBy(list) !== 'default' || witnesses[0].list.selection.sentFilter !== 'last7Days') return false;
  return kind === 'foreign' || (!isKnown && position !== 'between');
}

/** A difference, with the exchanges that show it. */
export function describeDisagreement({ kind, list, row, witnesses }: Disagreement): Finding {
  const [before, after] = witnesses;
  const others = describeQuery(before.list.query);
  const page = Math.max(
    0,
    list.pages.findIndex(({ rows }) => rows.some(({ id }) => id === row.id)),
  );
  const near = list.pages.findIndex(({ rows }) => rows.some(({ at }) => at && row.at && at.ms <= row.at.ms));
  const shown = kind === 'foreign' ? [page] : near < 0 ? [list.pages.length - 1] : [near - 1, near];
  const exchanges = [...keptOf(before.list, before.page), ...keptOf(after.list, after.page), ...keptOf(list, ...shown)];
  return {
    expected:
      kind === 'missing'
        ? `result ${show(row.id)} of ${show(row.createdAt)}, which ${others} shows before and after (${describeQuery(list.query)})`
        : `only results that ${others} shows before or after (${describeQuery(list.query)})`,
    actual: kind === 'missing' ? 'it is missing' : `result ${show(row.id)} of ${show(row.createdAt)}`,
    at:
      kind === 'missing' ? '/results' : `/results/${list.pages[page]?.rows.findIndex(({ id }) => id === row.id) ?? 0}`,
    exchanges,
  };
}

const instant = (ms: number): string => new Date(ms).toISOString();

function describeSpan({ possible: { from, to } }: WindowBounds): string {
  if (from === -Infinity) return 'any time';
  return to === Infinity ? `from ${instant(from)}` : `from ${instant(from)} to ${instant(to)}`;
}
