import type { TinyAnswer, TinyOptions } from '../../testing/tiny-service.ts';
import { failuresOf } from '../../testing/test-broken.ts';

interface Result {
  readonly id: string;
  readonly createdAt: string;
}
interface Body {
  readonly results: readonly Result[];
  readonly nextCursor: string | null;
}

/** A service that answers lists of results in another way. */
const lists =
  (change: (query: URLSearchParams, answer: () => TinyAnswer) => TinyAnswer): TinyOptions['before'] =>
  ({ path, query }, answer) =>
    path.endsWith('main/results') ? change(query, answer) : undefined;

/** Accepted pages with changed bodies. */
const pages = (change: (body: Body, query: URLSearchParams) => object): TinyOptions['before'] =>
  lists((query, answer) => {
    const given = answer();
    return given.status === 200
      ? { ...given, body: { ...Object(given.body), ...change(given.body as Body, query) } }
      : given;
  });

const refused = (is: (query: URLSearchParams) => boolean): TinyOptions['before'] =>
  lists((query, answer) => (is(query) ? { status: 400, body: { message: 'no' } } : answer()));

const hasOpenFormat = (query: URLSearchParams): boolean =>
  ['timeZone', 'start', 'interval'].some((name) => query.has(name));

/** Requests with a changed query. */
const asking = (change: (query: URLSearchParams) => unknown): TinyOptions['before'] =>
  lists((query, answer) => {
    change(query);
    return answer();
  });

const isLater = (query: URLSearchParams, filter: string): boolean =>
  query.has('cursor') && query.get('timeFilter') === filter;

const REFUSED = 'nowhere; the answer was N';
const ALL = 'limit=N&timeFilter=allTime';
const ZONED = 'limit=N&timeFilter=yearToDate&timeZone=UTC';
const beyondTheFilter = [`list-results-time-filter-yearToDate: /results/N/createdAt; one of "…"; cursor=N&${ZONED}`];

test.each<[string, TinyOptions['before'], readonly string[]]>([
  ['everything right', undefined, []],
  [
    'ascending pages',
    pages(({ results }) => ({ results: results.toReversed() })),
    ['list-results-newest-first: /results/N/createdAt; "…", and after it "…"; limit=N&timeFilter=allTime'],
  ],
  [
    'one result too many',
    asking(
      (query) => Number(query.get('limit') ?? 100) < 100 && query.set('limit', `${Number(query.get('limit')) + 1}`),
    ),
    [
      'list-results-respects-limit: /results; N results; limit=N&timeFilter=allTime',
      'list-results-default-limit: /results; N results; limit=N&timeFilter=allTime; nothing',
    ],
  ],
  ['parameters of an open format refused', refused(hasOpenFormat), []],
  [
    'parameters of an open format that end in a crash',
    lists((query, answer) => (hasOpenFormat(query) ? { status: 500, body: {} } : answer())),
    [
      'list-results-does-not-fail: nowhere; N, each of the N times it was sent; limit=N&timeFilter=allTime; interval=PND&timeFilter=allTime',
    ],
  ],
  [
    'a later page with a time zone that begins anew',
    asking((query) => query.has('timeZone') && query.delete('cursor')),
    [
      'list-results-walk-once-each: /results/N; result "…" on page N and again on page N; limit=N&timeFilter=yearToDate&timeZone=UTC; cursor=N&limit=N&timeFilter=yearToDate&timeZone=UTC',
      'list-results-walk-ends: /nextCursor; the cursors loop back to an earlier page after N pages; cursor=N&limit=N&timeFilter=yearToDate&timeZone=UTC; cursor=N&limit=N&timeFilter=yearToDate&timeZone=UTC',
    ],
  ],
  [
    'a time zone that widens the filter',
    asking((query) => query.has('timeZone') && query.set('timeFilter', 'allTime')),
    beyondTheFilter,
  ],
  [
    'later pages with a time zone that forget the filter',
    asking((query) => query.has('timeZone') && query.has('cursor') && query.set('timeFilter', 'allTime')),
    beyondTheFilter,
  ],
  [
    'cursors that lead out of today and 30 days into the last week',
    asking(
      (query) => /today|30Days/.test(String(query)) && query.has('cursor') && query.set('timeFilter', 'last7Days'),
    ),
    [
      'list-results-cursor-keeps-filter: /results/N/createdAt; one of "…"; cursor=N&limit=N&timeFilter=today; cursor=N&limit=N&timeFilter=today',
      'list-results-walks-agree: /results; it is missing after the last row, on page N; limit=N&timeFilter=last30Days; limit=N&timeFilter=last30Days; cursor=N&limit=N&timeFilter=last30Days',
      'list-results-time-filter-today: /results/N/createdAt; one of "…"; cursor=N&limit=N&timeFilter=today',
    ],
  ],
  [
    'later pages of one filter that forget it',
    asking((query) => isLater(query, 'last7Days') && query.set('timeFilter', 'allTime')),
    ['list-results-time-filter-last7Days: /results/N/createdAt; one of "…"; cursor=N&limit=N&timeFilter=last7Days'],
  ],
  [
    'later pages of one filter that lose every second result',
    pages(({ results }, query) =>
      isLater(query, 'yearToDate') ? { results: results.filter((_, i) => i % 2 > 0) } : {},
    ),
    [
      `list-results-time-filter-yearToDate: /results; it is missing after row N of page N; ${ALL}; ${ALL}; limit=N&timeFilter=yearToDate; cursor=N&limit=N&timeFilter=yearToDate`,
    ],
  ],
  [
    'a cursor that opens the list of another agent',
    ({ path, query }, answer) =>
      query.has('cursor') && path.endsWith('results') && !path.includes('main')
        ? {
            status: 200,
            body: { results: [{ id: 'r1', createdAt: '2026-05-20T15:00:00Z', agentId: 'main' }], nextCursor: null },
          }
        : answer(),
    [
      'list-results-belong-to-the-agent: /results/N/agentId; one of "…"; cursor=N&limit=N&timeFilter=allTime',
      'list-results-agents-share-none: /results/N; result "…" in the lists of "…" and "…"; limit=N&timeFilter=allTime; cursor=N&limit=N&timeFilter=allTime',
    ],
  ],
  [
    'a third page of one result that is left out',
    asking((query) => query.get('limit') === '1' && query.get('cursor') === '2' && query.set('cursor', '3')),
    [
      'list-results-walks-agree: /results; it is missing right after page N; limit=N&timeFilter=allTime; limit=N&timeFilter=allTime; cursor=N&limit=N&timeFilter=today; cursor=N&limit=N&timeFilter=today',
    ],
  ],
  [
    'a last page whose cursor leads to itself',
    pages(({ nextCursor }, query) => ({ nextCursor: nextCursor ?? query.get('cursor') })),
    [
      'list-results-walk-once-each: /results/N; result "…" on page N and again on page N; cursor=N&limit=N&timeFilter=allTime; cursor=N&limit=N&timeFilter=allTime',
      'list-results-walk-ends: /nextCursor; the cursors loop back to an earlier page after N pages; cursor=N&limit=N&timeFilter=allTime; cursor=N&limit=N&timeFilter=allTime',
    ],
  ],
  [
    'one result lost in short pages',
    pages(({ results }, query) =>
      query.get('limit') === '100' ? {} : { results: results.filter(({ id }) => id !== 'r7') },
    ),
    [
      `list-results-walks-agree: /results; it is missing right after page N; ${ALL}; ${ALL}; limit=N&timeFilter=today; cursor=N&limit=N&timeFilter=today`,
      `list-results-time-filter-last7Days: /results; it is missing after row N of page N; ${ALL}; ${ALL}; limit=N&timeFilter=last7Days`,
      `list-results-time-filter-last30Days: /results; it is missing after row N of page N; ${ALL}; ${ALL}; limit=N&timeFilter=last30Days`,
      `list-results-time-filter-monthToDate: /results; it is missing after row N of page N; ${ALL}; ${ALL}; limit=N&timeFilter=monthToDate`,
      `list-results-time-filter-yearToDate: /results; it is missing after row N of page N; ${ALL}; ${ALL}; limit=N&timeFilter=yearToDate`,
      `list-results-time-filter-allTime: /results; it is missing after row N of page N; ${ALL}; ${ALL}; limit=N&timeFilter=allTime`,
    ],
  ],
  [
    'other times for other page sizes',
    pages(({ results }, query) =>
      query.get('limit') === '100'
        ? {}
        : { results: results.map((one) => ({ ...one, createdAt: one.createdAt.replace(/\.\d+Z/, '.001Z') })) },
    ),
    ['list-results-keep-creation-date: /results/N/createdAt; "…"; limit=N&timeFilter=allTime; nothing'],
  ],
  [
    'results in another workspace',
    pages(({ results }) => ({ results: results.map((one) => ({ ...one, workspaceId: 'wx' })) })),
    ['list-results-belong-to-the-agent: /results/N/workspaceId; "…"; GET agents/main; limit=N&timeFilter=allTime'],
  ],
  [
    'every list with parameters refused',
    refused((query) => query.size > 0),
    [
      `list-results-accepts-limit-bounds: ${REFUSED}; nothing; limit=N&timeFilter=allTime`,
      // So few lists are asked for that the filter may be the reason too.
      `list-results-time-filter-yearToDate: ${REFUSED}; nothing; limit=N&timeFilter=yearToDate`,
      `list-results-time-filter-allTime: ${REFUSED}; nothing; limit=N&timeFilter=allTime`,
    ],
  ],
])('of a service with %s every failing check says where', async (_, before, expected) => {
  expect(await failuresOf(['list-results'], before)).toEqual(expected);
});
