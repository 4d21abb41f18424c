import type { Check } from '../check.ts';
import { authenticationChecks } from './authentication.ts';
import { createAgentChecks } from './create-agent.ts';
import { createWorkspaceChecks } from './create-workspace.ts';
import { getAgentChecks } from './get-agent.ts';
import { getPublishedAgentChecks } from './get-published-agent.ts';
import { importAgentChecks } from './import-agent.ts';
import { listResultsChecks } from './list-results/index.ts';

/** Every check, in the order in which it is reported. */
export const checks: readonly Check[] = [
  ...createAgentChecks,
  ...importAgentChecks,
  ...getAgentChecks,
  ...getPublishedAgentChecks,
  ...listResultsChecks,
  ...createWorkspaceChecks,
  ...authenticationChecks,
];
