import { readings, sizes, filterWalks, defaults } from '../../probes/lists.ts';
import type { Check, Finding } from '../../check.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { disorderOn } from '../../results/relations.ts';
import { show } from '../../show.ts';
import { AGENT_WITH_RESULTS, createVerdict, keptOf } from './verdict-builder.ts';

export const newestFirst: Check = {
  id: 'list-results-newest-first',
  title: 'Results come newest first, within a page and from page to page',
  endpoint: 'list-results',
  verifies: ['results-newest-first'],
  provenBy: ['results-ascending', 'results-out-of-order-in-page', 'results-out-of-order-between-pages'],
  probes: [...readings, sizes, filterWalks, defaults],
  judge({ lists }) {
    const verdict = createVerdict();
    let unreadable: unknown;
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page) return;
        const { list, index: number } = placed;
        unreadable ??= page.rows.find(({ at }) => !at)?.createdAt;
        const readable = page.rows.filter(({ at }) => at).length;
        verdict.judged(Math.max(0, readable - (number > 0 ? 0 : 1)));
        const disorder = disorderOn(list, number);
        if (!disorder) return;
        const { earlier, later, pages, index } = disorder;
        verdict.found({
          expected: `results by descending createdAt (${describeQuery(list.query)})`,
          actual: `${show(earlier.createdAt)}, and after it ${show(later.createdAt)}`,
          at: `/results/${index}/createdAt`,
          exchanges: keptOf(list, ...pages),
        });
      },
      verdict: () =>
        verdict.verdict(
          unreadable === undefined
            ? { reason: 'No list held two results.', supply: AGENT_WITH_RESULTS }
            : { reason: `createdAt is ${show(unreadable)}, which is not a timestamp in a common format.` },
        ),
    };
  },
};

export const creationDateKept: Check = {
  id: 'list-results-keep-creation-date',
  title: 'A result has the same createdAt on every page',
  endpoint: 'list-results',
  verifies: ['page-size-irrelevant'],
  provenBy: ['created-at-differs-by-page-size'],
  probes: [...readings, sizes],
  judge({ lists, isForeign }) {
    const verdict = createVerdict();
    /** Values that differ from the first showing, until that is shown again: reset data never shows it again. */
    const pending = new Map<string, Finding>();
    const first = new Map<
      string,
      {
        readonly createdAt: string;
        readonly ms: number | undefined;
        readonly kept: Parameters<typeof verdict.found>[0]['exchanges'][number];
      }
    >();
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page) return;
        for (const [index, { id, at, createdAt }] of page.rows.entries()) {
          // A value that is not a string breaks the shape, which another check judges.
          if (typeof createdAt !== 'string') continue;
          const key = `${placed.list.agentId} ${id}`;
          const known = first.get(key);
          if (!known) {
            if (first.size < MAX_KNOWN) first.set(key, { createdAt, ms: at?.ms, kept: page.kept });
            continue;
          }
          verdict.judged();
          if (known.createdAt === createdAt || (at && known.ms === at.ms)) {
            const finding = pending.get(key);
            if (finding) verdict.found({ ...finding, exchanges: [...finding.exchanges, page.kept] });
            pending.delete(key);
            continue;
          }
          const finding = {
            expected: `result ${show(id)} created at ${show(known.createdAt)}, as on another page`,
            actual: show(createdAt),
            at: `/results/${index}/createdAt`,
            exchanges: [known.kept, page.kept],
          };
          if (isForeign !== true) verdict.found(finding);
          else if (pending.size < MAX_PENDING) pending.set(key, finding);
        }
      },
      verdict: () => verdict.verdict({ reason: 'No result was shown twice.', supply: AGENT_WITH_RESULTS }),
    };
  },
};

const MAX_KNOWN = 50_000;
const MAX_PENDING = 100;
