import type { ConversationResult } from '../../spec/index.ts';
import type { JsonObject } from '../../text/json.ts';
import { completedResult } from './seed/completed-result.ts';
import { wrongWithResult } from './resource-errors.ts';
import { MockError } from '../mock-error.ts';
import type { Store } from './store.ts';

const MOST_AT_ONCE = 10_000;
/** Milliseconds between generated results, if there is that much time since the agent's newest one. */
const STEP = 1000;

/**
 * Results to be added to an agent: a number of generated ones, newer than the existing ones and the newest at `now`, with
 * answers to the agent's own blocks; or the given ones, with missing identifiers and times filled in.
 * @returns given ones in the given order, generated ones newest first.
 * @throws MockError for an unknown agent, too many results, or one that does not match its schema (section 2.10).
 */
export function newResults(
  store: Store,
  agentId: string,
  wanted: number | readonly Partial<ConversationResult>[],
  now: number,
): readonly ConversationResult[] {
  const agent = store.agent(agentId)?.agent;
  if (!agent) throw new MockError(`There is no agent with the id ${JSON.stringify(agentId)}.`);
  const size = typeof wanted === 'number' ? wanted : wanted.length;
  if (!Number.isSafeInteger(size) || size < 1 || size > MOST_AT_ONCE)
    throw new MockError(`1 to ${MOST_AT_ONCE} results can be added at once, not ${size}.`);
  if (typeof wanted !== 'number')
    return wanted.map((given, i) => {
      const result = completedResult(given, agent, given.id ?? store.newId('result'), new Date(now).toISOString());
      const [wrong] = wrongWithResult(result.id ?? '', result as unknown as JsonObject);
      if (wrong) throw new MockError(`results/${i}${wrong.at} must be ${wrong.expected}; it is ${wrong.actual}.`);
      return result;
    });

  const { universe } = store;
  const listing = store.results(agentId);
  const latest = listing.count > 0 ? listing.createdAt(0) : Infinity;
  const newest = latest <= now ? latest : -Infinity;
  const index = universe.agentIndex(agentId);
  const models = index === undefined ? 0 : universe.resultCount(index);
  // Like the agent's generated results; if it has none, answers to its blocks.
  const talk = models === 0 ? universe.resultsOf(agent) : undefined;
  return Array.from({ length: size }, (_, i) => {
    const at = Math.max(newest, now - i * STEP);
    const result =
      talk?.(listing.count + i, { createdAt: at, now }) ??
      movedTo(at, now, universe.result(index ?? 0, i % Math.max(1, models)));
    return { ...result, id: store.newId('result'), lastChatSessionId: store.newId('session') };
  });
}

/** A generated result, moved to another instant; nothing in it happened after `now`. */
function movedTo(at: number, now: number, model: ConversationResult): ConversationResult {
  const createdAt = new Date(at).toISOString();
  const shift = at - Date.parse(model.createdAt ?? createdAt);
  const moved = (instant: string | undefined): string =>
    new Date(Math.min(now, Date.parse(instant ?? createdAt) + shift)).toISOString();
  return {
    ...model,
    createdAt,
    updatedAt: moved(model.updatedAt),
    answers: model.answers?.map((answer) => ({ ...answer, createdAt: moved(answer.createdAt) })),
  };
}
