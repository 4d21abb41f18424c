import type { EndpointId } from '../../../spec/index.ts';
import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';
import { isValidCreation } from './acceptance.ts';

const agent = { name: 'A' };
const body = { workspaceId: 'w', agent };
const parts = { name: 'A', events: [], groups: [], edges: [], variables: [], theme: {}, settings: {} };
const imported = { workspaceId: 'w', agent: { ...parts, version: '6' } };

test.each<[string, EndpointId, unknown, SampleExchange, boolean]>([
  ['as documented', 'create-agent', body, {}, true],
  ['of an onlooker', 'create-agent', body, { caller: 'unknown' }, true],
  ['of a caller with a weaker token', 'create-agent', body, { caller: 'read' }, false],
  ['without credentials', 'create-agent', body, { caller: 'none' }, false],
  ['with wrong credentials', 'create-agent', body, { caller: 'wrong' }, false],
  ['of something that is open', 'create-agent', body, { open: true }, false],
  ['without a body', 'create-agent', undefined, {}, false],
  ['of a list', 'create-agent', [body], {}, false],
  ['without a workspace', 'create-agent', { agent }, {}, false],
  ['without an agent', 'create-agent', { workspaceId: 'w' }, {}, false],
  ['with a mistyped field', 'create-agent', { ...body, agent: { name: 7 } }, {}, false],
  ['of version 6', 'import-agent', imported, {}, true],
  ['of version 5', 'import-agent', { ...imported, agent: { ...parts, version: '5' } }, {}, false],
  ['without a version', 'import-agent', { ...imported, agent: parts }, {}, false],
  ['with a name', 'create-workspace', { name: 'W' }, {}, true],
  ['without a name', 'create-workspace', { icon: 'i' }, {}, false],
  ['that has no body', 'get-agent', {}, {}, false],
])('a request %s at %s with %j', (_, endpoint, sent, change, expected) => {
  expect(isValidCreation(sampleExchange({ endpoint, sent, ...change }))).toBe(expected);
});
