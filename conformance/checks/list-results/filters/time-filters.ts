import { timeFilters, type TimeFilter } from '../../../../spec/index.ts';
import { defaults, filterWalks, readings, sizes } from '../../../probes/lists.ts';
import type { Check, Missing } from '../../../check.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import type { List } from '../../../history/facts/lists.ts';
import { hasEnded } from '../../../history/facts/lists.ts';
import { boundsOf, within } from '../../../results/windows.ts';
import { show } from '../../../show.ts';
import { createRefusals, refusalFindings } from '../refusals.ts';
import { AGENT_WITH_RESULTS } from '../verdict-builder.ts';
import { namedBy, spansOf } from './windows.ts';

const probes = [...readings, filterWalks, sizes, defaults];

export const timeFilterChecks: readonly Check[] = timeFilters.map((filter) => ({
  id: `list-results-time-filter-${filter}`,
  title:
    filter === 'allTime'
      ? 'timeFilter=allTime shows results of any time'
      : `timeFilter=${filter} shows the results of that time span`,
  endpoint: 'list-results',
  verifies: ['time-filter-values', 'time-filter-meaning'],
  provenBy:
    filter === 'allTime'
      ? ['time-filter-allTime-refused', 'time-filter-allTime-cut', 'time-filter-allTime-loses']
      : [`time-filter-${filter}-refused`, `time-filter-${filter}-ignored`, `time-filter-${filter}-loses`],
  ...(filter === 'allTime' ? {} : { alsoFailsOn: ['cursor-drops-time-filter', 'third-page-drops-filter'] as const }),
  probes,
  judge(facts) {
    const refusals = createRefusals();
    return {
      see: refusals.see,
      verdict() {
        const { findings } = refusalFindings(
          refusals,
          ({ by, selection }) => by === 'filter' && selection.sentFilter === filter,
          0,
          facts,
        );
        const all = [
          ...findings,
          ...(spansOf(facts).findings.get(filter) ?? []).map((one) => ({
            ...one,
            requirement: 'time-filter-meaning' as const,
          })),
        ];
        const lists = facts.lists.all.filter((list) => namedBy(list) === filter && list.pages.length > 0);
        return { findings: all, judged: lists.length, missing: missingOf(filter, lists, facts) };
      },
    };
  },
}));

/** Why the lists of a filter cannot be judged as a whole. */
function missingOf(filter: TimeFilter, lists: readonly List[], { lists: { all }, clock }: Facts): Missing | undefined {
  const [list] = lists;
  if (!list) return undefined;
  const everything = all.filter((one) => one.of === list.of && !one.open).flatMap(({ rows }) => rows);
  if (everything.length === 0) return { reason: 'The agent has no results.', supply: AGENT_WITH_RESULTS };
  const unreadable = everything.find(({ at }) => !at);
  if (unreadable)
    return { reason: `createdAt is ${show(unreadable.createdAt)}, which is not a timestamp in a common format.` };
  const bounds = boundsOf(list, clock);
  if (!bounds) return { reason: `The time at the target is unknown: ${clock.distrust ?? 'no clock'}.` };
  if (filter === 'allTime')
    return all.some((one) => one.of === list.of && namedBy(one) !== 'allTime' && one.rows.length > 0)
      ? undefined
      : { reason: 'No other time span shows a result that allTime must show too.', supply: AGENT_WITH_RESULTS };
  return missingOfSpan(filter, lists, { everything, clock, bounds });
}

function missingOfSpan(
  filter: TimeFilter,
  lists: readonly List[],
  {
    everything,
    clock,
    bounds,
  }: {
    readonly everything: readonly List['rows'][number][];
    readonly clock: Facts['clock'];
    readonly bounds: NonNullable<ReturnType<typeof boundsOf>>;
  },
): Missing | undefined {
  if (!lists.some(hasEnded))
    return { reason: 'The window was not read to its end.', supply: '--agent-id of an agent with fewer results' };
  if (!everything.some(({ at }) => at && !within(at.ms, bounds.possible))) {
    const stamp = lists[0]?.pages[0]?.stamp;
    const instants = stamp ? clock.instants(stamp) : [];
    if (instants.length > 1)
      return {
        reason: `The Date header says ${instants.map(dayOf).join(', our clock says ')}, so it is unclear which days this span covers.`,
        supply: 'a run without --read-only: what it creates shows the clock of the target',
      };
    return {
      reason: 'Every result lies in this span, so nothing shows whether the filter leaves others out.',
      supply: `--agent-id of an agent that also has results outside ${filter}`,
    };
  }
  if (lists.every(({ rows }) => rows.length === 0))
    return { reason: 'No result lies in this span.', supply: `--agent-id of an agent with results in ${filter}` };
  return undefined;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const defaultTimeFilter: Check = {
  id: 'list-results-default-time-filter',
  title: 'Without timeFilter the list is the same as with last7Days',
  endpoint: 'list-results',
  verifies: ['time-filter-default'],
  provenBy: ['default-time-filter-all-time', 'default-time-filter-today'],
  alsoFailsOn: ['cursor-alone-drops-filter'],
  probes: [...readings, defaults],
  judge: (facts) => ({
    verdict() {
      const { findings } = spansOf(facts);
      const isLastWeekBlamed = (findings.get('last7Days')?.length ?? 0) > 0;
      const lists = facts.lists.all.filter((list) => namedBy(list) === 'default' && list.rows.length > 0);
      return {
        findings: isLastWeekBlamed ? [] : (findings.get('default') ?? []),
        judged: lists.length,
        missing: isLastWeekBlamed
          ? { reason: 'timeFilter=last7Days itself shows the wrong results. Another check judges that.' }
          : indistinguishable(lists, facts),
      };
    },
  }),
};

/** Whether the time windows of this target can be told apart at all. */
function indistinguishable(lists: readonly List[], { lists: { all } }: Facts): Missing | undefined {
  if (lists.length === 0) return { reason: 'No list without timeFilter showed a result.', supply: AGENT_WITH_RESULTS };
  const sizeOf = (named: string): number =>
    Math.max(0, ...all.filter((list) => namedBy(list) === named).map(({ rows }) => rows.length));
  const week = sizeOf('last7Days');
  return week === sizeOf('allTime') && week === sizeOf('today')
    ? { reason: 'Every result is from today, so nothing tells one time span from another.', supply: AGENT_WITH_RESULTS }
    : undefined;
}
