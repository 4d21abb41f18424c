import { createMock, type MockOptions } from '../index.ts';
import { unseenFaults } from './unseen-faults.ts';
import rows from '../testing/unseen-faults.json';

const faults = rows as [string, MockOptions, string?][];
test.each(faults)('of %s under %j it is said why it cannot show: %s', (fault, options, ...[why]) => {
  const notes = why === undefined ? [] : [`The fault ${fault} cannot show: ${why}.`];
  expect(unseenFaults(createMock({ ...options, faults: [fault] }))).toEqual(notes);
});
