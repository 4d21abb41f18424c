import { lostByBoth, newAgentChecks } from './agents/new-agent-checks.ts';

/** Section 4.1. */
export const createAgentChecks = newAgentChecks('create-agent', {
  refusal: 'create-agent-refuses-the-word-null',
  ids: ['create-agent-repeats-imported-id'],
  content: [
    'create-agent-strips-quotes',
    'create-agent-decodes-percent',
    'create-agent-fills-in-braces',
    'create-agent-strips-marks',
    'create-agent-takes-the-word-null-for-nothing',
    'create-agent-drops-signs',
    'create-agent-cuts-groups',
    'create-agent-merges-equal-titles',
    'create-agent-cuts-levels',
    'create-agent-sorts-columns',
    ...lostByBoth,
  ],
  readings: ['agents-overwrite-each-other', 'created-agent-created-at-moves'],
  alsoLost: [],
});
