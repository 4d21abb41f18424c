import { judgeTiny } from '../testing/test-run.ts';
import type { TinyAnswer, TinyOptions, TinyRequest } from '../testing/tiny-service.ts';

/**
 * What the checks of some endpoints say about a service with a changed answer. Each line has a failing check,
 * the place, what was found there, and the queries or paths of the requests. The seed draws limits, and so decides which results
 * come first. Therefore numbers are shown as `N`, and quoted texts as `"…"`.
 */
async function failuresOf(only: readonly string[], before: TinyOptions['before']): Promise<readonly string[]> {
  const { checks } = await judgeTiny({ only, observe: false }, before && { before });
  return checks.flatMap(({ id, failure, status, reason = '' }) => {
    if (status === 'error') return [`${id} broke: ${reason}`];
    if (!failure) return [];
    const asked = failure.exchanges.map(({ method, url }) => {
      const { search, pathname } = new URL(url);
      const pairs = decodeURIComponent(search.slice(1)).split('&').toSorted();
      if (pathname.endsWith('/results')) return pairs.join('&') || 'nothing';
      return `${method} ${pathname.slice('/api/v1/'.length)}`;
    });
    const words = [failure.at ?? 'nowhere', failure.actual, ...asked].join('; ');
    return [
      `${id}: ${words.replace(/"[^"]*"(?: and so on, \d+ characters)?/g, '"…"').replace(/(?<!\d|last)\d+/g, 'N')}`,
    ];
  });
}

type Agent = Readonly<Record<string, unknown>>;
interface Body {
  readonly results: readonly { readonly id: string; readonly createdAt: string }[];
  readonly nextCursor: string | null;
}

/** Accepted answers to these requests, with changed bodies. */
const answers =
  (
    is: (request: TinyRequest) => boolean,
    change: (body: Agent, query: URLSearchParams) => object,
  ): TinyOptions['before'] =>
  (request, answer): TinyAnswer | undefined => {
    if (!is(request)) return undefined;
    const given = answer();
    const body = Object(given.body) as Agent;
    return given.status < 300 ? { ...given, body: { ...body, ...change(body, request.query) } } : given;
  };

const refused =
  (is: (request: TinyRequest) => boolean, status = 400): TinyOptions['before'] =>
  (request) =>
    is(request) && request.authorization === 'Bearer good' ? { status, body: { message: 'no' } } : undefined;

const isList = ({ path }: TinyRequest): boolean => path.endsWith('main/results');
const ofList =
  (is: (query: URLSearchParams) => boolean) =>
  (request: TinyRequest): boolean =>
    isList(request) && is(request.query);

const pages = (change: (body: Body, query: URLSearchParams) => object): TinyOptions['before'] =>
  answers(isList, (body, query) => change(body as unknown as Body, query));

/** Requests for lists with a changed query. */
const asking =
  (change: (query: URLSearchParams) => unknown): TinyOptions['before'] =>
  (request, answer) => {
    if (!isList(request)) return undefined;
    change(request.query);
    return answer();
  };

const hasOpenFormat = (query: URLSearchParams): boolean =>
  ['timeZone', 'start', 'interval'].some((name) => query.has(name));

const isLater = (query: URLSearchParams, filter: string): boolean =>
  query.has('cursor') && query.get('timeFilter') === filter;

const creates = ({ method, path }: TinyRequest): boolean => method === 'POST' && path === '/api/v1/agents';
const imports = ({ path }: TinyRequest): boolean => path === '/api/v1/agents/import';
const makes = (request: TinyRequest): boolean => creates(request) || imports(request);
const reads = ({ method, path }: TinyRequest): boolean => method === 'GET' && /\/agents\/[^/]+$/.test(path);
const makesWorkspaces = ({ path }: TinyRequest): boolean => path === '/api/v1/workspaces';
const readsPublished = ({ path }: TinyRequest): boolean => path.endsWith('/publishedAgent');

const OLDER = 'which an earlier answer held';
let creations = 0;
const agent = (change: object) => (body: Agent) => ({ agent: { ...Object(body['agent']), ...change } });

const main = { id: 'main', version: '6', name: 'Main', workspaceId: 'w' };
const shown = { agent: main, currentUserMode: 'write' };

const REFUSED = 'nowhere; the answer was N';
const ALL = 'limit=N&timeFilter=allTime';
const WEEK = 'limit=N&timeFilter=last7Days';
const ZONED = 'limit=N&timeFilter=yearToDate&timeZone=UTC';
const beyondTheFilter = [`list-results-time-filter-yearToDate: /results/N/createdAt; one of "…"; cursor=N&${ZONED}`];

const ENDPOINTS = ['create-agent', 'import-agent', 'get-agent', 'get-published-agent', 'create-workspace'];

type Row = readonly [string, TinyOptions['before'], readonly string[]];

test.each<Row>([
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
  ['parameters of an open format refused', refused(ofList(hasOpenFormat)), []],
  [
    'parameters of an open format that end in a crash',
    refused(ofList(hasOpenFormat), 500),
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
      'list-results-walks-agree: /results; it is missing right after page N; limit=N&timeFilter=last7Days; limit=N&timeFilter=last7Days; cursor=N&limit=N&timeFilter=today; cursor=N&limit=N&timeFilter=today',
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
      `list-results-walks-agree: /results; it is missing right after page N; ${WEEK}; ${WEEK}; limit=N&timeFilter=today; cursor=N&limit=N&timeFilter=today`,
      `list-results-time-filter-last7Days: /results; it is missing after row N of page N; ${WEEK}; ${WEEK}; limit=N&timeFilter=last7Days`,
      `list-results-time-filter-last30Days: /results; it is missing after row N of page N; ${WEEK}; ${WEEK}; limit=N&timeFilter=last30Days`,
      `list-results-time-filter-monthToDate: /results; it is missing after row N of page N; ${WEEK}; ${WEEK}; limit=N&timeFilter=monthToDate`,
      `list-results-time-filter-yearToDate: /results; it is missing after row N of page N; ${WEEK}; ${WEEK}; limit=N&timeFilter=yearToDate`,
      `list-results-time-filter-allTime: /results; it is missing after row N of page N; ${WEEK}; ${WEEK}; limit=N&timeFilter=allTime`,
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
    refused(ofList((query) => query.size > 0)),
    [
      `list-results-accepts-limit-bounds: ${REFUSED}; nothing; limit=N&timeFilter=allTime`,
      // So few lists are asked for that the filter may be the reason too.
      `list-results-time-filter-yearToDate: ${REFUSED}; nothing; limit=N&timeFilter=yearToDate`,
      `list-results-time-filter-allTime: ${REFUSED}; nothing; limit=N&timeFilter=allTime`,
    ],
  ],
])('of a service of lists with %s every failing check says where', async (_, before, expected) => {
  expect(await failuresOf(['list-results'], before)).toEqual(expected);
});

test.each<Row>([
  ['everything right', undefined, []],
  ['creation refused', refused(creates), [`create-agent-accepts-valid-body: ${REFUSED}; POST agents`]],
  [
    'icons refused',
    refused((request) => makesWorkspaces(request) && request.body['icon'] !== undefined),
    [`create-workspace-accepts-optional-fields: ${REFUSED}; POST workspaces; POST workspaces`],
  ],
  [
    'every third creation refused',
    refused((request) => makes(request) && ++creations % 3 === 0),
    [
      `create-agent-accepts-valid-body: ${REFUSED}; POST agents; POST agents`,
      `import-agent-accepts-valid-body: ${REFUSED}; POST agents/import; POST agents/import`,
    ],
  ],
  ['reading refused', refused(reads), [`get-agent-accepts-valid-request: ${REFUSED}; GET agents/main`]],
  [
    'the published agent refused',
    refused(readsPublished, 404),
    [`get-published-agent-accepts-valid-request: ${REFUSED}; GET agents/aN; GET agents/aN/publishedAgent`],
  ],
  [
    'agents that disappear after creation',
    refused((request) => reads(request) && !request.path.endsWith('/main'), 404),
    [
      'created-agent-can-be-read: nowhere; Get agent answered N; POST agents; GET agents/aN',
      'imported-agent-can-be-read: nowhere; Get agent answered N; POST agents/import; GET agents/aN',
    ],
  ],
  [
    'one id for all agents',
    answers(makes, agent({ id: 'same' })),
    [
      `create-agent-gives-new-ids: /agent/id; "…", ${OLDER}; POST agents; POST agents`,
      `import-agent-gives-new-ids: /agent/id; "…", ${OLDER}; POST agents; POST agents/import`,
    ],
  ],
  [
    'one id for all workspaces',
    answers(makesWorkspaces, () => ({ workspace: { id: 'same', name: 'W' } })),
    [
      'create-workspace-keeps-what-was-sent: /workspace/name; "…"; POST workspaces',
      `create-workspace-gives-new-ids: /workspace/id; "…", ${OLDER}; POST workspaces; POST workspaces`,
    ],
  ],
  [
    'another name in new agents',
    answers(makes, agent({ name: 'Other' })),
    [
      'create-agent-keeps-what-was-sent: /agent/name; "…"; POST agents',
      'created-agent-reads-as-answered: /agent/name; "…"; POST agents; GET agents/aN',
      'import-agent-keeps-what-was-sent: /agent/name; "…"; POST agents/import',
      'imported-agent-reads-as-answered: /agent/name; "…"; POST agents/import; GET agents/aN',
    ],
  ],
  [
    'another name when agents are read',
    answers(reads, agent({ name: 'Other' })),
    [
      'created-agent-reads-as-answered: /agent/name; "…"; POST agents; GET agents/aN',
      'imported-agent-reads-as-answered: /agent/name; "…"; POST agents/import; GET agents/aN',
    ],
  ],
  [
    'agents in another workspace',
    answers((request) => makes(request) || reads(request), agent({ workspaceId: 'other' })),
    [
      'create-agent-in-the-workspace: /agent/workspaceId; "…"; POST agents',
      'import-agent-in-the-workspace: /agent/workspaceId; "…"; POST agents/import',
    ],
  ],
  [
    'another agent than the requested one',
    answers(reads, agent({ id: 'other' })),
    ['get-agent-answers-the-agent-asked-for: /agent/id; the agent "…"; GET agents/main'],
  ],
  [
    'another published agent than the requested one',
    answers(readsPublished, () => ({ publicAgent: { id: 'p', agentId: 'other', version: '6' } })),
    [
      'get-published-agent-answers-the-agent-asked-for: /publicAgent/agentId; the public form of "…"; GET agents/main/publishedAgent',
    ],
  ],
  [
    'an agent shown to unauthorized callers',
    (request, answer) => (reads(request) && answer().status === 401 ? { status: 401, body: shown } : undefined),
    [
      'get-agent-refusal-gives-nothing: nowhere; status N with the requested data in the body; GET agents/main; GET agents/main',
    ],
  ],
])('of a service of agents with %s every failing check says where', async (_, before, expected) => {
  expect(await failuresOf(ENDPOINTS, before)).toEqual(expected);
});
