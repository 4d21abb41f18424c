import { MOST_KEPT, type Finding, type Judge, type Verdict } from '../../check.ts';
import { valueFor } from '../../collections.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { List, ListedPage } from '../../history/facts/lists.ts';
import { DETAILS, MEMBERS, type Row } from '../../history/facts/page.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import type { Excerpt } from '../../http/exchange.ts';
import { beginsNewest, disorderOn } from '../../results/relations.ts';
import { show } from '../../show.ts';
import { excerptsOf, unreadableIn } from './pages.ts';

const MAX_PENDING = 100;

/** Judges that results come newest first, within a page and from page to page. */
export function judgeOrder({ policy, excuses, lists }: Facts): Judge {
  /** Pages that start over, if a later one repeats a result. */
  const undecided: (readonly [List, number])[] = [];

  function seeOrder(list: List, number: number, { findings }: Verdict): void {
    const disorder = disorderOn(list, number);
    if (!disorder) return;
    const { earlier, later, pages, index } = disorder;
    findings.push({
      expected: `results by descending createdAt (${describeQuery(list.query)})`,
      actual: `${show(earlier.createdAt)}, and after it ${show(later.createdAt)}`,
      at: `/results/${index}/createdAt`,
      exchanges: excerptsOf(list, ...pages),
    });
  }

  return {
    page({ page, list, index: number }, verdict) {
      const readable = page.rows.filter(({ at }) => at).length;
      // The first result of a list follows none.
      verdict.judged += number > 0 ? readable : Math.max(0, readable - 1);
      if (!beginsNewest(page)) seeOrder(list, number, verdict);
      else if (policy.isShared) excuses.use('reset', page.n);
      else if (undecided.length < MAX_PENDING) undecided.push([list, number]);
    },
    conclude(verdict) {
      for (const [list, number] of undecided) seeOrder(list, number, verdict);
      if (verdict.judged === 0) verdict.missing = unreadableIn(lists.all);
    },
  };
}

const YOUNG_MS = 3_600_000;

type Showing = Readonly<{ row: Row; of: string; excerpt: Excerpt }>;

/** So many results that show something only the first time are no accident, nor a visitor's doing. */
const FORGOTTEN = 5;

/** What results show when they are listed for the first time, and never again, on pages where new ones show it. */
function createForgotten() {
  const all = new Map<
    string,
    { readonly ids: Set<string>; kept: number; exchanges: Excerpt[]; isBesideNew: boolean }
  >();
  const countOf = (value: string): number => Number.parseInt(value, 10);
  return {
    see({ excerpt }: ListedPage, fresh: readonly Row[], again: readonly (readonly [known: Showing, row: Row])[]): void {
      for (const member of DETAILS) {
        const has = (value: string | undefined): value is string => value !== undefined && countOf(value) > 0;
        const isNewWith = fresh.some((row) => has(row[member]));
        for (const [known, row] of again) {
          const [was, is] = [known.row[member], row[member]];
          if (!has(was)) continue;
          const its = valueFor(all, member, () => ({
            ids: new Set<string>(),
            kept: 0,
            exchanges: [],
            isBesideNew: false,
          }));
          if (has(is) && countOf(is) >= countOf(was)) its.kept++;
          else {
            if (its.ids.size < MOST_KEPT) its.ids.add(row.id);
            if (isNewWith) its.exchanges = [known.excerpt, excerpt];
            its.isBesideNew ||= isNewWith;
          }
        }
      }
    },
    get findings(): readonly Finding[] {
      const forgotten = [...all].filter(([, of]) => of.kept === 0 && of.isBesideNew && of.ids.size >= FORGOTTEN);
      return forgotten.map(([member, { ids, exchanges }]) => ({
        expected: `${member} of a result as on another page`,
        actual: `less of it, of each of ${ids.size} results that were listed before, beside new ones that show it`,
        at: '/results',
        exchanges,
      }));
    },
  };
}

/** Judges that a result is the same on every page, and of no time to come. */
export function judgeSteadiness({ policy, excuses, lists, clock }: Facts): Judge {
  const first = new Map<string, Showing>();
  /** Values that differ from the first showing, until that is shown again: reset data never shows it again. */
  const pending = new Map<string, { readonly finding: Finding; readonly n: number }>();
  const forgotten = createForgotten();

  function compare(known: Showing, { row, of, excerpt }: Showing, at: string, { n, stamp }: ListedPage): Finding[] {
    return MEMBERS.flatMap((member): Finding[] => {
      const [was, is] = [known.row[member], row[member]];
      const isDate = member === 'createdAt';
      // A date is the same for every caller.
      const key = `${isDate ? known.of : of} ${row.id} ${member}`;
      if (was === is || (isDate && row.at && known.row.at?.ms === row.at.ms)) {
        const { finding } = pending.get(key) ?? {};
        pending.delete(key);
        return finding ? [{ ...finding, exchanges: [...finding.exchanges, excerpt] }] : [];
      }
      const isYoung = Math.min(stamp.at, ...clock.instants(stamp)) - (row.at?.ms ?? Infinity) < YOUNG_MS;
      if (!isDate && (known.of !== of || isYoung || was === undefined || is === undefined)) return [];
      const [before, after] = [was, is].map((value) =>
        isDate ? show(value) : String(value).replace(/ [0-9a-f]{12}$/, ''),
      );
      // A page may show fewer values, and a visitor who comes back changes them.
      const isAbout = member === 'metadata' || member === 'lastChatSessionId';
      if (isAbout && (before !== after || known.row.updatedAt !== row.updatedAt)) return [];
      const finding: Finding = {
        expected: `result ${show(row.id)} with ${isDate ? 'createdAt ' : ''}${before}, as on another page`,
        actual: (before === after && 'others') || String(after),
        at: `${at}/${member === 'attachedFileUrls' ? 'answers' : member}`,
        exchanges: [known.excerpt, excerpt],
      };
      if (isDate && !policy.isShared) return [finding];
      if (pending.size < MAX_PENDING) pending.set(key, { finding, n });
      return [];
    });
  }

  return {
    page({ page, list }, verdict) {
      const [fresh, again]: [Row[], [Showing, Row][]] = [[], []];
      for (const [index, row] of page.rows.entries()) {
        // A value that is not a string breaks the shape, which another check judges.
        if (typeof row.createdAt !== 'string') continue;
        // A local time may be that of the zone that the query names.
        if (row.at?.zoneKnown !== true && page.query.some(([name]) => name === 'timeZone')) continue;
        const seen = { row, of: list.of, excerpt: page.excerpt };
        const known = valueFor(first, `${list.agentId} ${row.id}`, () => seen, 50_000);
        if (known === seen) fresh.push(row);
        else if (known.of === list.of) again.push([known, row]);
        if (known === seen) continue;
        verdict.judged++;
        verdict.findings.push(...compare(known, seen, `/results/${index}`, page));
      }
      if (!policy.isShared) forgotten.see(page, fresh, again);
    },
    conclude(verdict) {
      for (const { n } of pending.values()) excuses.use('reset', n);
      verdict.findings.push(...forgotten.findings);
      for (const { pages, query } of lists.all)
        for (const { rows, stamp, excerpt } of pages) {
          const index = rows.findIndex(({ at }) => at && clock.isAhead(at, stamp));
          if (index < 0) continue;
          verdict.findings.push({
            expected: `no result later than any clock of the target (${describeQuery(query)})`,
            actual: show(rows[index]?.createdAt),
            at: `/results/${index}/createdAt`,
            requirement: 'result-dated-in-past',
            exchanges: [excerpt],
          });
        }
    },
  };
}
