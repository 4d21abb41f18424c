import { changedAt, withoutPlace } from '../../spec/json-pointer.ts';
import { testMock } from '../testing/test-client.ts';
import { readState } from './state.ts';

/** A state that contains something of every kind. */
function fullState(): object {
  const { mock, call } = testMock({ persona: 'tiny' });
  const { workspaceId, agentId } = mock.target;
  const agent = { name: 'A', version: '6', isPublished: true };
  call('/api/v1/agents/import', { body: { workspaceId, agent } });
  call('/api/v1/workspaces', { body: { name: 'W' } });
  mock.addResults(agentId, 2);
  for (const [i, mode] of (['guest', 'read', 'write'] as const).entries())
    mock.store.setMode(`token-${i}`, agentId, mode);
  mock.takeSnapshot('one');
  return JSON.parse(JSON.stringify(mock.exportState())) as object;
}

const state = fullState();
const own = '/sessions/';

test('reads an exported state', () => {
  expect(readState(structuredClone(state))).toEqual(state);
});

test.each<[string, unknown, string]>([
  ['/version', 2, 'its version is 2, and this program reads version 3'],
  ['/seed', -1, 'seed is -1; it must be a whole number from 0'],
  ['/seed', 0.5, 'seed is 0.5; it must be a whole number from 0'],
  ['/seed', '1', 'seed is "1"; it must be a whole number from 0'],
  ['/anchor', null, '"anchor" is not an instant'],
  ['/persona', 'nobody', 'There is no persona "nobody". There are'],
  ['/sessions', [], '"sessions" is not an object'],
  [own, 1, 'sessions/"" is not an object'],
  [`${own}/data`, [], 'sessions/""/data is not an object'],
  [`${own}/data/results`, [], 'sessions/""/data/results is not an object'],
  ...Object.entries({
    agents: [1, { agent: {} }, { origin: 'create' }, { agent: {}, origin: 'moon' }],
    published: [1],
    workspaces: [[]],
    results: [{}, [1]],
    removedResults: ['a', [1]],
  }).flatMap(([part, items]) =>
    items.map((item): [string, unknown, string] => [
      `${own}/data/${part}`,
      { a: item },
      `sessions/""/data/${part}/a does not belong there`,
    ]),
  ),
  ...[1, 'a', {}, ['a', 1]].map((learned): [string, unknown, string] => [
    `${own}/data/learned`,
    learned,
    'sessions/""/data/learned is not a list of identifiers',
  ]),
  [`${own}/data/modes`, [], 'sessions/""/data/modes is not an object'],
  [`${own}/data/modes`, { x: 'admin' }, 'sessions/""/data/modes/x does not belong there'],
  [`${own}/data/counters`, null, 'sessions/""/data/counters is not an object'],
  [`${own}/data/counters`, { x: -1 }, 'sessions/""/data/counters/x does not belong there'],
  [`${own}/data/counters`, { x: 0.5 }, 'sessions/""/data/counters/x does not belong there'],
  [`${own}/data/counters`, { x: '1' }, 'sessions/""/data/counters/x does not belong there'],
  [`${own}/data/counters`, { ['x'.repeat(61)]: -1 }, `counters/${'x'.repeat(60)} does not belong there`],
  [`${own}/clock`, 1, 'sessions/""/clock has neither a "frozenAt" nor an "offset"'],
  [`${own}/clock`, { offset: '1' }, 'sessions/""/clock has neither a "frozenAt" nor an "offset"'],
  [`${own}/clock`, { frozenAt: null, offset: null }, 'sessions/""/clock has neither a "frozenAt" nor an "offset"'],
  [`${own}/profile`, 'default', 'sessions/""/profile is not an object'],
  [`${own}/settings`, null, 'sessions/""/settings is not an object'],
  [`${own}/snapshots`, [], 'sessions/""/snapshots is not an object'],
  [`${own}/faults`, {}, 'sessions/""/faults is not a list'],
  [`${own}/snapshots/one`, 1, 'sessions/""/snapshots/one is not an object'],
  [`${own}/snapshots/one/data`, 1, 'sessions/""/snapshots/one/data is not an object'],
  [`${own}/snapshots/one/clock`, {}, 'sessions/""/snapshots/one/clock has neither'],
  ['/anchor', 1e300, '"anchor" is not an instant of the years 1 to 9999'],
  ['/anchor', '2026', '"anchor" is not an instant of the years 1 to 9999'],
  [`${own}/clock`, { offset: 1e300 }, 'clock has neither a "frozenAt" nor an "offset"'],
  [`${own}/clock`, { frozenAt: -1e300 }, 'clock has neither a "frozenAt" nor an "offset"'],
  [`${own}/faults`, [1], 'faults is not a list of identifiers'],
  [`${own}/settings`, { fixedDelay: 'x' }, 'settings/fixedDelay is no setting'],
])('refuses %s with the value %j', (pointer, value, message) => {
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
