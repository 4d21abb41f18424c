import { checksOf } from '../check.ts';
import { judgesShape } from './shape.ts';
import { acceptsValidRequest } from './list-results/accepted.ts';
import { agentsShareNone, belongToTheAgent } from './list-results/agents.ts';
import { walksAgree, windowsNest } from './list-results/filters/agreement.ts';
import { cursorKeepsFilter, cursorLeadsOn, onceEach, walkEnds } from './list-results/cursors.ts';
import { acceptsLimits, defaultLimit, neverOverHundred, respectsLimit } from './list-results/limits.ts';
import { creationDateKept, newestFirst } from './list-results/order.ts';
import { defaultTimeFilter, timeFilterChecks } from './list-results/filters/time-filters.ts';

export const listResultsChecks = checksOf('list-results', [
  acceptsValidRequest,
  judgesShape('list-results', ['list-results-answer', 'answers-are-json', 'result-shape', 'variable-shape']),
  newestFirst,
  creationDateKept,
  acceptsLimits,
  respectsLimit,
  neverOverHundred,
  defaultLimit,
  onceEach,
  cursorLeadsOn,
  cursorKeepsFilter,
  walksAgree,
  walkEnds,
  ...timeFilterChecks,
  windowsNest,
  defaultTimeFilter,
  belongToTheAgent,
  agentsShareNone,
]);
