import { timeFilters, type ConversationResult, type TimeFilter } from '../../spec/index.ts';
import { isAccepted, refuse, type ListRequest, type Call, type Reply, type ResultsQuery } from '../call.ts';
import { withFields, type Json, type JsonObject } from '../../text/json.ts';
import { chosen } from '../choices/index.ts';
import { indexesIn, page } from '../endpoints/list-results.ts';
import { itemsIn } from '../store/agent-forms.ts';
import { readResultsQuery } from '../service/results-query.ts';
import { readCursor, writeCursor } from '../store/cursor.ts';
import { editsOf, withOwnData } from '../service/own-data.ts';
import type { Listing } from '../store/listing.ts';
import type { Store } from '../store/store.ts';
import { allTime, namedWindow, type TimeWindow } from '../store/time-window.ts';
import type { Fault } from './fault.ts';
import { hasCursor, onAccepted, onAnswer, onCall, onlyFor } from './fault.ts';
import { otherAgentId, queryParameter, refuseValid } from './fault.ts';
import { misshapen, ofBody } from './shape.ts';
import { platform } from '../../text/platform.ts';
import { HOUR } from '../../fixtures/universe/ages.ts';

/** With the indexes of the window (`to` excluded), and where the page begins that a cursor asks for. */
type Asked = ReturnType<typeof asked>;

function asked(list: ListRequest, call: Call, store: Store) {
  const { query, listing } = list;
  const { cursor, selection, window } = query;
  const place = readCursor(cursor ?? '', selection, store.universe.seed);
  const start = typeof place === 'number' ? Math.floor(listing.count - place) : undefined;
  return { ...list, call, store, ...indexesIn(listing, window), start };
}

/** All results of the agent, as the profile has what is generated. */
function resultsOf({ agentId, profile }: Call, store: Store): Listing {
  const [listing, edits] = [store.results(agentId), editsOf(profile)];
  return { ...listing, at: (index) => withOwnData(listing.at(index), 'results', edits) };
}

/** The same for a call, even if its limit is out of bounds; `undefined` if its query is wrong otherwise. */
function askedBy(call: Call, store: Store): Asked | undefined {
  const inBounds = (limit: string): string => String(Math.min(100, Math.max(1, Number(limit))));
  const inRange = call.query.map(([name, value]) => [name, name === 'limit' ? inBounds(value) : value] as const);
  const query = readResultsQuery({ ...call, query: inRange });
  if ('kind' in query) return undefined;
  return asked({ query, listing: resultsOf(call, store), profile: call.profile }, call, store);
}

/** Answers an accepted request as if it had another query, list or profile; `false` changes nothing. */
const relist = (change: (on: Asked) => Partial<ListRequest> | false): Fault =>
  onCall('list-results', (call) => ({
    ...call,
    relist: (list, store) => {
      const before = call.relist?.(list, store) ?? list;
      return { ...before, ...change(asked(before, call, store)) };
    },
  }));

const requery = (change: (query: ResultsQuery, call: Call) => Partial<ResultsQuery> | false): Fault =>
  relist(({ query, call }) => ({ query: { ...query, ...change(query, call) } }));

const onPage = (
  change: (shown: readonly ConversationResult[], on: Asked) => readonly ConversationResult[] | false,
): Fault =>
  onAnswer('list-results', (body, call, store) => {
    const on = askedBy(call, store);
    const shown = on && change(body['results'] as unknown as readonly ConversationResult[], on);
    if (shown) return { ...body, results: shown as unknown as readonly JsonObject[] };
    return body;
  });

/** Changes each result on pages of fewer than 50, also by the first of the page. */
const onSmallPages = (
  change: (result: ConversationResult, first: ConversationResult) => Partial<ConversationResult>,
): Fault =>
  onPage(
    ([first, ...rest], { query }) =>
      first !== undefined &&
      query.limit < 50 &&
      [first, ...rest].map((result) => ({ ...result, ...change(result, first) })),
  );

/** Changes the cursor of an accepted page; `false` changes nothing. */
const onCursor = (change: (on: Asked, cursor: Json | undefined) => string | null | false): Fault =>
  onAnswer('list-results', (body, call, store) => {
    const on = askedBy(call, store);
    const nextCursor = on !== undefined && change(on, body['nextCursor']);
    if (nextCursor === false) return body;
    return { ...body, nextCursor };
  });

const limitOf = (call: Call): number => Number(queryParameter(call, 'limit') ?? 50);

/** The next visible result beside `result`: newer (-1) or older (1). */
function neighbour(result: ConversationResult | undefined, step: -1 | 1, { listing, profile, from, to }: Asked) {
  const isShown = chosen(profile, 'listed-results') ?? (() => true);
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

const onLaterPages = onlyFor(hasCursor);
const onThirdPages = onlyFor((call, store) => {
  const { start = -Infinity, from = 0, query } = (hasCursor(call) && askedBy(call, store)) || {};
  return query !== undefined && start - from >= 2 * query.limit - 2;
});
const withLimit = (limit: string): ReturnType<typeof onlyFor> =>
  onlyFor((call) => queryParameter(call, 'limit') === limit);
const withFilter = (filter: TimeFilter): ReturnType<typeof onlyFor> =>
  onlyFor((call) => (queryParameter(call, 'timeFilter') ?? 'last7Days') === filter);

const servedAs = (filter: TimeFilter, window: (now: number) => TimeWindow): Fault =>
  withFilter(filter)(requery((_query, { now }) => ({ window: window(now) })));

/** Created so many hours later. */
const redated = (result: ConversationResult, hours: number): ConversationResult => ({
  ...result,
  createdAt: new Date(Date.parse(result.createdAt ?? '') + hours * HOUR).toISOString(),
});

const withEnd = (change: (window: TimeWindow) => TimeWindow): Fault =>
  onlyFor((call) => queryParameter(call, 'end') !== undefined)(requery(({ window }) => ({ window: change(window) })));

/** Hides about every third result if the query asks for `filter`, always the same ones. */
const loses = (filter: TimeFilter): Fault =>
  withFilter(filter)(
    onPage((shown) =>
      shown.filter(({ id }) => new platform.TextEncoder().encode(id).reduce((sum, byte) => sum + byte, 0) % 3 !== 0),
    ),
  );

/** Answers as if the query were another if the request has no parameter `name`. */
const byDefault = (name: 'limit' | 'timeFilter', change: Parameters<typeof requery>[0]): Fault =>
  onlyFor((call) => queryParameter(call, name) === undefined)(requery(change));

const onNewAgents = onlyFor(({ agentId }, store) => store.created().agents.includes(agentId));

/** Less than the offsets of time zones, so that only a comparison with the other list shows it. */
const REACHES_MS = 9.75 * 3_600_000;

/** Answers as if the route or the agent did not exist, with the usual status for that. */
const ended = refuse('invalid', 'This list has ended.');
const notFound = onAccepted(['list-results'], () => ({ ...refuse('not-found', 'Not found.'), status: 404 }));

/** Answers a cursor whose list is not the latest one that began; `nameOf` distinguishes lists. */
function afterAnother(id: string, nameOf: (on: Asked) => string, answer: Reply): Fault {
  /** The name of the requested list; the store keeps that of a list that begins. */
  const noted = (call: Call, store: Store): string | undefined => {
    const on = askedBy(call, store);
    if (on && !hasCursor(call)) store.notes.set(id, nameOf(on));
    return on && nameOf(on);
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
const ascending: Fault = relist(({ listing, from, to, call, store }) => {
  const agent = store.universe.agentIndex(call.agentId);
  const arrived = agent === undefined ? 0 : listing.count - store.universe.resultCount(agent);
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

/** Answers as many results as a limit that is out of bounds asks for, and all for one below 1. */
const serving = (isBeyond: (limit: number) => boolean): Fault =>
  onlyFor((call) => isBeyond(limitOf(call)))({
    on: ['list-results'],
    reply: (reply, call, store) => {
      const on = (isAccepted(reply) || reply.kind === 'invalid') && askedBy(call, store);
      if (!on) return reply;
      const first = Math.max(on.from, on.start ?? on.from);
      const length = Math.min(limitOf(call) < 1 ? Infinity : limitOf(call), on.to - first);
      const some = Array.from({ length }, (_, i) => on.listing.at(first + i));
      return page(some, null);
    },
  });

export const listResultsFaults = {
  'list-results-answer-misshapen': misshapen('list-results', '/results/*/hasStarted', 'wrong-type'),
  'list-results-not-there': notFound,
  'created-agent-list-not-found': onNewAgents(notFound),

  'results-ascending': { ...ascending, piecemeal: onPage((shown) => shown.toReversed()) },
  'results-out-of-order-in-page': onPage((shown) => {
    const [first, ...rest] = shown;
    const last = rest.pop();
    return first !== undefined && last !== undefined && [last, ...rest, first];
  }),
  'results-out-of-order-between-pages': onPage((shown, on) => {
    const { limit, cursor } = on.query;
    if (limit < SMALLEST_SWAP || limit >= 50 || shown.length < 3) return false;
    const before = cursor !== undefined && neighbour(shown[0], -1, on);
    const after = neighbour(shown.at(-1), 1, on);
    // The next page returns what this one takes, unless it is too small.
    const goesOn = neighbour(neighbour(after, 1, on), 1, on) !== undefined;
    const swapped = [...shown];
    if (before) swapped[0] = before;
    if (goesOn && after) swapped[shown.length - 1] = after;
    return swapped;
  }),

  'small-pages-lack-answers': onSmallPages(() => ({ answers: [] })),
  'small-pages-deny-completion': onSmallPages(({ isCompleted }) => ({ isCompleted: isCompleted !== true })),
  'small-pages-lack-files': onSmallPages(({ answers = [] }) => ({
    answers: answers.map((answer) => ({ ...answer, attachedFileUrls: [] })),
  })),
  'small-pages-share-metadata': onSmallPages((_, { metadata }) => ({ metadata })),
  'small-pages-share-session': onSmallPages((_, { lastChatSessionId }) => ({ lastChatSessionId })),
  'created-at-differs-by-page-size': onPage((shown, { query }) => {
    return query.limit < 50 && shown.map((result) => redated(result, 1 / 3600));
  }),

  'zone-moves-results': onlyFor((call) => queryParameter(call, 'timeZone') !== undefined)(
    onPage((shown) => shown.map((result) => redated(result, -5.5))),
  ),
  'large-page-unnames-a-result': withLimit('100')(
    onPage(([first, second, ...rest]) => {
      if (!first || !second || rest.length === 0) return false;
      const { id: _id, ...unnamed } = second;
      return [first, unnamed, ...rest];
    }),
  ),
  'results-dated-ahead': onPage((shown, { call: { now } }) =>
    shown.map((result) => (Date.parse(result.createdAt ?? '') >= now - HOUR ? redated(result, 5) : result)),
  ),

  'limit-1-refused': withLimit('1')(refused),
  'limit-100-refused': withLimit('100')(refused),
  'limit-ignored': requery(() => ({ limit: 50 })),
  'limit-exceeded': relist(
    ({ query, profile }) =>
      query.limit < 50 && {
        query: { ...query, limit: query.limit + 1 },
        profile: { ...profile, 'page-filling': 'full' },
      },
  ),
  'limit-below-1-serves-all': serving((limit) => limit < 1),
  'limit-over-100-served': serving((limit) => limit > 100),
  'default-limit-20': byDefault('limit', () => ({ limit: 20 })),
  'default-limit-100': byDefault('limit', () => ({ limit: 100 })),

  'page-boundary-loses-result': onLaterPages(
    onPage((shown, { query }) => query.limit >= SMALLEST_PAGE && query.limit < 100 && shown.slice(1)),
  ),
  'page-boundary-repeats-result': onLaterPages(
    relist(({ query, listing, profile, to, start, store }) => {
      if (start === undefined || start >= to || query.limit < SMALLEST_PAGE) return false;
      const isShown = chosen(profile, 'listed-results') ?? (() => true);
      let before = start - 1;
      while (before > 0 && !isShown(listing.at(before))) before--;
      const cursor = writeCursor(listing.count - before, query.selection, store.universe.seed);
      return { query: { ...query, cursor } };
    }),
  ),
  'page-of-25-loses-last': withLimit('25')(onPage((shown) => shown.length > 20 && shown.slice(0, -1))),
  'cursor-starts-over': onLaterPages(requery(() => ({ cursor: undefined }))),
  'cursor-drops-time-filter': onLaterPages(requery(({ limit }) => limit < 100 && { window: allTime })),
  'third-page-drops-filter': onThirdPages(requery(() => ({ window: allTime }))),
  'cursor-loses-results': onLaterPages(onPage((shown) => shown.filter((_, i) => i % 3 !== 1))),
  'cursor-of-second-page-refused': onThirdPages(onAccepted(['list-results'], () => ended)),
  'cursor-alone-drops-filter': onlyFor((call) => hasCursor(call) && call.query.length === 1)(
    requery(() => ({ window: allTime })),
  ),
  'cursor-drops-limit': onLaterPages(requery(({ limit }) => limit < 50 && { limit: 50 })),
  'second-list-ends-first': afterAnother('second-list-ends-first', ({ query }) => query.selection, ended),
  'other-agents-list-ends-walk': afterAnother(
    'other-agents-list-ends-walk',
    ({ call }) => call.agentId,
    page([], null),
  ),
  'next-cursor-null-early': onLaterPages(onCursor(({ query }) => query.limit < 100 && null)),
  'walk-ends-at-tenth-page': onLaterPages(
    onCursor(({ query, from, start = 0 }) => start - from >= 9 * query.limit && null),
  ),
  'next-cursor-never-null': onCursor(
    ({ query, listing, to, store }, cursor) =>
      cursor === null && writeCursor(listing.count - to, query.selection, store.universe.seed),
  ),
  'next-cursor-empty': onCursor((_, cursor) => cursor === null && ''),
  'last-page-without-next-cursor': onAnswer('list-results', (body) =>
    withFields(body, { nextCursor: body['nextCursor'] ?? undefined }),
  ),

  ...ofFilters(timeFilters, 'refused', (filter) =>
    onlyFor((call) => queryParameter(call, 'timeFilter') === filter)(refused),
  ),
  ...ofFilters(
    timeFilters.filter((filter) => filter !== 'allTime'),
    'ignored',
    (filter) => servedAs(filter, () => allTime),
  ),
  'time-filter-allTime-cut': servedAs('allTime', (now) => namedWindow('last30Days', now, 'UTC', 'calendar')),
  ...ofFilters(timeFilters, 'loses', loses),
  'time-filter-today-empty': servedAs('today', (now) => ({ from: now, to: now })),
  'last-month-reaches-into-this': requery(
    ({ filter, window }) => filter === 'lastMonth' && { window: { ...window, to: window.to + REACHES_MS } },
  ),
  'span-without-end': withEnd((window) => ({ ...window, to: Infinity })),
  'span-begins-at-end': withEnd(({ from, to }) => ({ from: to, to: from > 0 ? from : Infinity })),
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
    const [first, ...rest] = itemsIn(body, 'results');
    if (!first) return body;
    return { ...body, results: [{ ...first, workspaceId: 'another-workspace' }, ...rest] };
  }),
  'results-same-for-every-agent': onNewAgents(
    relist(({ call, store }) => {
      const main = store.results(store.agentId(0));
      // As if they were its own, so that nothing shows it but their identifiers.
      const own = { agentId: call.agentId, workspaceId: store.agent(call.agentId)?.agent['workspaceId'] as string };
      return { listing: { ...main, at: (index) => ({ ...main.at(index), ...own }) } };
    }),
  ),
} satisfies Record<string, Fault>;
