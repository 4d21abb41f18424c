import type { ConversationResult } from '../../spec/index.ts';
import { validate } from '../../spec/index.ts';
import { completedResult } from '../completed-result.ts';
import { MockError } from '../mock-error.ts';
import type { Store } from '../store/store.ts';

/** The most results that are added in one go. */
const MOST_AT_ONCE = 10_000;
/** Between made results, in milliseconds, where there is room for it after the newest one of the agent. */
const STEP = 1000;

/**
 * Adds results to an agent: so many made ones, newer than those it has and the newest at `now`, shaped like results of
 * the universe; or the ones given, completed where they lack an identifier or a time.
 * @returns their identifiers, in the order given, made ones newest first.
 * @throws MockError for an unknown agent, too many results, or one that does not fit its schema (section 2.10).
 */
export function newResults(
  store: Store,
  agentId: string,
  wanted: number | readonly Partial<ConversationResult>[],
  now: number,
): readonly string[] {
  if (!store.agent(agentId)) throw new MockError(`There is no agent with the id ${JSON.stringify(agentId)}.`);
  const size = typeof wanted === 'number' ? wanted : wanted.length;
  if (!Number.isSafeInteger(size) || size < 1 || size > MOST_AT_ONCE)
    throw new MockError(`From 1 to ${MOST_AT_ONCE} results are added in one go; these are ${size}.`);
  const listing = store.results(agentId);
  const latest = listing.count > 0 ? listing.createdAt(0) : Infinity;
  const newest = latest <= now ? latest : -Infinity;
  const made =
    typeof wanted === 'number'
      ? Array.from({ length: size }, (_, i) => madeResult(store, agentId, i, Math.max(newest, now - i * STEP)))
      : wanted.map((given, i) => completed(store, given, i, now));
  store.addResults(agentId, made.toReversed());
  return made.map(({ id }) => id ?? '');
}

function madeResult(store: Store, agentId: string, i: number, at: number): ConversationResult {
  const createdAt = new Date(at).toISOString();
  const id = store.newId('result');
  const { universe } = store;
  const own = universe.agentIndex(agentId);
  const count = own === undefined ? 0 : universe.resultCount(own);
  if (own === undefined || count === 0)
    return { id, createdAt, updatedAt: createdAt, isCompleted: false, hasStarted: true, variables: [], answers: [] };
  const model = universe.result(own, i % count);
  const shift = at - universe.resultCreatedAt(own, i % count);
  return {
    ...model,
    id,
    createdAt,
    updatedAt: createdAt,
    answers: (model.answers ?? []).map((answer) => ({
      ...answer,
      createdAt: new Date(Date.parse(answer.createdAt ?? createdAt) + shift).toISOString(),
    })),
  };
}

function completed(store: Store, given: Partial<ConversationResult>, index: number, now: number): ConversationResult {
  const result = completedResult(given, given.id ?? store.newId('result'), new Date(now).toISOString());
  const [wrong] = validate('result', result);
  if (wrong) throw new MockError(`results/${index}${wrong.at} must be ${wrong.expected}; it is ${wrong.actual}.`);
  if (Number.isNaN(Date.parse(result.createdAt ?? '')))
    throw new MockError(
      `results/${index}/createdAt is ${JSON.stringify(result.createdAt)}; it must be an instant such as 2026-05-20T15:30:00Z.`,
    );
  return result;
}
