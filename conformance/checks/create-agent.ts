import { newAgentChecks } from './agents/new-agent-checks.ts';

/** Section 4.1. */
export const createAgentChecks = newAgentChecks('create-agent', {
  ids: ['create-agent-repeats-imported-id'],
  content: [],
  readings: ['agents-overwrite-each-other'],
});
