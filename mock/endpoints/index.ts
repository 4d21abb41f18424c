import type { EndpointId } from '../../spec/index.ts';
import { createAgent } from './create-agent.ts';
import { createWorkspace } from './create-workspace.ts';
import type { Endpoint } from './endpoint.ts';
import { getAgent } from './get-agent.ts';
import { getPublishedAgent } from './get-published-agent.ts';
import { importAgent } from './import-agent.ts';
import { listResults } from './list-results.ts';

export const endpointLogic: Readonly<Record<EndpointId, Endpoint>> = {
  'create-agent': createAgent,
  'import-agent': importAgent,
  'get-agent': getAgent,
  'get-published-agent': getPublishedAgent,
  'list-results': listResults,
  'create-workspace': createWorkspace,
};
