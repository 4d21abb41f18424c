import failing from '../testing/failing.json';
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

const redated = (one: Body['results'][number]) => ({ ...one, createdAt: one.createdAt.replace(/\.\d+Z/, '.001Z') });
const otherTimes = (is: (query: URLSearchParams) => boolean): TinyOptions['before'] =>
  pages(({ results }, query) => (is(query) ? { results: results.map(redated) } : {}));

/** Requests for lists with a changed query. */
const asking =
  (change: (query: URLSearchParams) => unknown): TinyOptions['before'] =>
  (request, answer) => {
    if (!isList(request)) return undefined;
    change(request.query);
    return answer();
  };

const hasOpenFormat = (query: URLSearchParams): boolean =>
  ['timeZone', 'end', 'interval'].some((name) => query.has(name));

const isLater = (query: URLSearchParams, filter: string): boolean =>
  query.has('cursor') && query.get('timeFilter') === filter;

const creates = ({ method, path }: TinyRequest): boolean => method === 'POST' && path === '/api/v1/agents';
const imports = ({ path }: TinyRequest): boolean => path === '/api/v1/agents/import';
const makes = (request: TinyRequest): boolean => creates(request) || imports(request);
const reads = ({ method, path }: TinyRequest): boolean => method === 'GET' && /\/agents\/[^/]+$/.test(path);
const makesWorkspaces = ({ path }: TinyRequest): boolean => path === '/api/v1/workspaces';
const readsPublished = ({ path }: TinyRequest): boolean => path.endsWith('/publishedAgent');

let creations = 0;
const agent = (change: object) => (body: Agent) => ({ agent: { ...Object(body['agent']), ...change } });

const main = { id: 'main', version: '6', name: 'Main', workspaceId: 'w' };
const shown = { agent: main, currentUserMode: 'write' };

const ENDPOINTS = ['create-agent', 'import-agent', 'get-agent', 'get-published-agent', 'create-workspace'];

const lists: Readonly<Record<keyof typeof failing.lists, TinyOptions['before']>> = {
  'everything right': undefined,
  'ascending pages': pages(({ results }) => ({ results: results.toReversed() })),
  'one result too many': asking(
    (query) => Number(query.get('limit') ?? 100) < 100 && query.set('limit', `${Number(query.get('limit')) + 1}`),
  ),
  'parameters of an open format refused': refused(ofList(hasOpenFormat)),
  'parameters of an open format that end in a crash': refused(ofList(hasOpenFormat), 500),
  'a time zone that widens the filter': asking((query) => query.has('timeZone') && query.set('timeFilter', 'allTime')),
  'later pages with a time zone that forget the filter': asking(
    (query) => query.has('timeZone') && query.has('cursor') && query.set('timeFilter', 'allTime'),
  ),
  'cursors that lead out of today and 30 days into the last week': asking(
    (query) => /today|30Days/.test(String(query)) && query.has('cursor') && query.set('timeFilter', 'last7Days'),
  ),
  'later pages of one filter that forget it': asking(
    (query) => isLater(query, 'last7Days') && query.set('timeFilter', 'allTime'),
  ),
  'later pages of one filter that lose every second result': pages(({ results }, query) =>
    isLater(query, 'yearToDate') ? { results: results.filter((_, i) => i % 2 > 0) } : {},
  ),
  'a cursor that opens the list of another agent': ({ path, query }, answer) =>
    query.has('cursor') && path.endsWith('results') && !path.includes('main')
      ? {
          status: 200,
          body: { results: [{ id: 'r1', createdAt: '2026-05-20T15:00:00Z', agentId: 'main' }], nextCursor: null },
        }
      : answer(),
  'a third page of one result that is left out': asking(
    (query) => query.get('limit') === '1' && query.get('cursor') === '2' && query.set('cursor', '3'),
  ),
  'a last page whose cursor leads to itself': pages(({ nextCursor }, query) => ({
    nextCursor: nextCursor ?? query.get('cursor'),
  })),
  'one result lost in short pages': pages(({ results }, query) =>
    query.get('limit') === '100' ? {} : { results: results.filter(({ id }) => id !== 'r7') },
  ),
  'other times for other page sizes': otherTimes((query) => query.get('limit') !== '100'),
  'other times in a time zone': otherTimes((query) => query.has('timeZone')),
  'pages of 100 whose second result has no identifier': pages(({ results: [first, second, ...rest] }, query) =>
    query.get('limit') === '100' && second ? { results: [first, { ...second, id: null }, ...rest] } : {},
  ),
  'results in another workspace': pages(({ results }) => ({
    results: results.map((one) => ({ ...one, workspaceId: 'wx' })),
  })),
  // So few lists are asked for that the filter may be the reason too.
  'every list with parameters refused': refused(ofList((query) => query.size > 0)),
};

test.each(Object.entries(lists))(
  'of a service of lists with %s every failing check says where',
  async (name, before) => {
    expect(await failuresOf(['list-results'], before)).toEqual([failing.lists[name as keyof typeof lists]].flat());
  },
);

const agents: Readonly<Record<keyof typeof failing.agents, TinyOptions['before']>> = {
  'everything right': undefined,
  'creation refused': refused(creates),
  'icons refused': refused((request) => makesWorkspaces(request) && request.body['icon'] !== undefined),
  'every third creation refused': refused((request) => makes(request) && ++creations % 3 === 0),
  'reading refused': refused(reads),
  'the published agent refused': refused(readsPublished, 404),
  'agents that disappear after creation': refused((request) => reads(request) && !request.path.endsWith('/main'), 404),
  'one id for all agents': answers(makes, agent({ id: 'same' })),
  'one id for all workspaces': answers(makesWorkspaces, () => ({ workspace: { id: 'same', name: 'W' } })),
  'another name in new agents': answers(makes, agent({ name: 'Other' })),
  'another name when agents are read': answers(reads, agent({ name: 'Other' })),
  'agents in another workspace': answers(
    (request) => makes(request) || reads(request),
    agent({ workspaceId: 'other' }),
  ),
  'another agent than the requested one': answers(reads, agent({ id: 'other' })),
  'another published agent than the requested one': answers(readsPublished, () => ({
    publicAgent: { id: 'p', agentId: 'other', version: '6' },
  })),
  'an agent shown to unauthorized callers': (request, answer) =>
    reads(request) && answer().status === 401 ? { status: 401, body: shown } : undefined,
};

test.each(Object.entries(agents))(
  'of a service of agents with %s every failing check says where',
  async (name, before) => {
    expect(await failuresOf(ENDPOINTS, before)).toEqual([failing.agents[name as keyof typeof agents]].flat());
  },
);
