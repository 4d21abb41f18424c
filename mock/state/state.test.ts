import { changedAt, withoutPlace } from '../../spec/json-pointer.ts';
import { testMock } from '../testing/test-client.ts';
import wrongStates from '../testing/wrong-states.json';
import { readState } from './state.ts';

/** A state that contains something of every kind. */
function fullState(): object {
  const { mock, call } = testMock({ persona: 'tiny' });
  const { workspaceId, agentId } = mock.target;
  const agent = { name: 'A', version: '6', isPublished: true };
  call('/api/v1/agents/import', { body: { workspaceId, agent } });
  call('/api/v1/workspaces', { body: { name: 'W' } });
  mock.edits.addResults(agentId, 2);
  for (const [i, mode] of (['guest', 'read', 'write'] as const).entries())
    mock.store.setMode(`token-${i}`, agentId, mode);
  mock.snapshots.take('one');
  return JSON.parse(JSON.stringify(mock.exportState())) as object;
}

const state = fullState();

test('reads an exported state', () => {
  expect(readState(structuredClone(state))).toEqual(state);
});

test.each(wrongStates as [string, unknown, string][])('refuses %s with the value %j', (pointer, value, message) => {
  expect(() => readState(changedAt(state, pointer, () => value))).toThrow(message);
});

test.each(['kind', 'version', 'seed', 'anchor', 'persona', 'sessions'])('refuses a state without %s', (name) => {
  expect(() => readState(withoutPlace(state, `/${name}`))).toThrow('This is not a state file of agent-contract: ');
});

test.each<[string, string, object, boolean]>([
  ['GET', 'agents/x', {}, false],
  ['HEAD', 'agents/x', {}, false],
  ['POST', 'workspaces', { body: { name: 'W' } }, true],
  ['POST', 'workspaces', { authorization: null }, true],
  ['DELETE', 'agents/x', {}, true],
])('%s /api/v1/%s %j notifies the keeper of the state of a possible change: %j', (method, place, request, isTold) => {
  const { mock, call } = testMock();
  let told = 0;
  const stop = mock.onChange(() => told++);
  call(`/api/v1/${place}`, { method, ...request });
  expect(told).toBe(isTold ? 1 : 0);
  stop();
  call(`/api/v1/${place}`, { method, ...request });
  expect(told).toBe(isTold ? 1 : 0);
});
