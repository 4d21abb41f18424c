import { createObservations, observedProfile } from './observe.ts';

test('a choice is recognised where all sightings agree, and one that comes late and differs undoes it', () => {
  const { observe, observations } = createObservations();
  for (let n = 0; n < 9; n++) {
    observe('identifier-format', 'uuid', `such as ${n}`);
    observe('timestamp-format', 'words', `such as ${n}`);
  }
  observe('timestamp-format', 'sql', 'such as 9');
  observe('timestamp-format', 'rfc2822', 'such as 9');
  expect(observations()).toMatchObject([
    { gap: 'timestamp-format', seen: 'such as 0; such as 1; such as 2; such as 3; such as 9' },
    { gap: 'identifier-format', choice: 'uuid', seen: 'such as 0; such as 1; such as 2; such as 3' },
  ]);
  expect(observations()[0]).not.toHaveProperty('choice');
});

test('the observed profile holds the choices that were recognised, in the order of the gaps', () => {
  const { observe, observations } = createObservations();
  observe('nesting-limit', 'levels-100', 'x');
  observe('last-page', undefined, 'x');
  observe('success-status', 'ok', '200');
  const profile = observedProfile(observations().toReversed());
  expect(Object.entries(profile)).toEqual([
    ['success-status', 'ok'],
    ['nesting-limit', 'levels-100'],
  ]);
});
