import { textOf, withFields, type Json } from '../../text/json.ts';
import { ofOrigin, onlyFor, onResource, otherAgentId, type Fault } from './fault.ts';
import type { Store } from '../store/store.ts';
import { notServed } from './creations/agent-faults.ts';
import { each } from './creations/content-faults.ts';

const showsGroups = (groups: (store: Store) => Json | undefined): Fault =>
  onlyFor(ofOrigin('import'))(
    onResource('get-published-agent', (publicAgent, _, store) => ({ ...publicAgent, groups: groups(store) ?? [] })),
  );

export const getPublishedAgentFaults = {
  'get-published-agent-shows-another-flow': showsGroups((store) => store.agent(store.agentId(0))?.agent['groups']),
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
