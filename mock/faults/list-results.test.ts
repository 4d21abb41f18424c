import { testMock } from '../test-client.ts';

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
