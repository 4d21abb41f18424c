import { timeFilters, type TimeFilter } from '../../../../spec/index.ts';
import { MAX_FINDINGS, type Finding } from '../../../check.ts';
import { grouping } from '../../../collections.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import { hasEnded, type List } from '../../../history/facts/lists.ts';
import type { Row } from '../../../history/facts/page.ts';
import { describeQuery } from '../../../history/facts/selection.ts';
import { agreementOf, type Agreement, type Disagreement } from '../../../results/agreement.ts';
import { pageOf } from '../../../results/relations.ts';
import { within, type WindowBounds, type Windows } from '../../../results/windows.ts';
import { optional, show } from '../../../show.ts';
import { excerptsOf } from '../pages.ts';

/** The named filter, or the default one. */
export type Named = TimeFilter | 'default';

/** Differences of lists from the time spans of their filters, and from each other. */
export type Spans = ReturnType<typeof compareSpans>;

/** For each page of each list, the index of the first result that is outside its span under any reading; null if none is. */
type Strays = ReadonlyMap<List, readonly (number | null | undefined)[]>;

export function compareSpans(facts: Facts) {
  const strays = new Map(facts.lists.all.map((list) => [list, straysIn(list, facts.windows.boundsOf(list))]));
  const unfiltered = withoutFilter(strays);
  const filtered = facts.lists.all.filter((list) => !unfiltered.has(list));
  const agreement = agreementOf(filtered, facts.windows);
  const isOfPages = arePagesShort(agreement);
  const ofFilters = agreement.disagreements.filter((one) => !isOfPages(one));
  const findings = new Map<Named, readonly Finding[]>();
  for (const named of [...timeFilters, 'default'] as const)
    findings.set(named, [...outside(facts, named, strays), ...lost(facts, named, ofFilters)]);
  return {
    /** Of the lists that kept their filters. */
    agreement,
    /** Whether a list lacks a result that its page lost, and not its filter. */
    isOfPages,
    findings: findings as ReadonlyMap<Named, readonly Finding[]>,
    /** Lists whose cursors dropped their filters. */
    unfiltered,
    strays: strays as Strays,
  };
}

/**
 * Lists of which only later pages show results outside of the span: their cursors dropped the filter. If that happens to one filter
 * alone, whenever one of its lists reaches the end of the span, while cursors keep another, then it is the filter that is too wide.
 */
function withoutFilter(ofLists: Strays): ReadonlySet<List> {
  const filtered = [...ofLists.keys()].filter(({ open, selection }) => !open && selection.span !== 'allTime');
  const filters = [...grouping(filtered, ({ of, selection }) => `${of} ${selection.key}`).values()].map((some) => {
    const all = some.map((list) => ({ list, strays: ofLists.get(list) ?? [] }));
    const clean = all.filter(({ strays }) => !strays.some(Number.isInteger));
    return {
      strayed: all.filter((one) => !clean.includes(one)).map(({ list }) => list),
      isWide: all.some(({ strays: [first] }) => Number.isInteger(first)),
      isRight: clean.some(({ list }) => list.pages.length > 1 && hasEnded(list)),
      isKept: clean.some(({ strays }) => strays.slice(1).includes(null)),
      isShort: clean.some(({ list }) => list.pages.length > 1 && some.some((one) => isOlder(one, list))),
    };
  });
  // Not the cursors, where several filters are too wide before there is one.
  if (filters.filter(({ isWide }) => isWide).length > 1) return new Set();
  const suspects = filters.filter(({ strayed, isWide }) => strayed.length > 0 && !isWide);
  const lists = suspects.flatMap(({ strayed }) => strayed);
  const isOneSpan = new Set(lists.map(({ selection }) => selection.span)).size === 1;
  const isCursor = suspects.some(({ isRight }) => isRight) || filters.some(({ isShort }) => isShort);
  if (isOneSpan && !isCursor && filters.some(({ isKept }) => isKept)) return new Set();
  return new Set(lists);
}

/** Whether a list goes further back than another of its filter, whose cursors may have led into a narrower one. */
const isOlder = ({ rows }: List, other: List): boolean =>
  hasEnded(other) && (rows.at(-1)?.at?.ms ?? Infinity) < (other.rows.at(-1)?.at?.ms ?? -Infinity);

/**
 * Whether pages lack a result, and no filter: several spans lack some, of which other readings show each, or only later pages lack it;
 * or a result without an identifier stands for it.
 */
function arePagesShort({ disagreements }: Agreement): (one: Disagreement) => boolean {
  const isOfPage = ({ kind, list, row, position, isKnown }: Disagreement): boolean =>
    kind === 'missing' && position !== 'head' && (isKnown || !list.pages[0]?.rows.some(isAsOldAs(row)));
  const inside = disagreements.filter(({ kind, position }) => kind === 'missing' && position === 'inside');
  const isOfPages = inside.every(isOfPage) && new Set(inside.map(({ list }) => list.selection.span)).size > 1;
  return (one) => (isOfPages && isOfPage(one)) || (inside.includes(one) && lacksId(one));
}

const lacksId = ({ list }: Disagreement): boolean => list.pages.some(({ isNamed }) => !isNamed);

/** The filter that a list names; `undefined` if something else selects too. */
export function namedBy({ selection: { filter, sentFilter }, open }: List): Named | undefined {
  if (open || filter === undefined) return undefined;
  if (sentFilter === undefined) return 'default';
  return filter;
}

/** The same, or the filter whose days a time zone moves. */
export function spannedBy(list: List): Named | undefined {
  const { filter, span } = list.selection;
  if (list.open || filter !== undefined) return namedBy(list);
  return span;
}

function straysIn({ pages }: List, bounds: WindowBounds | undefined): readonly (number | null | undefined)[] {
  return pages.map(({ rows }) => {
    if (!bounds || !rows.some(({ at }) => at)) return undefined;
    const index = rows.findIndex(({ at }) => at && !within(at.ms, bounds.possible));
    return index < 0 ? null : index;
  });
}

function outside({ windows }: Facts, named: Named, ofLists: Strays): readonly Finding[] {
  return Array.from(ofLists).flatMap(([list, strays]): readonly Finding[] => {
    const page = strays.findIndex(Number.isInteger);
    const bounds = windows.boundsOf(list);
    if (spannedBy(list) !== named || !bounds || page < 0) return [];
    const expected = `results of ${list.selection.span} (${describeSpan(bounds)}, in any time zone)`;
    return [
      {
        expected: `${expected} ${describeQuery(list.query)}`,
        actual: `one of ${show(list.pages[page]?.rows[strays[page] ?? 0]?.createdAt)}`,
        at: `/results/${strays[page]}/createdAt`,
        exchanges: excerptsOf(list, page),
      },
    ];
  });
}

/** Results that lists of a filter lack, although they lie between two results of one page, or certainly in the span. */
function lost({ windows }: Facts, named: Named, disagreements: readonly Disagreement[]): readonly Finding[] {
  return disagreements
    .filter((one) => namedBy(one.list) === named && (isLost(one, windows) || isOfLastWeek(one)))
    .slice(0, MAX_FINDINGS)
    .map(describeDisagreement);
}

function isLost({ kind, list, row, position, isSame, isKnown }: Disagreement, windows: Windows): boolean {
  if (kind !== 'missing') return false;
  if (position === 'inside') return true;
  if (isSame || isKnown || (position !== 'head' && position !== 'end')) return false;
  const bounds = windows.boundsOf(list);
  return bounds !== undefined && row.at !== undefined && within(row.at.ms, bounds.certain);
}

/** Compares a list without a filter with lists of last7Days, whatever span that is. */
function isOfLastWeek({ kind, list, witnesses, position, isSame, isKnown }: Disagreement): boolean {
  if (isSame || namedBy(list) !== 'default' || namedBy(witnesses[0].list) !== 'last7Days') return false;
  return kind === 'foreign' || (!isKnown && position !== 'between');
}

export function describeDisagreement(disagreement: Disagreement): Finding {
  const { kind, list, row, witnesses } = disagreement;
  const [before, after] = witnesses;
  const others = describeQuery(before.list.query);
  const query = describeQuery(list.query);
  const witnessed = [...excerptsOf(before.list, before.page), ...excerptsOf(after.list, after.page)];
  /** The first page with a result as old. */
  const near = list.pages.findIndex(({ rows }) => rows.some(isAsOldAs(row)));
  if (kind === 'missing')
    return {
      expected: `result ${show(row.id)} of ${show(row.createdAt)}, which ${others} shows before and after (${query})`,
      actual: `it is missing${placeOf(disagreement, near)}${optional`, ${lacksId(disagreement) && 'and a result has no id'}`}`,
      at: '/results',
      exchanges: [...witnessed, ...excerptsOf(list, near < 0 ? list.pages.length - 1 : near - 1, near)],
    };
  const page = Math.max(0, pageOf(list, row.id));
  return {
    expected: `only results that ${others} shows before or after (${query})`,
    actual: `result ${show(row.id)} of ${show(row.createdAt)}`,
    at: pointerOf(list, page, row.id),
    exchanges: [...witnessed, ...excerptsOf(list, page)],
  };
}

const isAsOldAs =
  ({ at: its }: Row) =>
  ({ at }: Row): boolean =>
    at !== undefined && its !== undefined && at.ms <= its.ms;

function placeOf({ list: { pages }, row, position }: Disagreement, near: number): string {
  const rows = pages[near]?.rows.findIndex(isAsOldAs(row)) ?? 0;
  const words: Readonly<Partial<Record<typeof position, string>>> = {
    head: ' before the first row',
    inside: ` after row ${rows} of page ${near + 1}`,
    between: ` right after page ${near < 0 ? pages.length : near}`,
    end: ` after the last row, on page ${pages.length}`,
  };
  return words[position] ?? '';
}

export function pointerOf({ pages }: List, page: number, id: string): string {
  return `/results/${pages[page]?.rows.findIndex((row) => row.id === id) ?? 0}`;
}

function describeSpan({ possible: { from, to } }: WindowBounds): string {
  if (from === -Infinity) return 'any time';
  const begins = `from ${new Date(from).toISOString()}`;
  if (to === Infinity) return begins;
  return `${begins} to ${new Date(to).toISOString()}`;
}
