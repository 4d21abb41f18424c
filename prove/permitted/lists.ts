import {
  isSuccess,
  isList,
  makesAgent,
  bodyOf,
  pathIn,
  queryIn,
  refusal,
  withBody,
  withQuery,
  type PermittedServers,
  type PermittedRequest,
  type Wrap,
} from './server.ts';

export interface Result {
  readonly id: string;
  readonly createdAt: string;
}
export interface Listed {
  readonly results: readonly Result[];
  readonly nextCursor: string | null;
}

/** Changes accepted lists. */
export const listing =
  (make: () => (list: Listed, request: PermittedRequest) => Listed): Wrap =>
  (transport) => {
    const change = make();
    return async (request, signal) => {
      const answer = await transport(request, signal);
      if (!isList(request) || answer.status >= 300) return answer;
      return withBody(answer, change(bodyOf(answer) as unknown as Listed, request));
    };
  };

const checksum = (text: string): number =>
  text.split('').reduce((sum, sign) => (Math.imul(sum, 31) + sign.charCodeAt(0)) >>> 0, 7);

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 4, 20, 15, 30);
const isToday = ({ createdAt }: Result): boolean => Date.parse(createdAt) >= Date.UTC(2026, 4, 20);

/** What lists may show, and when. */
export const lists: PermittedServers = {
  'sometimes loses a result for good, because somebody deletes it': listing(() => {
    const deleted = new Set<string>();
    let answers = 0;
    return (list) => {
      if (++answers % 4 === 0) deleted.add(list.results[answers % 7]?.id ?? '');
      return { ...list, results: list.results.filter(({ id }) => !deleted.has(id)) };
    };
  }),
  'lags half an hour behind on every second request': listing(() => {
    let answers = 0;
    return (list) => ({
      ...list,
      results:
        ++answers % 2 === 0
          ? list.results.filter(({ createdAt }) => Date.parse(createdAt) < NOW - 30 * MINUTE)
          : list.results,
    });
  }),
  'counts the last days without today': listing(
    () => (list, request) =>
      /^last\d+Days$/.test(queryIn(request).get('timeFilter') ?? 'last7Days')
        ? { ...list, results: list.results.filter((one) => !isToday(one)) }
        : list,
  ),
  'shows the results of a day in another order each time': listing(() => (list, request) => {
    const day = ({ createdAt }: Result): string => `${createdAt.slice(0, 10)}T00:00:00.000Z`;
    const salt = request.url;
    const results = list.results.toSorted(
      (one, other) => day(other).localeCompare(day(one)) || checksum(salt + one.id) - checksum(salt + other.id),
    );
    return { ...list, results: results.map((one) => ({ ...one, createdAt: day(one) })) };
  }),
  'finds a new agent only at the third request': (transport) => {
    const asked = new Map<string, number>();
    const made = new Set<string>();
    return async (request, signal) => {
      const { pathname } = new URL(request.url);
      const times = (asked.get(pathname) ?? 0) + 1;
      asked.set(pathname, times);
      if (isList(request) && times < 3 && [...made].some((id) => pathname.includes(id))) return refusal(404);
      const answer = await transport(request, signal);
      const { agent } = isSuccess(answer) ? (bodyOf(answer) as { agent?: { id: string } }) : {};
      if (makesAgent(request) && agent) made.add(encodeURIComponent(agent.id));
      return answer;
    };
  },
  'answers one list at a time, and 409 to the others': {
    wrap: (transport) => {
      let busy = false;
      return async (request, signal) => {
        if (!isList(request)) return transport(request, signal);
        if (busy) return refusal(409);
        busy = true;
        return transport(request, signal).finally(() => (busy = false));
      };
    },
    notJudged: () => true,
  },
  'adds new results while others are deleted': (transport) => {
    const deleted = new Set<string>();
    let answers = 0;
    return async (request, signal) => {
      const answer = await transport(request, signal);
      if (!isList(request) || !isSuccess(answer)) return answer;
      const list = bodyOf(answer) as unknown as Listed;
      if (++answers % 5 === 0) deleted.add(list.results[answers % 3]?.id ?? '');
      if (answers % 6 === 0) {
        const [, agentId = ''] = /agents\/([^/]+)\/results/.exec(pathIn(request)) ?? [];
        await transport(
          {
            method: 'POST',
            url: new URL(`/__admin/agents/${agentId}/results`, request.url).href,
            headers: { 'content-type': 'application/json' },
            body: '{"count":1}',
          },
          signal,
        );
      }
      return withBody(answer, { ...list, results: list.results.filter(({ id }) => !deleted.has(id)) });
    };
  },
  'reads from replicas that lag behind by a minute, ten minutes and fifty': listing(() => {
    let answers = 0;
    return (list) => {
      const lag = [0, 1, 0, 10, 0, 50][++answers % 6] ?? 0;
      return {
        ...list,
        results: list.results.filter(({ createdAt }) => lag === 0 || !(Date.parse(createdAt) >= NOW - lag * MINUTE)),
      };
    };
  }),
  'answers pages of at most twenty results': (transport) => (request, signal) => {
    const query = queryIn(request);
    const limit = Number(query.get('limit') ?? 50);
    if (!isList(request) || !Number.isInteger(limit) || limit <= 20 || limit > 100) return transport(request, signal);
    query.set('limit', '20');
    return transport(withQuery(request, query), signal);
  },
  'leaves out results that the caller may not see, and so gives short pages': listing(() => (list) => ({
    ...list,
    results: list.results.filter(({ id }) => checksum(id) % 3 > 0),
  })),
  'sometimes answers an empty page with a cursor': (transport) => async (request, signal) => {
    const query = queryIn(request);
    const cursor = query.get('cursor') ?? '';
    if (!isList(request) || cursor === '') return transport(request, signal);
    const isHeld = cursor.startsWith('later~');
    if (isHeld) query.set('cursor', cursor.slice('later~'.length));
    const answer = await transport(withQuery(request, query), signal);
    if (isHeld || !isSuccess(answer) || checksum(cursor) % 4 > 0) return answer;
    return withBody(answer, { results: [], nextCursor: `later~${cursor}` });
  },
  'writes only the day of a result, and keeps the order': listing(() => (list) => ({
    ...list,
    results: list.results.map((one) => ({ ...one, createdAt: `${one.createdAt.slice(0, 10)}T00:00:00.000Z` })),
  })),
  ...Object.fromEntries(
    ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu'].map((zone) => [
      `counts days in ${zone}`,
      (transport) => (request, signal) => {
        const query = queryIn(request);
        if (!isList(request) || query.has('timeZone')) return transport(request, signal);
        query.set('timeZone', zone);
        return transport(withQuery(request, query), signal);
      },
    ]),
  ),
  'counts today and the seven days before it': (transport) => (request, signal) => {
    const query = queryIn(request);
    const isOfLastWeek = (query.get('timeFilter') ?? 'last7Days') === 'last7Days';
    if (!isList(request) || !isOfLastWeek || ['start', 'end', 'interval'].some((name) => query.has(name)))
      return transport(request, signal);
    query.set('start', '2026-05-13');
    return transport(withQuery(request, query), signal);
  },
};
