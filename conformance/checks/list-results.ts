import { checksOf } from './checks-of.ts';
import { judgeListsAccepted } from './list-results/accepted.ts';
import { judgeNewLists, judgeOwners } from './list-results/agents.ts';
import { judgeCursors, judgeEnds, judgeKeptFilters, judgeOnceEach } from './list-results/cursors.ts';
import { judgeAgreement, judgeNesting } from './list-results/filters/agreement.ts';
import { judgeDefaultFilter, judgeFilter } from './list-results/filters/time-filters.ts';
import { judgeAcceptedLimits, judgeDefaultLimit, judgeLargestPages, judgeLimits } from './list-results/limits.ts';
import { judgeOrder, judgeSteadiness } from './list-results/order.ts';
import { judgeShape } from './shape.ts';

export const listResultsChecks = checksOf('list-results', {
  'list-results-accepts-valid-request': judgeListsAccepted,
  'list-results-answer-shape': judgeShape,
  'list-results-newest-first': judgeOrder,
  'list-results-keep-creation-date': judgeSteadiness,
  'list-results-accepts-limit-bounds': judgeAcceptedLimits,
  'list-results-respects-limit': judgeLimits,
  'list-results-never-over-100': judgeLargestPages,
  'list-results-default-limit': judgeDefaultLimit,
  'list-results-walk-once-each': judgeOnceEach,
  'list-results-cursor-leads-on': judgeCursors,
  'list-results-cursor-keeps-filter': judgeKeptFilters,
  'list-results-walks-agree': judgeAgreement,
  'list-results-walk-ends': judgeEnds,
  'list-results-time-filter-today': judgeFilter('today'),
  'list-results-time-filter-last7Days': judgeFilter('last7Days'),
  'list-results-time-filter-last30Days': judgeFilter('last30Days'),
  'list-results-time-filter-monthToDate': judgeFilter('monthToDate'),
  'list-results-time-filter-lastMonth': judgeFilter('lastMonth'),
  'list-results-time-filter-yearToDate': judgeFilter('yearToDate'),
  'list-results-time-filter-allTime': judgeFilter('allTime'),
  'list-results-windows-nest': judgeNesting,
  'list-results-default-time-filter': judgeDefaultFilter,
  'list-results-belong-to-the-agent': judgeOwners,
  'list-results-agents-share-none': judgeNewLists,
});
