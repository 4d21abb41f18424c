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

test('of two faults each has its effect, in either order', () => {
  const faults = ['results-ascending', 'limit-ignored'];
  for (const page of [pageWith(faults), pageWith(faults.toReversed())])
    expect([page.results.length, isAscending(page)]).toEqual([50, true]);
});

const idsOf = (...faults: readonly string[]): readonly string[] => pageWith(faults).results.map(({ id }) => id);

test('a fault of the list and one of the page combine', () => {
  expect(idsOf('results-ascending', 'results-out-of-order-in-page')).toEqual(idsOf('results-ascending').toReversed());
});

test('a reversed page still holds the results that belong on it', () => {
  expect(idsOf()).toHaveLength(3);
  expect(idsOf('results-ascending@first-page')).toEqual(idsOf().toReversed());
  expect(idsOf('results-ascending@later-pages')).toEqual(idsOf());
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
