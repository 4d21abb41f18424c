import { endpointIds, endpoints, type EndpointId } from '../../spec/index.ts';
import { namesBelow } from './documented.ts';

const fieldsHeld = (endpoint: EndpointId) => namesBelow(endpoint, `/${endpoints[endpoint].holds}`);

test.each<[EndpointId, readonly string[], readonly string[]]>([
  ['create-agent', ['id', 'name', 'groups', 'theme', 'sharing'], ['agent', 'enabled', 'font', 'title', 'x']],
  ['import-agent', ['id', 'version', 'settings'], ['agent', 'general']],
  ['get-agent', ['id', 'workspaceId', 'tags'], ['currentUserMode', 'agent', '*']],
  ['get-published-agent', ['id', 'agentId', 'domain'], ['publicAgent', 'tags', 'font']],
  ['create-workspace', ['id', 'plan', 'extras'], ['workspace', '*']],
])('the documented fields in the answer of %s include %j and not %j', (endpoint, names, others) => {
  const fields = fieldsHeld(endpoint);
  expect(fields).toEqual(expect.arrayContaining([...names]));
  expect(fields.filter((name) => others.includes(name))).toEqual([]);
});

test('a list contains none, and no field twice', () => {
  expect(fieldsHeld('list-results')).toEqual([]);
  for (const endpoint of endpointIds) expect(fieldsHeld(endpoint)).toEqual([...new Set(fieldsHeld(endpoint))]);
});
