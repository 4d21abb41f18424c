import { endpoints } from '../../../spec/index.ts';
import type { Finding, Verdict } from '../../check.ts';
import { isAnswered, ownerOf, type Exchange, type Kept } from '../../http/exchange.ts';
import { createParameterCounts, parametersOf, type Parameter } from './parameter-counts.ts';
import { readSelection, type QueryPairs, type Selection } from '../../history/facts/selection.ts';

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
  readonly kept: Kept;
}

/** Refused list requests, grouped by what they are refused for. */
export interface Refusals {
  readonly see: (exchange: Exchange) => void;
  all(): readonly (RefusedList & { readonly by: Blame; readonly control: Kept | undefined })[];
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
  const accepted = new Map<string, { readonly first: number; readonly kept: Kept; last: number }>();

  const blameOf = (refusal: RefusedList): Blame => {
    const { selection, of } = refusal;
    const last = accepted.get(of)?.last ?? -1;
    // No list of the agent is accepted any more, with any limit or filter.
    if (counts.isBareRefused || areOfMany(refused.filter((one) => one.of === of && one.n > last))) return 'request';
    const [first, second] = parametersOf(selection).toSorted(([, one], [, other]) => counts.compare(one, other));
    const withCursor = refused.filter((one) => one.selection.cursor !== undefined);
    if (selection.cursor !== undefined && areOfMany(withCursor)) return 'cursor';
    if (!first || (second && counts.compare(first[1], second[1]) === 0)) return 'request';
    return first[0];
  };

  return {
    see(exchange) {
      const { endpoint, method, query, n, kept, agentId = '', caller } = exchange;
      if (endpoints[endpoint].does !== 'lists' || method !== 'GET' || exchange.open || !isAnswered(exchange)) return;
      if (!['valid', 'read', 'guest', 'unknown'].includes(caller)) return;
      const selection = readSelection(query);
      if (!selection.isDocumented) return;
      const { status } = exchange.answer;
      const of = ownerOf(exchange);
      if (exchange.answer.accepted) {
        const known = accepted.get(of);
        if (known) known.last = n;
        else if (accepted.size < MAX_REFUSALS) accepted.set(of, { first: n, last: n, kept });
      } else if (EXCUSED.has(status)) return;
      else if (refused.length < MAX_REFUSALS) refused.push({ n, of, agentId, status, query, selection, kept });
      counts.note(selection, exchange.answer.accepted);
    },
    all: () =>
      refused.map((one) => {
        const known = accepted.get(one.of);
        const isBetween = known !== undefined && known.first < one.n && known.last > one.n;
        return { ...one, by: blameOf(one), control: isBetween ? known.kept : undefined };
      }),
    count: (by, value) => (by === 'request' ? counts.all : counts.requests(by, value)),
  };
}

/** Whether the requests have several limits and several filters. */
function areOfMany(lists: readonly RefusedList[]): boolean {
  const kinds = (of: (one: Selection) => unknown): number => new Set(lists.map((one) => of(one.selection))).size;
  return kinds(({ limit }) => limit) > 1 && kinds(({ sentFilter }) => sentFilter) > 1;
}

/** The verdict on lists that were refused for a parameter, if lists without it were accepted before and after. */
export function refusalFindings(
  refusals: Refusals,
  isOurs: (one: ReturnType<Refusals['all']>[number]) => boolean,
  judged: number,
  { isForeign = false }: { readonly isForeign?: boolean | undefined } = {},
): Verdict {
  const findings = refusals.all().flatMap((one): readonly Finding[] => {
    if (!one.control || !isOurs(one)) return [];
    if (isForeign && (one.status >= 500 || one.selection.cursor !== undefined)) return [];
    const { limit, sentFilter } = one.selection;
    const what = one.by === 'limit' ? `limit=${limit}` : `timeFilter=${sentFilter}`;
    return [
      {
        expected: `${what} is accepted`,
        actual: `the answer was ${one.status}`,
        exchanges: [one.control, one.kept],
      },
    ];
  });
  return { findings: findings.slice(0, 5), judged };
}
