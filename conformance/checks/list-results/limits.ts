import { beyondLimit, defaults, readings, sizes } from '../../probes/lists.ts';
import type { Check } from '../../check.ts';
import type { ListedPage } from '../../history/facts/lists.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { count } from '../../show.ts';
import { createRefusals, refusalFindings } from './refusals.ts';
import { AGENT_WITH_RESULTS, createVerdict } from './verdict-builder.ts';

export const acceptsLimits: Check = {
  id: 'list-results-accepts-limit-bounds',
  title: 'Every limit from 1 to 100 is accepted',
  endpoint: 'list-results',
  verifies: ['limit-bounds'],
  provenBy: ['limit-1-refused', 'limit-100-refused'],
  probes: [...readings, sizes],
  judge(facts) {
    const refusals = createRefusals();
    return {
      see: refusals.see,
      verdict: () => refusalFindings(refusals, ({ by }) => by === 'limit', refusals.count('limit'), facts),
    };
  },
};

export const respectsLimit: Check = {
  id: 'list-results-respects-limit',
  title: 'A page holds no more results than its limit',
  endpoint: 'list-results',
  verifies: ['limit-obeyed', 'cursor-keeps-selection'],
  provenBy: ['limit-ignored', 'limit-exceeded', 'cursor-drops-limit'],
  probes: [sizes],
  judge({ lists }) {
    const verdict = createVerdict();
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        const limit = page?.selection.limit;
        if (!placed || !page || limit === undefined) return;
        if (page.count >= limit) verdict.judged();
        if (page.count <= limit) return;
        verdict.found({
          expected: `at most ${count(limit, 'result')} (${describeQuery(page.query)})`,
          actual: count(page.count, 'result'),
          at: '/results',
          requirement: placed.index > 0 ? 'cursor-keeps-selection' : 'limit-obeyed',
          exchanges: [page.kept],
        });
      },
      verdict: () => verdict.verdict({ reason: 'No list held more results than a limit.', supply: AGENT_WITH_RESULTS }),
    };
  },
};

export const neverOverHundred: Check = {
  id: 'list-results-never-over-100',
  title: 'No page holds more than 100 results',
  endpoint: 'list-results',
  verifies: ['limit-maximum', 'limit-obeyed'],
  provenBy: ['limit-over-100-served'],
  probes: [beyondLimit, ...readings],
  judge({ lists }) {
    const verdict = createVerdict();
    let most = 0;
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page) return;
        verdict.judged();
        most = Math.max(most, placed.list.rows.length);
        if (page.count > 100)
          verdict.found({
            expected: 'at most 100 results',
            actual: count(page.count, 'result'),
            at: '/results',
            exchanges: [page.kept],
          });
      },
      verdict() {
        const judged = verdict.verdict();
        const missing = {
          reason: 'The agent has at most 100 results.',
          supply: '--agent-id of an agent with more than 100 results',
        };
        return most > 100 ? judged : { ...judged, missing };
      },
    };
  },
};

/** This many first pages of each kind show whether page sizes are steady. */
const STEADY = 3;

/**
 * Compares pages without limit with pages of limit=50. A server may send short pages. So a page of fewer than 50 counts
 * only if pages of limit=50 are full, or if both kinds have steady, different sizes.
 */
export const defaultLimit: Check = {
  id: 'list-results-default-limit',
  title: 'Without limit a page is the same as with limit=50',
  endpoint: 'list-results',
  verifies: ['limit-default'],
  provenBy: ['default-limit-20', 'default-limit-100'],
  probes: [defaults, ...readings],
  judge({ lists, isForeign }) {
    const verdict = createVerdict();
    const fifty: ListedPage[] = [];
    const none: ListedPage[] = [];
    let isShort = false;
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page || (placed.list.open && !page.selection.isDocumented)) return;
        const { limit, hasLimit } = page.selection;
        // A list that began before the recording may carry its limit in its cursor.
        if (placed.list.open && page.selection.cursor !== undefined) return;
        // An empty page shows no page size.
        const goesOn = typeof page.nextCursor === 'string' && page.count > 0;
        if (limit !== undefined && goesOn && page.count < limit) isShort = true;
        if (hasLimit && limit !== 50) return;
        if (hasLimit) return void (goesOn && placed.index === 0 && keep(fifty, page));
        if (isTakenAlone(placed.list.query, page)) return;
        if (goesOn) verdict.judged();
        if (page.count > 50)
          verdict.found({
            expected: 'at most 50 results without limit',
            actual: count(page.count, 'result'),
            at: '/results',
            exchanges: [page.kept],
          });
        else if (goesOn && placed.index === 0) keep(none, page);
      },
      verdict() {
        const isFew = isForeign === true && (none.length < STEADY || fifty.length < STEADY);
        const odd = isFew ? undefined : unlike(none, fifty, isShort);
        const [control] = fifty;
        if (odd && control)
          verdict.found({
            expected: `a page without limit as with limit=50, ${count(control.count, 'result')}`,
            actual: count(odd.count, 'result'),
            at: '/results',
            exchanges: [control.kept, odd.kept],
          });
        return verdict.verdict({
          reason: 'All results fit on one page.',
          supply: '--agent-id of an agent with more than 50 results',
        });
      },
    };
  },
};

/** A cursor without the parameters of its list shows nothing about a limit. */
const isTakenAlone = (query: ListedPage['query'], page: ListedPage): boolean =>
  page.selection.cursor !== undefined && page.query.length === 1 && query.length > 0;

const keep = (pages: ListedPage[], page: ListedPage): void => void (pages.length < 1000 && pages.push(page));

/** A first page without limit that is smaller than one with limit=50 would be. */
function unlike(none: readonly ListedPage[], fifty: readonly ListedPage[], isShort: boolean): ListedPage | undefined {
  const size = fifty[0]?.count;
  if (size === undefined || fifty.some((page) => page.count !== size)) return undefined;
  if (!isShort && size === 50) return none.find((page) => page.count < 50);
  const [first] = none;
  const isSteady = none.every((page) => page.count === first?.count);
  return isSteady && none.length >= STEADY && fifty.length >= STEADY && first?.count !== size ? first : undefined;
}
