import { newAgentChecks } from './agents/new-agent-checks.ts';

/** Section 4.2. The specification does not show what happens to a body in the version 5 form, so that is only observed. */
export const importAgentChecks = newAgentChecks('import-agent');
