import type { ConversationResult } from '../../spec/index.ts';
import { isAccepted, type Call, type EndpointLogic, type ListRequest, type Reply } from '../call.ts';
import type { JsonObject } from '../../text/json.ts';
import { chosen } from '../choices/index.ts';
import { cursorRefusal, readResultsQuery } from '../service/results-query.ts';
import { readCursor, writeCursor } from '../store/cursor.ts';
import { bisect, type Listing } from '../store/listing.ts';
import type { Store } from '../store/store.ts';
import type { TimeWindow } from '../store/time-window.ts';
import { noSuchAgent } from './get-agent.ts';

/** Section 4.5: newest first, filtered by creation time, in pages that a cursor continues. */
export const listResults: EndpointLogic = (call, store) => {
  const isKnown = store.agent(call.agentId) !== undefined || store.results(call.agentId).count > 0;
  if (!isKnown && !chosen(call.profile, 'results-of-unknown-agent')) return noSuchAgent(call.agentId);
  const query = readResultsQuery(call);
  if ('kind' in query) return query;
  const asked = { query, listing: store.results(call.agentId), profile: call.profile };
  const reply = pageOf(call, store, asked);
  if (chosen(call.profile, 'results-while-reading')) letOneArrive(call, store);
  if (isAccepted(reply) && call.relist) return pageOf(call, store, call.relist(asked, store));
  return reply;
};

/** Whether nothing follows the requested page, for any caller. */
export function isLastPage(call: Call, store: Store): boolean {
  if (call.isLastPage !== undefined) return call.isLastPage;
  const query = readResultsQuery(call);
  if ('kind' in query) return false;
  const reply = pageOf(call, store, { query, listing: store.results(call.agentId), profile: call.profile });
  return isAccepted(reply) && reply.body['nextCursor'] === null;
}

function pageOf({ now }: Call, store: Store, { query, listing, profile }: ListRequest): Reply {
  const { from, to } = query.window;
  // Results ahead of the clock have not happened yet. They appear when the clock reaches them.
  const isAhead = listing.count > 0 && listing.createdAt(0) > now;
  const span = indexesIn(listing, { from, to: isAhead ? Math.min(to, now + 1) : to });
  let start = span.from;
  if (query.cursor !== undefined) {
    const place = readCursor(query.cursor, query.selection, store.universe.seed);
    if (typeof place === 'string') {
      if (chosen(profile, `${place}-cursor`)) return page([], null);
      return cursorRefusal(whyNoCursor[place], query.cursor);
    }
    start = Math.max(span.from, listing.count - place);
  }
  const cursorAt = (index: number): string => writeCursor(listing.count - index, query.selection, store.universe.seed);
  const fewer = chosen(profile, 'page-filling');
  const isSecond = Number.isInteger(start) && start > span.from && start < span.from + 2 * query.limit;
  // By halves an empty page leads to the same place.
  if (!fewer && isSecond && start < span.to) return page([], cursorAt(start + 0.5));
  start = Math.floor(start);
  const wanted = Math.max(1, query.limit - (fewer?.[start % fewer.length] ?? 0));
  const { results, next } = collect(listing, { from: start, to: span.to }, wanted, chosen(profile, 'listed-results'));
  if (next >= span.to && !(results.length > 0 && chosen(profile, 'last-page'))) return page(results, null);
  return page(results, cursorAt(next));
}

const whyNoCursor = {
  malformed: 'This server did not issue this cursor, or somebody changed it. Start again without a cursor.',
  foreign: 'This cursor belongs to another agent or to other filters. Start again without a cursor.',
};

export const page = (results: readonly ConversationResult[], nextCursor: string | null): Reply => ({
  kind: 'ok',
  body: { results: results as unknown as readonly JsonObject[], nextCursor },
});

/** The indexes of the results that were created within `window`, found by bisection. */
export function indexesIn(listing: Listing, window: TimeWindow) {
  const firstOlderThan = (instant: number): number => bisect(listing.count, (n) => listing.createdAt(n) < instant);
  const from = firstOlderThan(window.to);
  return { from, to: Math.max(from, firstOlderThan(window.from)) };
}

function collect(
  listing: Listing,
  span: ReturnType<typeof indexesIn>,
  wanted: number,
  isShown: ((result: ConversationResult) => boolean) | undefined,
) {
  const results: ConversationResult[] = [];
  let next = span.from;
  for (; next < span.to; next++) {
    if (!isShown && results.length === wanted) break;
    const result = listing.at(next);
    if (isShown && !isShown(result)) continue;
    if (results.length === wanted) break;
    results.push(result);
  }
  return { results, next };
}

/** The most results that arrive in one agent during reading, so that a long run does not grow without end. */
const MOST_ARRIVALS = 5_000;

function letOneArrive(call: Call, store: Store): void {
  const agentIndex = store.universe.agentIndex(call.agentId);
  if (agentIndex === undefined) return;
  const generated = store.universe.resultCount(agentIndex);
  const listing = store.results(call.agentId);
  const { count } = listing;
  if (generated === 0 || count - generated >= MOST_ARRIVALS) return;
  const createdAt = new Date(Math.max(call.now, listing.createdAt(0))).toISOString();
  const model = store.universe.result(agentIndex, (count - generated) % generated);
  const arrived = { ...model, id: store.newId('result'), createdAt, updatedAt: createdAt, answers: [] };
  store.addResults(call.agentId, [arrived]);
}
