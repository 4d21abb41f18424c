import { crc32 } from 'node:zlib';
import type { HttpRequest } from '../../conformance/index.ts';
import { proofNow } from '../target.ts';
import type { PermittedServers, Wrap } from './server.ts';
import { accepting, answering, atATime, jsonOf, isList, late, refusal, withBody, withQuery } from './server.ts';

interface Result {
  readonly id: string;
  readonly createdAt: string;
}
interface Listed {
  readonly results: readonly Result[];
  readonly nextCursor: string | null;
}

/** Changes accepted lists; `count` counts them from 1. */
const listing =
  (change: (list: Listed, request: HttpRequest, count: number) => Partial<Listed>): Wrap =>
  (transport) => {
    let count = 0;
    return accepting((answer, request) => {
      if (!isList(request)) return answer;
      const list = jsonOf(answer) as unknown as Listed;
      return withBody(answer, { ...list, ...change(list, request, ++count) });
    })(transport);
  };

const showingOnly = (isShown: (result: Result, request: HttpRequest, count: number) => boolean): Wrap =>
  listing(({ results }, request, count) => ({ results: results.filter((result) => isShown(result, request, count)) }));

const asking =
  (change: (query: URLSearchParams) => void): Wrap =>
  (transport) =>
  (request, signal) => {
    const query = new URL(request.url).searchParams;
    if (isList(request)) change(query);
    return transport(withQuery(request, query), signal);
  };

const countingDaysIn = (zone: string): Wrap => asking((query) => query.set('timeZone', query.get('timeZone') ?? zone));

/** Its own names for cursors: the meaning may change, they may work once, or only without other parameters. */
const namingCursors =
  (nameOf: (list: number, page: number, count: number) => string, limit?: 'works once' | 'alone'): Wrap =>
  (transport) => {
    const cursors = new Map<string, { query: URLSearchParams; list: number; page: number }>();
    let [lists, count] = [0, 0];
    return async (request, signal) => {
      if (!isList(request)) return transport(request, signal);
      const query = new URL(request.url).searchParams;
      const name = query.get('cursor') ?? '';
      if (limit === 'alone' && name !== '' && query.size > 1) return refusal(400);
      const issued = cursors.get(name);
      for (const [key, value] of issued?.query ?? []) if (limit === 'alone' || key === 'cursor') query.set(key, value);
      const answer = await transport(withQuery(request, query), signal);
      if (answer.status >= 300) return answer;
      if (limit === 'works once') cursors.delete(name);
      const body = jsonOf(answer) as unknown as Listed;
      if (typeof body.nextCursor !== 'string') return answer;
      const { list, page } = issued ?? { list: ++lists, page: 0 };
      const nextCursor = nameOf(list, page + 1, ++count);
      query.set('cursor', body.nextCursor);
      cursors.set(nextCursor, { query, list, page: page + 1 });
      return withBody(answer, { ...body, nextCursor });
    };
  };

const MINUTE = 60_000;
const writingDays = ({ results }: Pick<Listed, 'results'>): Pick<Listed, 'results'> => ({
  results: results.map((result) => ({ ...result, createdAt: `${result.createdAt.slice(0, 10)}T00:00:00.000Z` })),
});

/** What lists may show, and when, and how a server may issue and accept cursors. */
export const lists: PermittedServers = {
  'sometimes loses a result for good, because somebody deletes it': (transport) => {
    const deleted = new Set<string>();
    return listing(({ results }, _, count) => {
      if (count % 4 === 0) deleted.add(results[count % 7]?.id ?? '');
      return { results: results.filter(({ id }) => !deleted.has(id)) };
    })(transport);
  },
  'lags half an hour behind on every second request': showingOnly(
    ({ createdAt }, _, count) => count % 2 > 0 || !(Date.parse(createdAt) >= proofNow - 30 * MINUTE),
  ),
  'reads from replicas that lag behind by a minute, ten minutes and fifty': showingOnly(({ createdAt }, _, count) => {
    const minutes = [0, 1, 0, 10, 0, 50][count % 6] ?? 0;
    return minutes === 0 || !(Date.parse(createdAt) >= proofNow - minutes * MINUTE);
  }),
  'leaves out results that the caller may not see, and so gives short pages': showingOnly(
    ({ id }) => crc32(id) % 3 > 0,
  ),
  'counts the last days without today': showingOnly((result, request) => {
    const isOfLastDays = /^last\d+Days$/.test(new URL(request.url).searchParams.get('timeFilter') ?? 'last7Days');
    return !isOfLastDays || !(Date.parse(result.createdAt) >= Date.UTC(2026, 4, 20));
  }),
  'shows the results of a day in another order each time': listing((list, { url }) => ({
    results: writingDays(list).results.toSorted(
      (a, b) => b.createdAt.localeCompare(a.createdAt) || crc32(url + a.id) - crc32(url + b.id),
    ),
  })),
  'writes only the day of a result, and keeps the order': listing(writingDays),
  'writes only the day of a result, and counts days in Asia/Kathmandu': (transport) =>
    listing(writingDays)(countingDaysIn('Asia/Kathmandu')(transport)),
  'finds a new agent only at the third request': late((reads) => reads < 3, { below: '/results', among: answering }),
  'finds a new agent on every second request for its list': late((reads) => reads % 2 === 0, {
    below: '/results',
    among: answering,
  }),
  'answers one list at a time, and 409 to the others': { wrap: atATime(1, () => refusal(409), isList), notJudged: /^/ },
  'adds new results while others are deleted': (transport) => {
    const deleted = new Set<string>();
    let count = 0;
    return async (request, signal) => {
      const answer = await transport(request, signal);
      if (!isList(request) || answer.status >= 300) return answer;
      const list = jsonOf(answer) as unknown as Listed;
      if (++count % 5 === 0) deleted.add(list.results[count % 3]?.id ?? '');
      if (count % 6 === 0) {
        const [, agentId = ''] = /agents\/([^/]+)\/results/.exec(request.url) ?? [];
        const url = new URL(`/__admin/agents/${agentId}/results`, request.url).href;
        const headers = { 'content-type': 'application/json' };
        await transport({ method: 'POST', url, headers, body: '{"count":1}' }, signal);
      }
      return withBody(answer, { ...list, results: list.results.filter(({ id }) => !deleted.has(id)) });
    };
  },
  'answers pages of at most twenty results': asking((query) => {
    const limit = Number(query.get('limit') ?? 50);
    if (Number.isInteger(limit) && limit > 20 && limit <= 100) query.set('limit', '20');
  }),
  'sometimes answers an empty page with a cursor': (transport) => async (request, signal) => {
    const query = new URL(request.url).searchParams;
    const cursor = query.get('cursor') ?? '';
    if (!isList(request) || cursor === '') return transport(request, signal);
    const isHeld = cursor.startsWith('later~');
    if (isHeld) query.set('cursor', cursor.slice('later~'.length));
    const answer = await transport(withQuery(request, query), signal);
    if (isHeld || answer.status >= 300 || crc32(cursor) % 4 > 0) return answer;
    return withBody(answer, { results: [], nextCursor: `later~${cursor}` });
  },
  ...Object.fromEntries(
    ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu'].map((zone) => [
      `counts days in ${zone}`,
      countingDaysIn(zone),
    ]),
  ),
  'counts today and the seven days before it': asking((query) => {
    const isOfLastWeek = (query.get('timeFilter') ?? 'last7Days') === 'last7Days';
    if (isOfLastWeek && !['start', 'end', 'interval'].some((name) => query.has(name))) query.set('start', '2026-05-13');
  }),
  'takes start and end for whole days far in the west': asking((query) => {
    for (const name of ['start', 'end']) if (query.has(name)) query.set(name, query.get(name)?.slice(0, 10) ?? '');
    if (query.has('end')) query.set('timeZone', 'Etc/GMT+12');
  }),
  'gives cursors that work only once': namingCursors((list, page) => `c${list}.${page}`, 'works once'),
  'gives each list one cursor, whose name never changes': namingCursors((list) => `scroll-${list}`, 'works once'),
  'accepts a cursor alone, and not with other parameters': namingCursors(
    (_list, _page, count) => `alone-${count}`,
    'alone',
  ),
  'gives another cursor for the same place each time': namingCursors((_list, _page, count) => `place-${count}`),
};
