import { MOST_KEPT, type Finding, type Judge } from '../../check.ts';
import { present } from '../../collections.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { ListedPage } from '../../history/facts/lists.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { isEntitled } from '../../http/exchange.ts';
import { counted } from '../../show.ts';
import { refusalFindings } from './pages.ts';

/** Judges that every limit from 1 to 100 is accepted. */
export const judgeAcceptedLimits = (facts: Facts): Judge => ({
  conclude(verdict) {
    verdict.judged = facts.listRefusals.count('limit');
    verdict.findings.push(...refusalFindings(facts));
  },
});

/** A page that holds too many results, or another number than one that it is compared with. */
const otherCount = (page: ListedPage, expected: string, control?: ListedPage): Finding => ({
  expected,
  actual: counted(page.count, 'result'),
  at: '/results',
  exchanges: present(control?.excerpt, page.excerpt),
});

/** Judges that a page holds no more results than its limit. */
export const judgeLimits = (): Judge => ({
  page({ page, index }, verdict) {
    const { limit } = page.selection;
    if (limit === undefined || page.count < limit) return;
    verdict.judged++;
    if (page.count === limit) return;
    const finding = otherCount(page, `at most ${counted(limit, 'result')} (${describeQuery(page.query)})`);
    verdict.findings.push({ ...finding, requirement: index > 0 ? 'cursor-keeps-selection' : 'limit-obeyed' });
  },
});

/** Judges that no page holds more than 100 results. */
export function judgeLargestPages(): Judge {
  let most = 0;
  return {
    page({ page, list }, verdict) {
      verdict.judged++;
      most = Math.max(most, list.rows.length);
      if (page.count > 100) verdict.findings.push(otherCount(page, 'at most 100 results'));
    },
    conclude(verdict) {
      const supply = '--agent-id of an agent with more than 100 results';
      if (most <= 100) verdict.missing = { reason: 'The agent has at most 100 results.', supply };
    },
  };
}

/** This many first pages of each kind show whether page sizes are steady. */
const STEADY = 3;

/**
 * Compares pages without limit with pages of limit=50. A server may send short pages. So a page of fewer than 50 counts
 * only if pages of limit=50 are full, or if both kinds have steady, different sizes.
 */
export function judgeDefaultLimit({ policy }: Facts): Judge {
  const fifty: ListedPage[] = [];
  const none: ListedPage[] = [];
  let isShort = false;
  return {
    page({ page, list, index }, verdict) {
      const { limit, hasLimit, cursor, isDocumented } = page.selection;
      // A list that began before the recording may carry its limit in its cursor.
      if (list.open && (!isDocumented || cursor !== undefined)) return;
      // An empty page shows no page size.
      const goesOn = typeof page.nextCursor === 'string' && page.count > 0;
      if (limit !== undefined && goesOn && page.count < limit) isShort = true;
      if (hasLimit) {
        if (limit === 50 && goesOn && index === 0 && fifty.length < MOST_KEPT) fifty.push(page);
        return;
      }
      // A cursor without the parameters of its list shows nothing about a limit.
      if (cursor !== undefined && page.query.length === 1 && list.query.length > 0) return;
      if (goesOn) verdict.judged++;
      if (page.count > 50) verdict.findings.push(otherCount(page, 'at most 50 results without limit'));
      // Of callers with less access, a server may hide some rows of each page.
      else if (goesOn && index === 0 && isEntitled(list.caller) && none.length < MOST_KEPT) none.push(page);
    },
    conclude(verdict) {
      const isEnough = none.length >= policy.steadyPages && fifty.length >= policy.steadyPages;
      const odd = isEnough && unlike(none, fifty, isShort);
      const [control] = fifty;
      if (!odd || !control) return;
      const expected = `a page without limit as with limit=50, ${counted(control.count, 'result')}`;
      verdict.findings.push(otherCount(odd, expected, control));
    },
  };
}

function unlike(none: readonly ListedPage[], fifty: readonly ListedPage[], isShort: boolean): ListedPage | undefined {
  const size = fifty[0]?.count;
  if (size === undefined || fifty.some((page) => page.count !== size)) return undefined;
  if (!isShort && size === 50) return none.find((page) => page.count < 50);
  const [first] = none;
  const isSteady = none.every((page) => page.count === first?.count);
  if (isSteady && none.length >= STEADY && fifty.length >= STEADY && first?.count !== size) return first;
  return undefined;
}
