import { endpointIds, violationIds, type EndpointId, type ViolationId } from '../../spec/index.ts';
import { authenticationFaults } from './authentication.ts';
import { createAgentFaults } from './create-agent.ts';
import { createWorkspaceFaults } from './create-workspace.ts';
import type { Fault } from './fault.ts';
import { getAgentFaults } from './get-agent.ts';
import { getPublishedAgentFaults } from './get-published-agent.ts';
import { importAgentFaults } from './import-agent.ts';
import { listResultsFaults } from './list-results.ts';
import { shapeMutants } from './shape.ts';

/** The fault of every violation; a violation without one does not compile. */
export const faults: Readonly<Record<ViolationId, Fault>> = {
  ...authenticationFaults,
  ...createAgentFaults,
  ...importAgentFaults,
  ...getAgentFaults,
  ...getPublishedAgentFaults,
  ...listResultsFaults,
  ...createWorkspaceFaults,
};

const isViolation = (id: string): id is ViolationId => violationIds.some((known) => known === id);
const isEndpoint = (id: string): id is EndpointId => endpointIds.some((known) => known === id);

/**
 * The fault of a violation (`results-ascending`), or of one broken shape
 * (`get-agent-answer-misshapen:/agent/name=wrong-type`); `undefined` where there is none of that id.
 */
export function faultNamed(id: string): Fault | undefined {
  if (isViolation(id)) return faults[id];
  const [, endpoint = ''] = /^(.+)-answer-misshapen:/.exec(id) ?? [];
  return isEndpoint(endpoint) ? shapeMutants(endpoint).find((mutant) => mutant.id === id)?.fault : undefined;
}
