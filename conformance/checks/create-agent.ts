import { newAgentChecks } from './agents/new-agent-checks.ts';

export const createAgentChecks = newAgentChecks('create-agent');
