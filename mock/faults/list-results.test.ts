import { testMock } from '../testing/test-client.ts';
import rows from '../testing/faults.json';

interface Page {
  readonly results: readonly { readonly id: string; readonly createdAt: string }[];
}

function pageWith(faults: readonly string[]): Page {
  const { mock, call } = testMock({ faults });
  return call(`/api/v1/agents/${mock.target.agentId}/results?limit=3&timeFilter=allTime`).json as Page;
}

const isAscending = ({ results }: Page): boolean =>
  results.every(({ createdAt }, i) => i === 0 || createdAt >= (results[i - 1]?.createdAt ?? ''));

test.each([[['results-ascending', 'limit-ignored']], [['limit-ignored', 'results-ascending']]])(
  '%j: each has its effect, in either order',
  (faults) => {
    expect(pageWith([]).results).toHaveLength(3);
    const page = pageWith(faults);
    expect(page.results).toHaveLength(50);
    expect(isAscending(page)).toBe(true);
  },
);

test('a fault of the list and one of the page combine', () => {
  const ascending = pageWith(['results-ascending']).results.map(({ id }) => id);
  const [first, second, third] = ascending;
  const both = pageWith(['results-ascending', 'results-out-of-order-in-page']);
  expect(both.results.map(({ id }) => id)).toEqual([third, second, first]);
});

test('a reversed page still holds the results that belong on it', () => {
  const usual = pageWith([]).results.map(({ id }) => id);
  expect(pageWith(['results-ascending@first-page']).results.map(({ id }) => id)).toEqual(usual.toReversed());
  expect(pageWith(['results-ascending@later-pages']).results.map(({ id }) => id)).toEqual(usual);
});

/** The second page of an agent's results, which a fault may change. */
function secondPage(limit: number, fault?: string): Page {
  const { mock, call } = testMock();
  const list = `/api/v1/agents/${mock.target.agentId}/results?timeFilter=allTime&limit=${limit}`;
  const { nextCursor } = call(list).json as { readonly nextCursor: string };
  mock.setFaults(fault === undefined ? [] : [fault]);
  return call(`${list}&cursor=${encodeURIComponent(nextCursor)}`).json as Page;
}

const pages = rows.pages as [string, number[], number[]][];
test.each(pages)('%s, of second pages of %j, changes those of %j', (fault, limits, changed) => {
  const ids = ({ results }: Page): string => results.map(({ id }) => id).join();
  expect(limits.filter((limit) => ids(secondPage(limit, fault)) !== ids(secondPage(limit)))).toEqual(changed);
});
