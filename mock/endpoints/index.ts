import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { isAccepted } from '../call.ts';
import { withHints } from '../teaching/hints.ts';
import { endpointMeanings } from '../generated/endpoints.ts';
import type { EndpointLogic } from './endpoint.ts';

/** What each endpoint does; a refusal also says how to correct the request. */
export const endpointLogic = Object.fromEntries(
  endpointIds.map((id): [EndpointId, EndpointLogic] => [
    id,
    (call, store) => {
      const reply = endpointMeanings[id](call, store);
      if (isAccepted(reply)) return reply;
      return withHints(reply, call, store);
    },
  ]),
) as Readonly<Record<EndpointId, EndpointLogic>>;
