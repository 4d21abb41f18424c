import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { isAccepted } from '../call.ts';
import { withHints } from '../teaching/hints.ts';
import { createAgent } from './create-agent.ts';
import { createWorkspace } from './create-workspace.ts';
import type { EndpointLogic } from './endpoint.ts';
import { getAgent } from './get-agent.ts';
import { getPublishedAgent } from './get-published-agent.ts';
import { importAgent } from './import-agent.ts';
import { listResults } from './list-results.ts';

const logic: Readonly<Record<EndpointId, EndpointLogic>> = {
  'create-agent': createAgent,
  'import-agent': importAgent,
  'get-agent': getAgent,
  'get-published-agent': getPublishedAgent,
  'list-results': listResults,
  'create-workspace': createWorkspace,
};

/** What each endpoint does; a refusal says how the request is put right. */
export const endpointLogic = Object.fromEntries(
  endpointIds.map((id): [EndpointId, EndpointLogic] => [
    id,
    (call, store) => {
      const reply = logic[id](call, store);
      return isAccepted(reply) ? reply : withHints(reply, call, store);
    },
  ]),
) as Readonly<Record<EndpointId, EndpointLogic>>;
