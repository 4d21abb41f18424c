import { newAgentChecks } from './agents/new-agent-checks.ts';

/** Section 4.1. */
export const createAgentChecks = newAgentChecks('create-agent');
