import { textOf } from '../../text/json.ts';
import type { Fault } from './fault.ts';
import { inMode, idsBy, moved, ofOrigin, onAnswer, onCall, onlyFor, onResource, otherAgentId } from './fault.ts';
import type { Mode } from '../call.ts';
import type { Store } from '../store/store.ts';
import { contentOf, each, list } from './creations/content-faults.ts';
import { notServed } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';

const showsMode = (shown: Mode, ...others: readonly Mode[]): Fault => ({
  ...onAnswer('get-agent', (body) => ({ ...body, currentUserMode: shown })),
  about: inMode(...others),
});

/** The identifier of which this is only a beginning. */
const wholeId = (beginning: string, store: Store): string | undefined =>
  [store.agentId(0), store.agentId(1)].find(
    (id) => id !== beginning && beginning.length >= 8 && id.startsWith(beginning),
  );

export const getAgentFaults = {
  'get-agent-answer-misshapen': misshapen('get-agent', '/currentUserMode', 'outside-closed-set'),
  'get-agent-answers-another': onlyFor(ofOrigin('universe'))(
    onResource('get-agent', (agent, call, store) => store.agent(otherAgentId(call, store))?.agent ?? agent),
  ),
  'get-agent-not-there': notServed('get-agent', 404),
  'get-agent-finds-by-beginning': onlyFor(({ agentId }, store) => wholeId(agentId, store) !== undefined)(
    onCall('get-agent', (call, store) => ({ ...call, agentId: wholeId(call.agentId, store) ?? call.agentId })),
  ),
  'get-agent-spells-id-otherwise': onResource('get-agent', ({ id, ...agent }) => {
    const capitals = textOf(id).toUpperCase();
    return { ...agent, id: capitals === id ? `0${capitals}` : capitals };
  }),
  'created-agent-created-at-moves': onlyFor(ofOrigin('create'))(
    onResource('get-agent', (agent) => moved(agent, 'createdAt', 2)),
  ),
  'created-agent-shows-a-block-twice': onlyFor(ofOrigin('create'))(
    onResource(
      'get-agent',
      each('groups', (group) => list('blocks', ([first, ...rest]) => (first ? [first, first, ...rest] : []))(group)),
    ),
  ),
  'get-agent-loses-preferences': onResource('get-agent', ({ resultsTablePreferences: _table, ...agent }) => agent),
  'creation-changes-another-agent': onlyFor(
    (call, store) => ofOrigin('universe')(call, store) && idsBy('create-agent', store).length > 0,
  )(onResource('get-agent', (agent, _, store) => ({ ...agent, ...contentOf(store, idsBy('create-agent', store)[0]) }))),
  'get-agent-mode-always-guest': showsMode('guest', 'read'),
  'get-agent-mode-always-write': showsMode('write', 'read', 'guest'),
};
