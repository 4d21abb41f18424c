import { endpointIds } from '../../spec/index.ts';
import { checks } from '../checks/index.ts';
import { supplyOf } from './supply.ts';

test('names the traffic to supply for every check that can judge traffic, and for no other', () => {
  const without = checks.filter((check) => supplyOf(check) === undefined).map(({ id }) => id);
  expect(without).toHaveLength(2 * endpointIds.length + 1);
  for (const id of without) expect(id).toMatch(/-refuses-(?:unknown|similar)-token$|^get-agent-mode-matches-token$/);
  const find = (id: string): string | undefined => {
    const check = checks.find((one) => one.id === id);
    return check && supplyOf(check);
  };
  expect(find('create-agent-answer-shape')).toBe('traffic with Create agent');
  expect(find('list-results-windows-nest')).toBe('traffic with the results of one agent under several timeFilters');
  expect(new Set(checks.map(supplyOf)).size).toBeGreaterThan(25);
});
