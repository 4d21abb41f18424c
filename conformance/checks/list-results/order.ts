import type { Finding, Verdict } from '../../check.ts';
import type { List } from '../../history/facts/lists.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import type { Excerpt } from '../../http/exchange.ts';
import { plan, readings, walks } from '../../probes/plan.ts';
import { beginsNewest, disorderOn } from '../../results/relations.ts';
import { show } from '../../show.ts';
import { AGENT_WITH_RESULTS, excerptsOf, type ListCheck } from './pages.ts';

const MAX_PENDING = 100;

export const newestFirst: ListCheck = {
  id: 'list-results-newest-first',
  title: 'Results come newest first, within a page and from page to page',
  verifies: ['results-newest-first'],
  probes: walks,
  judge({ policy, excuses }) {
    let unreadable: unknown;
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
        unreadable ??= page.rows.find(({ at }) => !at)?.createdAt;
        const readable = page.rows.filter(({ at }) => at).length;
        // The first result of a list follows none.
        verdict.judged += number > 0 ? readable : Math.max(0, readable - 1);
        if (!beginsNewest(page)) seeOrder(list, number, verdict);
        else if (policy.isShared) excuses.use('reset', page.n);
        else if (undecided.length < MAX_PENDING) undecided.push([list, number]);
      },
      missing: { reason: 'No list held two results.', supply: AGENT_WITH_RESULTS },
      conclude(verdict) {
        for (const [list, number] of undecided) seeOrder(list, number, verdict);
        if (verdict.judged === 0 && unreadable !== undefined)
          verdict.missing = {
            reason: `createdAt is ${show(unreadable)}, which is not a timestamp in a common format.`,
          };
      },
    };
  },
};

export const creationDateKept: ListCheck = {
  id: 'list-results-keep-creation-date',
  title: 'A result has the same createdAt on every page, and one that is no time to come',
  verifies: ['page-size-irrelevant', 'result-dated-in-past'],
  provenBy: ['created-at-differs-by-page-size', 'results-dated-ahead'],
  probes: [...readings, plan.walkInManySizes],
  judge({ policy, excuses, lists, clock }) {
    const first = new Map<string, { createdAt: string; ms: number | undefined; excerpt: Excerpt }>();
    /** Values that differ from the first showing, until that is shown again: reset data never shows it again. */
    const pending = new Map<string, { readonly finding: Finding; readonly n: number }>();
    return {
      page({ page, list }, verdict) {
        for (const [index, { id, at, createdAt }] of page.rows.entries()) {
          // A value that is not a string breaks the shape, which another check judges.
          if (typeof createdAt !== 'string') continue;
          const key = `${list.agentId} ${id}`;
          const known = first.get(key);
          if (!known) {
            if (first.size < 50_000) first.set(key, { createdAt, ms: at?.ms, excerpt: page.excerpt });
            continue;
          }
          verdict.judged++;
          if (known.createdAt === createdAt || (at && known.ms === at.ms)) {
            const { finding } = pending.get(key) ?? {};
            if (finding) verdict.findings.push({ ...finding, exchanges: [...finding.exchanges, page.excerpt] });
            pending.delete(key);
            continue;
          }
          const finding: Finding = {
            expected: `result ${show(id)} created at ${show(known.createdAt)}, as on another page`,
            actual: show(createdAt),
            at: `/results/${index}/createdAt`,
            exchanges: [known.excerpt, page.excerpt],
          };
          if (policy.contradiction === 'any') verdict.findings.push(finding);
          else if (pending.size < MAX_PENDING) pending.set(key, { finding, n: page.n });
        }
      },
      missing: { reason: 'No result was shown twice.', supply: AGENT_WITH_RESULTS },
      conclude(verdict) {
        for (const { n } of pending.values()) excuses.use('reset', n);
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
  },
};
