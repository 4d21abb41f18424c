import { findSecrets } from './canary.ts';

test.each([
  ['a-token-1-of-16c', true],
  ['a-token-1-of-15', false],
  ['letters-alone-are-words', false],
])('looks for %s in an output: %s', (value, isLookedFor) => {
  expect(findSecrets(`{"said":"it was ${value}"}`, [{ value }])).toEqual(isLookedFor ? [{ value }] : []);
});
