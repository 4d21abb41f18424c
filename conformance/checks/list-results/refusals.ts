import { endpoints } from '../../../spec/index.ts';
import type { Finding } from '../../check.ts';
import { readSelection, type QueryPairs, type Selection } from '../../history/facts/selection.ts';
import type { Policy } from '../../history/policy.ts';
import { isAnswered, ownerOf, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { createParameterCounts, parametersOf, type Parameter } from './parameter-counts.ts';

/** What a refused request is refused for: one parameter, or the request as such. */
export type Blame = Parameter | 'request';

/** A documented list request that was refused. */
export interface RefusedList {
  readonly n: number;
  readonly of: string;
  readonly agentId: string;
  readonly status: number;
  readonly query: QueryPairs;
  readonly selection: Selection;
  readonly excerpt: Excerpt;
}

/** A refused list request, and an accepted list of the same agent and caller if others came before and after. */
export interface BlamedList extends RefusedList {
  readonly by: Blame;
  readonly control: Excerpt | undefined;
}

/** Refused list requests, grouped by what they are refused for. */
export interface Refusals {
  readonly see: (exchange: Exchange) => void;
  all(): readonly BlamedList[];
  /** How many list requests name a parameter, or any. */
  count(by: Blame, value?: string): number;
}

/** Refusals that a permission, a busy server or a rate limit explains. */
export const EXCUSED: ReadonlySet<number> = new Set([401, 402, 403, 408, 409, 425, 429, 503]);
const MAX_REFUSALS = 500;

export function createRefusals(): Refusals {
  const refused: RefusedList[] = [];
  const counts = createParameterCounts();
  /** The first and the last accepted list of each agent and caller. */
  const accepted = new Map<string, { readonly first: number; readonly excerpt: Excerpt; last: number }>();

  function blameOf({ selection, of }: RefusedList): Blame {
    const last = accepted.get(of)?.last ?? -1;
    // No list of the agent is accepted any more, with any limit or filter.
    const isNoneAccepted = areOfMany(refused.filter((list) => list.of === of && list.n > last));
    if (counts.isBareRefused || isNoneAccepted) return 'request';
    const [first, second] = parametersOf(selection).toSorted(([, a], [, b]) => counts.compare(a, b));
    const withCursor = refused.filter((list) => list.selection.cursor !== undefined);
    if (selection.cursor !== undefined && areOfMany(withCursor)) return 'cursor';
    if (!first || (second && counts.compare(first[1], second[1]) === 0)) return 'request';
    return first[0];
  }

  return {
    see(exchange) {
      const { endpoint, method, query, n, excerpt, agentId = '', caller } = exchange;
      if (endpoints[endpoint].does !== 'lists' || method !== 'GET' || exchange.open || !isAnswered(exchange)) return;
      if (!['valid', 'read', 'guest', 'unknown'].includes(caller)) return;
      const selection = readSelection(query);
      if (!selection.isDocumented) return;
      const { status } = exchange.answer;
      const of = ownerOf(exchange);
      if (exchange.answer.accepted) {
        const known = accepted.get(of);
        if (known) known.last = n;
        else if (accepted.size < MAX_REFUSALS) accepted.set(of, { first: n, last: n, excerpt });
      } else if (EXCUSED.has(status)) return;
      else if (refused.length < MAX_REFUSALS) refused.push({ n, of, agentId, status, query, selection, excerpt });
      counts.note(selection, exchange.answer.accepted);
    },
    all: () =>
      refused.map((list) => {
        const known = accepted.get(list.of);
        const isBetween = known !== undefined && known.first < list.n && known.last > list.n;
        return { ...list, by: blameOf(list), control: isBetween ? known.excerpt : undefined };
      }),
    count: (by, value) => (by === 'request' ? counts.all : counts.requests(by, value)),
  };
}

/** Whether the requests have several limits and several filters. */
function areOfMany(lists: readonly RefusedList[]): boolean {
  const kinds = (of: (selection: Selection) => unknown): number =>
    new Set(lists.map(({ selection }) => of(selection))).size;
  return kinds(({ limit }) => limit) > 1 && kinds(({ sentFilter }) => sentFilter) > 1;
}

/** Whether nothing in the request itself may have caused its refusal, nor an accident. */
export const isPlain = ({ status, selection }: RefusedList): boolean =>
  selection.cursor === undefined && (status < 500 || status === 501);

const MAX_FINDINGS = 5;

/** Lists that were refused for a parameter, while lists without it were accepted before and after. */
export function refusalFindings(
  refusals: Refusals,
  { isWilful }: Pick<Policy, 'isWilful'>,
  isOurs: (list: BlamedList) => boolean,
): readonly Finding[] {
  const findings = refusals.all().flatMap((list): readonly Finding[] => {
    const { control, by, status, selection, excerpt } = list;
    if (!control || !isOurs(list)) return [];
    if (isWilful && (status >= 500 || selection.cursor !== undefined)) return [];
    const { limit, sentFilter } = selection;
    const expected = by === 'limit' ? `limit=${limit} is accepted` : `timeFilter=${sentFilter} is accepted`;
    return [{ expected, actual: `the answer was ${status}`, exchanges: [control, excerpt] }];
  });
  return findings.slice(0, MAX_FINDINGS);
}
