import { upgradeToV6 } from '../store/agent-forms.ts';
import { sentPlace } from './sent-place.ts';

const blocks = (...types: readonly string[]) => types.map((type) => ({ type, outgoingEdgeId: `edge of ${type}` }));
const edges = [{ id: 'edge of text' }, { id: 'edge of start' }];
/** Its start group comes after a group that the conversion drops, and its start edge after another. */
const agent = {
  name: 'A',
  groups: [
    { id: 'a', blocks: blocks('text') },
    { id: 'dropped', blocks: [] },
    { id: 'begins', blocks: blocks('image', 'start') },
    { id: 'b', blocks: blocks('text') },
  ],
  edges,
  variables: [{ id: 'v' }],
};

test.each([
  ['/workspaceId', '/workspaceId'],
  ['/agent', '/agent'],
  ['/agent/name', '/agent/name'],
  ['/agent/groups', '/agent/groups'],
  ['/agent/variables/0/id', '/agent/variables/0/id'],
  ['/agent/groups/0', '/agent/groups/0'],
  ['/agent/groups/0/id', '/agent/groups/0/id'],
  ['/agent/groups/1/id', '/agent/groups/2/id'],
  ['/agent/groups/2/blocks/0', '/agent/groups/3/blocks/0'],
  ['/agent/events/0/id', '/agent/groups/2/id'],
  ['/agent/events/0/outgoingEdgeId', '/agent/groups/2/blocks/1/outgoingEdgeId'],
  ['/agent/edges/0/to', '/agent/edges/1/to'],
  ['/agent/edges/1/to', '/agent/edges/0/to'],
])('%s of the version 6 form was sent as %s', (at, sent) => {
  expect(sentPlace({ agent }, { agent: upgradeToV6(agent) }, at)).toBe(sent);
});

test.each([
  ['nothing starts', { groups: [{ id: 'a', blocks: blocks('text') }], edges }, '/agent/groups/0/id'],
  ['it has events of its own', { ...agent, events: [{ id: 'e' }] }, '/agent/events/0/id'],
  ['it has no groups', { groups: 5, edges }, '/agent/edges/1/to'],
])('if %s, %j keeps its places', (_, given, at) => {
  expect(sentPlace({ agent: given }, { agent: upgradeToV6(given) }, at)).toBe(at);
});
