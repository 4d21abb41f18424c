import { textOf, withFields, type Json } from '../../text/json.ts';
import { madeAfter, ofOrigin, onlyFor, onResource, otherAgentId, type Fault } from './fault.ts';
import type { Call } from '../call.ts';
import type { Store } from '../store/store.ts';
import { notServed } from './creations/agent-faults.ts';
import { each } from './creations/content-faults.ts';

const showsGroups = (groups: (store: Store) => Json | undefined): Fault =>
  onlyFor(ofOrigin('import'))(
    onResource('get-published-agent', (publicAgent, _, store) => ({ ...publicAgent, groups: groups(store) ?? [] })),
  );

/** The groups of the last agent that was imported later with the same name. */
function groupsOfNamesake(store: Store, { agentId }: Call): Json | undefined {
  const name = store.agent(agentId)?.agent['name'];
  const later = madeAfter(store, agentId).map((id) => store.agent(id));
  return later.findLast((one) => one?.origin === 'import' && one.agent['name'] === name)?.agent['groups'];
}

export const getPublishedAgentFaults = {
  'get-published-agent-shows-another-flow': showsGroups((store) => store.agent(store.agentId(0))?.agent['groups']),
  'get-published-agent-shows-namesake': onlyFor(ofOrigin('import'))(
    onResource('get-published-agent', (publicAgent, call, store) => ({
      ...publicAgent,
      groups: groupsOfNamesake(store, call) ?? publicAgent['groups'] ?? [],
    })),
  ),
  'get-published-agent-shows-no-groups': showsGroups(() => []),
  'get-published-agent-shows-no-blocks': onResource(
    'get-published-agent',
    each('groups', (group) => ({ ...group, blocks: null })),
  ),
  'get-published-agent-renews-id': onResource('get-published-agent', (publicAgent, { now }) =>
    withFields(publicAgent, { id: `${textOf(publicAgent['id'])}${now}` }),
  ),
  'get-published-agent-not-there': notServed('get-published-agent', 405),
  'get-published-agent-answers-another': onResource('get-published-agent', (publicAgent, call, store) =>
    withFields(publicAgent, { agentId: otherAgentId(call, store) }),
  ),
};
