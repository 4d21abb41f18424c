import type { Check } from '../../check.ts';
import { judgesShape } from '../shape.ts';
import { acceptsValidRequest } from './accepted.ts';
import { agentsShareNone, belongToTheAgent } from './agents.ts';
import { walksAgree, windowsNest } from './filters/agreement.ts';
import { cursorKeepsFilter, cursorLeadsOn, onceEach, walkEnds } from './cursors.ts';
import { acceptsLimits, defaultLimit, neverOverHundred, respectsLimit } from './limits.ts';
import { creationDateKept, newestFirst } from './order.ts';
import { defaultTimeFilter, timeFilterChecks } from './filters/time-filters.ts';

const shape = judgesShape('list-results', [
  'list-results-answer',
  'answers-are-json',
  'result-shape',
  'variable-shape',
]);

/** Section 4.5. */
export const listResultsChecks: readonly Check[] = [
  acceptsValidRequest,
  { ...shape, provenBy: [...shape.provenBy, 'last-page-without-next-cursor'] },
  newestFirst,
  creationDateKept,
  acceptsLimits,
  respectsLimit,
  neverOverHundred,
  defaultLimit,
  onceEach,
  cursorLeadsOn,
  walksAgree,
  cursorKeepsFilter,
  walkEnds,
  ...timeFilterChecks,
  windowsNest,
  defaultTimeFilter,
  belongToTheAgent,
  agentsShareNone,
];
