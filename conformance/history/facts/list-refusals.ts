import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../../spec/index.ts';
import type { Answered, Excerpt, Exchange } from '../../http/exchange.ts';
import { isAnswered, isEntitled, isWithoutAccess, ownerOf } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import type { Agents } from './agents.ts';
import { wordOf } from './failures.ts';
import { isWithinLag } from './lateness.ts';
import { readSelection, type Selection } from './selection.ts';

/** A parameter of a list request, which may be the reason for a refusal. */
export type Parameter = 'limit' | 'filter' | 'cursor';

/** What a refused request is refused for: one parameter, or the request as such. */
export type Blame = Parameter | 'request';

export type RefusedList = ReturnType<typeof refusedList>;

/** A refused list request, and an accepted list of the same agent and caller if others came before and after. */
export type BlamedList = ReturnType<ReturnType<typeof createListRefusals>['all']>[number];

const [MAX_REFUSALS, MAX_USED] = [500, 10_000];

export function createListRefusals(agents: Pick<Agents, 'creationOf'>) {
  let refused: RefusedList[] = [];
  const counts = createParameterCounts();
  const accepted = new Map<string, { readonly first: number; readonly excerpt: Excerpt; last: number }>();
  const used = new Set<string>();
  let areReusable = false;

  function blameOf({ selection, of, isUsed }: RefusedList): Blame {
    if (isUsed && areUsed()) return 'cursor';
    const last = accepted.get(of)?.last ?? -1;
    const since = refused.filter((list) => list.of === of && list.n > last).map((list) => list.selection);
    // No list of the agent is accepted any more, with any limit or filter.
    const isNoneAccepted = (['limit', 'sentFilter'] as const).every(
      (name) => new Set(since.map((one) => one[name])).size > 1,
    );
    if (counts.isBareRefused() || isNoneAccepted) return 'request';
    const parameters = parametersOf(selection);
    const given = new Set(parameters.map(([, key]) => key));
    // The list that gave a cursor was accepted, with the same limit and filter, unless these are refused on first pages too.
    const atFirst = refused.map((list) => list.selection).filter((one) => one.cursor === undefined);
    const isElse = atFirst.some((one) => parametersOf(one).some(([, key]) => given.has(key)));
    if (selection.cursor !== undefined && !isElse) return 'cursor';
    const [first, second] = parameters.toSorted(([, a], [, b]) => counts.compare(a, b));
    if (!first || (second && counts.compare(first[1], second[1]) === 0)) return 'request';
    return first[0];
  }

  /** Whether each cursor that is refused was accepted before, and none was accepted twice: then each may be used once. */
  const areUsed = (): boolean =>
    !areReusable && refused.every(({ isUsed, selection }) => isUsed || selection.cursor === undefined);

  /** Forgets that a new agent was not found at once, when its lists are answered. */
  function forgetLate(of: string): void {
    const late = refused.filter((list) => list.of === of && list.isOfNewAgent);
    for (const { selection } of late) counts.note(selection, false, -1);
    refused = refused.filter((list) => !late.includes(list));
  }

  return {
    see(exchange: Exchange): void {
      const { endpoint, query, n, excerpt, caller } = exchange;
      if (endpoints[endpoint].does !== 'lists' || exchange.open || !isAnswered(exchange)) return;
      const selection = readSelection(query);
      if (isWithoutAccess(caller) || !selection.isDocumented) return;
      const { status } = exchange.answer;
      const of = ownerOf(exchange);
      const cursor = selection.cursor && `${of} ${selection.cursor}`;
      if (exchange.answer.accepted) {
        forgetLate(of);
        areReusable ||= used.has(cursor ?? '');
        if (cursor !== undefined && used.size < MAX_USED) used.add(cursor);
        const last = refused.at(-1);
        if (last?.excerpt.request.form && last.of === of && isDeepStrictEqual(last.query.toSorted(), query.toSorted()))
          last.usual ??= excerpt;
        const known = accepted.get(of);
        if (known) known.last = n;
        else if (accepted.size < MAX_REFUSALS) accepted.set(of, { first: n, last: n, excerpt });
        // Callers with less access may be refused.
      } else if (wordOf(status) !== 'refused' || !isEntitled(caller)) return;
      else if (refused.length < MAX_REFUSALS) {
        const isOfNewAgent = GONE.has(status) && isWithinLag(agents.creationOf(exchange.agentId), exchange);
        refused.push({ ...refusedList(exchange, selection), isUsed: used.has(cursor ?? ''), isOfNewAgent });
      }
      counts.note(selection, exchange.answer.accepted);
    },
    all: () =>
      refused.map((list) => {
        const known = accepted.get(list.of);
        const isBetween = known !== undefined && known.first < list.n && known.last > list.n;
        const by = list.usual ? 'request' : blameOf(list);
        return { ...list, by, isUsed: list.isUsed && areUsed(), control: isBetween ? known.excerpt : undefined };
      }),
    /** How many list requests name a parameter, or any. */
    count: counts.requests,
  };
}

const refusedList = (exchange: Answered, selection: Selection) => ({
  n: exchange.n,
  of: ownerOf(exchange),
  agentId: exchange.agentId ?? '',
  status: exchange.answer.status,
  query: exchange.query,
  selection,
  excerpt: exchange.excerpt,
  /** Its cursor was accepted before. */
  isUsed: false,
  /** It was denied so soon after its agent was made that the agent may not have been found yet. */
  isOfNewAgent: false,
  /** The same request in the usual form, if that was accepted. */
  usual: undefined as Excerpt | undefined,
});

/** The parameters of a request by name and value: a cursor may be accepted only alone, or only with parameters. */
function parametersOf({ limit, sentFilter, cursor }: Selection): readonly (readonly [Parameter, string])[] {
  const isAlone = limit === undefined && sentFilter === undefined;
  const parameters: [Parameter, string][] = [];
  if (cursor !== undefined) parameters.push(['cursor', isAlone ? 'cursor alone' : 'cursor beside']);
  if (limit !== undefined) parameters.push(['limit', `limit=${limit}`]);
  if (sentFilter !== undefined) parameters.push(['filter', `filter=${sentFilter}`]);
  return parameters;
}

const BARE = 'request';

/** How often requests with each parameter were accepted and refused. */
export function createParameterCounts() {
  const counts = new Map<string, { accepted: number; refused: number }>();
  let all = 0;
  const countOf = (key: string) => counts.get(key) ?? { accepted: 0, refused: 0 };
  /** How often a parameter is refused, with less weight on few requests. */
  const ratio = (key: string): number => {
    const { accepted, refused } = countOf(key);
    return refused / (accepted + refused + 2);
  };
  return {
    note(selection: Selection, isAccepted: boolean, times = 1): void {
      all += times;
      const given = parametersOf(selection).map(([, key]) => key);
      if (given.length === 0) given.push(BARE);
      for (const key of given) {
        const count = countOf(key);
        counts.set(key, count);
        count[isAccepted ? 'accepted' : 'refused'] += times;
      }
    },
    requests: (by: Blame): number => {
      if (by === 'request') return all;
      const of = [...counts].filter(([key]) => key.startsWith(`${by}=`));
      return of.reduce((sum, [, { accepted, refused }]) => sum + accepted + refused, 0);
    },
    isBareRefused: () => countOf(BARE).refused > 0,
    /** Sorts the parameter first that is refused at a higher rate, and more often; 0 if neither is. */
    compare: (one: string, other: string): number =>
      ratio(other) - ratio(one) || countOf(other).refused - countOf(one).refused,
  };
}
