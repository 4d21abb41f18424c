import type { TimeFilter } from '../../../../spec/index.ts';
import type { Judge, Missing } from '../../../check.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import { hasEnded, type List } from '../../../history/facts/lists.ts';
import { within } from '../../../results/windows.ts';
import { counted } from '../../../show.ts';
import { AGENT_WITH_RESULTS, refusalFindings, unreadableIn } from '../pages.ts';
import { compareSpans, namedBy } from './windows.ts';

/** Judges that a time filter shows the results of its span. */
export const judgeFilter =
  (filter: TimeFilter) =>
  (facts: Facts): Judge => ({
    conclude(verdict) {
      const lists = facts.lists.all.filter((list) => namedBy(list) === filter && list.pages.length > 0);
      verdict.judged = lists.length;
      verdict.missing = missingOf(filter, lists, facts);
      verdict.findings.push(...refusalFindings(facts, filter));
      for (const finding of facts.derive(compareSpans).findings.get(filter) ?? [])
        verdict.findings.push({ ...finding, requirement: 'time-filter-meaning' });
    },
  });

/** Why the lists of a filter cannot be judged as a whole. */
function missingOf(filter: TimeFilter, lists: readonly List[], facts: Facts): Missing | undefined {
  const { all } = facts.lists;
  const [list] = lists;
  if (!list) return undefined;
  const ofAgent = all.filter((one) => one.of === list.of && !one.open);
  const everything = ofAgent.flatMap(({ rows }) => rows);
  if (everything.length === 0) return { reason: 'The agent has no results.', supply: AGENT_WITH_RESULTS };
  const unreadable = unreadableIn(ofAgent);
  if (unreadable) return unreadable;
  const bounds = facts.windows.boundsOf(list);
  if (!bounds) return { reason: `The time at the target is unknown: ${facts.clock.distrust ?? 'no clock'}.` };
  if (filter === 'allTime') {
    if (all.some((one) => one.of === list.of && namedBy(one) !== 'allTime' && one.rows.length > 0)) return undefined;
    return { reason: 'No other time span shows a result that allTime must show too.', supply: AGENT_WITH_RESULTS };
  }
  if (!lists.some(hasEnded)) {
    const read = Math.max(...lists.map(({ rows }) => rows.length));
    const reason = `The window was not read to its end (results read: ${read}).`;
    return { reason, supply: '--agent-id of an agent with fewer results' };
  }
  if (everything.every(({ at }) => !at || within(at.ms, bounds.possible))) return allInSpan(filter, list, facts.clock);
  if (lists.some(({ rows }) => rows.length > 0)) return undefined;
  const gone = new Set(everything.flatMap(({ id, at }) => (at && within(at.ms, bounds.certain) ? id : [])));
  const were = `${counted(gone.size, 'result')} of this span came in lists of others, and none when it was read.`;
  if (gone.size > 0) return { reason: were, supply: '--agent-id of an agent whose results stay' };
  return { reason: 'No result lies in this span.', supply: `--agent-id of an agent with results in ${filter}` };
}

function allInSpan(filter: TimeFilter, { pages: [first] }: List, clock: Facts['clock']): Missing {
  const instants = first ? clock.instants(first.stamp) : [];
  const days = instants.map((ms) => new Date(ms).toISOString().slice(0, 10));
  if (instants.length > 1)
    return {
      reason: `The Date header says ${days.join(', our clock says ')}, so it is unclear which days this span covers.`,
      supply: 'a run without --read-only: what it creates shows the clock of the target',
    };
  return {
    reason: 'Every result lies in this span, so nothing shows whether the filter leaves others out.',
    supply: `--agent-id of an agent that also has results outside ${filter}`,
  };
}

/** Judges that a list without timeFilter is the same as with last7Days. */
export const judgeDefaultFilter = (facts: Facts): Judge => ({
  conclude(verdict) {
    const { findings } = facts.derive(compareSpans);
    const lists = facts.lists.all.filter((list) => namedBy(list) === 'default' && list.rows.length > 0);
    verdict.judged = lists.length;
    verdict.missing = indistinguishable(lists, facts);
    if ((findings.get('last7Days')?.length ?? 0) === 0) verdict.findings.push(...(findings.get('default') ?? []));
    else
      verdict.missing = { reason: 'timeFilter=last7Days itself shows the wrong results. Another check judges that.' };
  },
});

function indistinguishable(lists: readonly List[], { lists: { all } }: Facts): Missing | undefined {
  if (lists.length === 0) return { reason: 'No list without timeFilter showed a result.', supply: AGENT_WITH_RESULTS };
  const sizeOf = (named: string): number =>
    Math.max(0, ...all.filter((list) => namedBy(list) === named).map(({ rows }) => rows.length));
  const week = sizeOf('last7Days');
  if (week !== sizeOf('allTime') || week !== sizeOf('today')) return undefined;
  return {
    reason: 'Every result is from today, so nothing tells one time span from another.',
    supply: AGENT_WITH_RESULTS,
  };
}
