import type { TimeFilter } from '../../../spec/index.ts';
import type { Finding, Missing } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { List } from '../../history/facts/lists.ts';
import type { Excerpt } from '../../http/exchange.ts';
import { show } from '../../show.ts';
import { refused } from '../agents/refusals.ts';

export const AGENT_WITH_RESULTS = '--agent-id of an agent with results';

/** Why lists are not judged by their times: nobody can read one. */
export function unreadableIn(lists: readonly List[]): Missing | undefined {
  const row = lists.flatMap(({ rows }) => rows).find(({ at }) => !at);
  return row && { reason: `createdAt is ${show(row.createdAt)}, which is not a timestamp in a common format.` };
}

/** The exchanges of some pages of a list, each once. */
export function excerptsOf({ pages }: List, ...numbers: readonly number[]): readonly Excerpt[] {
  return [...new Set(numbers)].flatMap((number) => pages[number]?.excerpt ?? []);
}

/** What is wrong with lists that were refused for a limit, or a filter, while lists without it were accepted before and after. */
export const refusalFindings = ({ listRefusals, policy }: Facts, filter?: TimeFilter): readonly Finding[] =>
  listRefusals.all().flatMap((list): readonly Finding[] => {
    const { control, by, selection } = list;
    const { limit, sentFilter, cursor } = selection;
    const isOurs = filter === undefined ? by === 'limit' : by === 'filter' && sentFilter === filter;
    if (!isOurs || !control || (policy.isWilful && cursor !== undefined)) return [];
    return [refused(by === 'limit' ? `limit=${limit}` : `timeFilter=${sentFilter}`, list, [control])];
  });
