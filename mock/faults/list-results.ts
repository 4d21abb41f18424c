import { timeFilters, type ConversationResult, type TimeFilter } from '../../spec/index.ts';
import { isAccepted, refuse, type ListRequest, type Call, type Reply, type ResultsQuery } from '../call.ts';
import { isObject, withFields, type JsonObject } from '../../text/json.ts';
import { chosen } from '../choices/index.ts';
import { indexesIn, page } from '../endpoints/list-results.ts';
import { isRefusal, readResultsQuery } from '../service/results-query.ts';
import { readCursor, writeCursor } from '../store/cursor.ts';
import type { Listing } from '../store/listing.ts';
import type { Store } from '../store/store.ts';
import { allTime, namedWindow, type TimeWindow } from '../store/time-window.ts';
import {
  hasCursor,
  onAccepted,
  onAnswer,
  onlyFor,
  otherAgentId,
  queryParameter,
  refuseValid,
  type Fault,
} from './fault.ts';
import { misshapen, ofBody } from './shape.ts';
import { platform } from '../../text/platform.ts';

/** Answers an accepted request as if it had another query, list or profile; `false` changes nothing. */
const relist = (
  change: (list: ListRequest, call: Call, store: Store) => Partial<ListRequest> | false | undefined,
): Fault => ({
  on: ['list-results'],
  request: (call) => ({
    ...call,
    relist: (list, store) => {
      const before = call.relist?.(list, store) ?? list;
      return { ...before, ...change(before, call, store) };
    },
  }),
});

/** Answers as if the query were another; `false` changes nothing. */
const requery = (change: (query: ResultsQuery, call: Call) => Partial<ResultsQuery> | false): Fault =>
  relist(({ query }, call) => ({ query: { ...query, ...change(query, call) } }));

/** Changes an accepted page, depending on its query; `false` changes nothing. */
const onPage = (
  change: (
    shown: readonly ConversationResult[],
    on: { readonly query: ResultsQuery; readonly listing: Listing; readonly call: Call; readonly store: Store },
  ) => readonly ConversationResult[] | false,
): Fault => ({
  on: ['list-results'],
  reply: (reply, call, store) => {
    if (!isAccepted(reply)) return reply;
    const query = readResultsQuery(withLimitInRange(call));
    if (isRefusal(query)) return reply;
    const on = { query, listing: store.results(call.agentId), call, store };
    const shown = change(reply.body['results'] as unknown as readonly ConversationResult[], on);
    if (shown) return { ...reply, body: { ...reply.body, results: shown as unknown as readonly JsonObject[] } };
    return reply;
  },
});

/** Removes an invalid limit, so that the rest of the query can be parsed. */
const withLimitInRange = (call: Call): Call => ({
  ...call,
  query: call.query.map(([name, value]) => [name, name === 'limit' && Number(value) > 100 ? '100' : value] as const),
});

const limitOf = (call: Call): number => Number(queryParameter(call, 'limit') ?? 50);

/** The index of the first result on the page that a query with a cursor asks for. */
function placeOf(query: ResultsQuery, listing: Listing, store: Store): number | undefined {
  if (query.cursor === undefined) return undefined;
  const place = readCursor(query.cursor, query.selection, store.universe.seed);
  if (typeof place === 'string') return undefined;
  return listing.count - place;
}

/** The next visible result beside `result`: newer (-1) or older (1). */
function neighbour(
  result: ConversationResult | undefined,
  step: -1 | 1,
  { listing, query, profile }: ListRequest,
): ConversationResult | undefined {
  const isShown = chosen(profile, 'listed-results') ?? (() => true);
  const { from, to } = indexesIn(listing, query.window);
  let index = from;
  while (index < to && listing.at(index).id !== result?.id) index++;
  for (let i = index + step; i >= from && i < to; i += step) {
    const other = listing.at(i);
    if (isShown(other)) return other;
  }
  return undefined;
}

/** Pages of this size hold at least three results, even if pages are short. */
const SMALLEST_SWAP = 6;
/** Faults at page boundaries leave smaller pages alone, so that each commits only its own violation. */
const SMALLEST_PAGE = 5;

/** A fault for each of some filters, by the end of its name. */
const ofFilters = <F extends TimeFilter, End extends string>(
  filters: readonly F[],
  end: End,
  fault: (filter: F) => Fault,
) =>
  Object.fromEntries(filters.map((f) => [`time-filter-${f}-${end}`, fault(f)])) as Record<
    `time-filter-${F}-${End}`,
    Fault
  >;

const asksFor =
  (filter: TimeFilter) =>
  (call: Call): boolean =>
    (queryParameter(call, 'timeFilter') ?? 'last7Days') === filter;

/** Serves one filter with the window of another. */
const servedAs = (filter: TimeFilter, window: (now: number) => TimeWindow): Fault =>
  onlyFor(
    asksFor(filter),
    requery((_query, { now }) => ({ window: window(now) })),
  );

/** Hides about every third result if the query asks for `filter`, always the same ones. */
const loses = (filter: TimeFilter): Fault =>
  onlyFor(
    asksFor(filter),
    onPage((shown) =>
      shown.filter(({ id }) => new platform.TextEncoder().encode(id).reduce((sum, byte) => sum + byte, 0) % 3 !== 0),
    ),
  );

/** Answers as if the query were another if the request has no parameter `name`. */
const byDefault = (name: 'limit' | 'timeFilter', change: Parameters<typeof requery>[0]): Fault =>
  onlyFor((call) => queryParameter(call, name) === undefined, requery(change));

/** Whether a request made the agent. */
const isNew = ({ agentId }: Call, store: Store): boolean => store.created().agents.includes(agentId);

/** Less than the offsets of time zones, so that only a comparison with the other list shows it. */
const REACHES_MS = 9.75 * 3_600_000;

const secondLater = (createdAt: string | undefined): string =>
  new Date(Date.parse(createdAt ?? '') + 1000).toISOString();

/** Answers as if the route or the agent did not exist, with the usual status for that. */
const notFound = onAccepted(['list-results'], () => ({ ...refuse('not-found', 'Not found.'), status: 404 }));

/** Answers a cursor whose list is not the latest one that began; `nameOf` distinguishes lists. */
function afterAnother(id: string, nameOf: (query: ResultsQuery, call: Call) => string, answer: Reply): Fault {
  /** The name of the requested list; the store keeps that of a list that begins. */
  const noted = (call: Call, { notes }: Store): string | undefined => {
    const query = readResultsQuery(withLimitInRange(call));
    if (isRefusal(query)) return undefined;
    const name = nameOf(query, call);
    if (query.cursor === undefined) notes.set(id, name);
    return name;
  };
  return {
    on: ['list-results'],
    about: (call, store) => noted(call, store) !== undefined && hasCursor(call),
    reply: (reply, call, store) => {
      if (!isAccepted(reply) || noted(call, store) === store.notes.get(id) || !hasCursor(call)) return reply;
      return answer;
    },
  };
}

/** The whole list, oldest first. New arrivals stay at its head. */
const ascending: Fault = relist(({ query, listing }, call, store) => {
  const agent = store.universe.agentIndex(call.agentId);
  const arrived = agent === undefined ? 0 : listing.count - store.universe.resultCount(agent);
  const { from, to } = indexesIn(listing, query.window);
  const first = Math.max(from, arrived);
  return {
    listing: {
      count: listing.count - arrived,
      createdAt: (index) => listing.createdAt(index + arrived),
      at(index) {
        const place = index + arrived;
        if (place < first || place >= to) return listing.at(place);
        return listing.at(to - 1 - (place - first));
      },
    },
  };
});

const refused = refuseValid('list-results');

export const listResultsFaults = {
  'list-results-answer-misshapen': misshapen('list-results', '/results/*/hasStarted', 'wrong-type'),
  'list-results-not-there': notFound,
  'created-agent-list-not-found': onlyFor(isNew, notFound),

  'results-ascending': {
    ...ascending,
    piecemeal: onPage((shown) => shown.toReversed()),
  },
  'results-out-of-order-in-page': onPage((shown) => {
    const [first, ...rest] = shown;
    const last = rest.pop();
    return first !== undefined && last !== undefined && [last, ...rest, first];
  }),
  'results-out-of-order-between-pages': onPage((shown, { query, listing, call }) => {
    if (query.limit < SMALLEST_SWAP || query.limit >= 50 || shown.length < 3) return false;
    const on = { listing, query, profile: call.profile };
    const before = query.cursor === undefined ? undefined : neighbour(shown[0], -1, on);
    const after = neighbour(shown.at(-1), 1, on);
    // The next page returns what this one takes, unless it is too small.
    const goesOn = neighbour(neighbour(after, 1, on), 1, on) !== undefined;
    const swapped = [...shown];
    if (before) swapped[0] = before;
    if (goesOn && after) swapped[shown.length - 1] = after;
    return swapped;
  }),

  'created-at-differs-by-page-size': onPage(
    (shown, { query }) =>
      query.limit < 50 && shown.map((result) => ({ ...result, createdAt: secondLater(result.createdAt) })),
  ),

  'limit-1-refused': onlyFor((call) => queryParameter(call, 'limit') === '1', refused),
  'limit-100-refused': onlyFor((call) => queryParameter(call, 'limit') === '100', refused),
  'limit-ignored': requery(() => ({ limit: 50 })),
  'limit-exceeded': relist(
    ({ query, profile }) =>
      query.limit < 50 && {
        query: { ...query, limit: query.limit + 1 },
        profile: { ...profile, 'page-filling': 'full' },
      },
  ),
  'limit-below-1-serves-all': {
    on: ['list-results'],
    about: (call) => limitOf(call) < 1,
    reply: (reply, call, store) => {
      if (!(limitOf(call) < 1) || (!isAccepted(reply) && reply.kind !== 'invalid')) return reply;
      const listing = store.results(call.agentId);
      const all = Array.from({ length: listing.count }, (_, i) => listing.at(i));
      return page(all, null);
    },
  },
  'limit-over-100-served': {
    on: ['list-results'],
    about: (call) => limitOf(call) > 100,
    reply: (reply, call, store) => {
      const limit = limitOf(call);
      const query =
        limit > 100 && (isAccepted(reply) || reply.kind === 'invalid') && readResultsQuery(withLimitInRange(call));
      if (!query || isRefusal(query)) return reply;
      const listing = store.results(call.agentId);
      const { from, to } = indexesIn(listing, query.window);
      const start = Math.max(from, placeOf(query, listing, store) ?? from);
      const some = Array.from({ length: Math.min(limit, to - start) }, (_, i) => listing.at(start + i));
      return page(some, null);
    },
  },
  'default-limit-20': byDefault('limit', () => ({ limit: 20 })),
  'default-limit-100': byDefault('limit', () => ({ limit: 100 })),

  'page-boundary-loses-result': onlyFor(
    hasCursor,
    onPage((shown, { query }) => query.limit >= SMALLEST_PAGE && query.limit < 100 && shown.slice(1)),
  ),
  'page-boundary-repeats-result': onlyFor(
    hasCursor,
    relist(({ query, listing, profile }, _call, store) => {
      const start = placeOf(query, listing, store);
      if (start === undefined || start >= indexesIn(listing, query.window).to || query.limit < SMALLEST_PAGE)
        return false;
      const isShown = chosen(profile, 'listed-results') ?? (() => true);
      let before = start - 1;
      while (before > 0 && !isShown(listing.at(before))) before--;
      const cursor = writeCursor(listing.count - before, query.selection, store.universe.seed);
      return { query: { ...query, cursor } };
    }),
  ),
  'page-of-25-loses-last': onlyFor(
    (call) => queryParameter(call, 'limit') === '25',
    onPage((shown) => shown.length > 20 && shown.slice(0, -1)),
  ),
  'cursor-starts-over': onlyFor(
    hasCursor,
    requery(() => ({ cursor: undefined })),
  ),
  'cursor-drops-time-filter': onlyFor(
    hasCursor,
    requery(({ limit }) => limit < 100 && { window: allTime }),
  ),
  'third-page-drops-filter': onlyFor(
    hasCursor,
    relist(({ query, listing }, _call, store) => {
      const start = placeOf(query, listing, store);
      const isThird = start !== undefined && start - indexesIn(listing, query.window).from >= 2 * query.limit - 2;
      return isThird && { query: { ...query, window: allTime } };
    }),
  ),
  'cursor-alone-drops-filter': onlyFor(
    (call) => hasCursor(call) && call.query.length === 1,
    requery(() => ({ window: allTime })),
  ),
  'cursor-drops-limit': onlyFor(
    hasCursor,
    requery(({ limit }) => limit < 50 && { limit: 50 }),
  ),
  'second-list-ends-first': afterAnother(
    'second-list-ends-first',
    ({ selection }) => selection,
    refuse('invalid', 'This list has ended.'),
  ),
  'other-agents-list-ends-walk': afterAnother(
    'other-agents-list-ends-walk',
    (_, { agentId }) => agentId,
    page([], null),
  ),
  'next-cursor-null-early': onlyFor(
    hasCursor,
    onAnswer('list-results', (body, call) => {
      if (limitOf(call) >= 100) return body;
      return { ...body, nextCursor: null };
    }),
  ),
  'walk-ends-at-tenth-page': onlyFor(
    hasCursor,
    onAnswer('list-results', (body, call, store) => {
      const query = readResultsQuery(withLimitInRange(call));
      if (isRefusal(query)) return body;
      const listing = store.results(call.agentId);
      const before = (placeOf(query, listing, store) ?? 0) - indexesIn(listing, query.window).from;
      if (before < 9 * query.limit) return body;
      return { ...body, nextCursor: null };
    }),
  ),
  'next-cursor-never-null': onAnswer('list-results', (body, call, store) => {
    const query = readResultsQuery(withLimitInRange(call));
    if (body['nextCursor'] !== null || isRefusal(query)) return body;
    const listing = store.results(call.agentId);
    const fromOldest = listing.count - indexesIn(listing, query.window).to;
    return { ...body, nextCursor: writeCursor(fromOldest, query.selection, store.universe.seed) };
  }),
  'last-page-without-next-cursor': onAnswer('list-results', (body) =>
    withFields(body, { nextCursor: body['nextCursor'] ?? undefined }),
  ),

  ...ofFilters(timeFilters, 'refused', (f) => onlyFor((call) => queryParameter(call, 'timeFilter') === f, refused)),
  ...ofFilters(
    timeFilters.filter((f) => f !== 'allTime'),
    'ignored',
    (f) => servedAs(f, () => allTime),
  ),
  'time-filter-allTime-cut': servedAs('allTime', (now) => namedWindow('last30Days', now, 'UTC', 'calendar')),
  ...ofFilters(timeFilters, 'loses', loses),
  'time-filter-today-empty': servedAs('today', (now) => ({ from: now, to: now })),
  'last-month-reaches-into-this': requery(
    ({ filter, window }) => filter === 'lastMonth' && { window: { ...window, to: window.to + REACHES_MS } },
  ),
  'default-time-filter-all-time': byDefault('timeFilter', () => ({ window: allTime })),
  'default-time-filter-today': byDefault('timeFilter', (_query, { now }) => ({
    window: namedWindow('today', now, 'UTC', 'calendar'),
  })),

  'results-of-another-agent': onPage(
    ([first, ...rest], { call, store }) =>
      first !== undefined && [{ ...first, agentId: otherAgentId(call, store) }, ...rest],
  ),
  // In the answer as it is sent, since a profile may leave the workspace out.
  'results-of-another-workspace': ofBody('list-results', (body) => {
    const { results } = body;
    const [first, ...rest] = Array.isArray(results) ? results : [];
    return isObject(first) ? { ...body, results: [{ ...first, workspaceId: 'another-workspace' }, ...rest] } : body;
  }),
  'results-same-for-every-agent': onlyFor(
    isNew,
    relist((_list, call, store) => {
      const main = store.results(store.agentId(0));
      // As if they were its own, so that nothing shows it but their identifiers.
      const own = { agentId: call.agentId, workspaceId: store.agent(call.agentId)?.agent['workspaceId'] as string };
      return { listing: { ...main, at: (index) => ({ ...main.at(index), ...own }) } };
    }),
  ),
} satisfies Record<string, Fault>;
