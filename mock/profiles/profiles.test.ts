import { gapIds, gaps } from '../../spec/index.ts';
import { profileNameOf, profileNames, resolveProfile, type ProfileChoice } from './index.ts';
import rows from '../testing/profiles.json';
import { like } from '../testing/test-client.ts';

test.each(profileNames)('%s answers every gap, and is recognised by its choices', (name) => {
  const profile = resolveProfile(name);
  expect(Object.keys(profile).toSorted()).toEqual(gapIds.toSorted());
  expect(profileNameOf({ ...profile })).toBe(name);
  for (const gap of gapIds) {
    const other = Object.keys(gaps[gap].choices).find((choice) => choice !== profile[gap]) ?? '';
    expect(profileNameOf({ ...profile, [gap]: other })).not.toBe(name);
  }
});

test('missing choices are those of the default', () => {
  expect(profileNameOf(resolveProfile({}))).toBe('default');
  const mixed = resolveProfile({ 'error-body': 'trpc', 'null-in-body': 'refused' }, { 'null-in-body': 'accepted' });
  expect(mixed).toEqual({ ...resolveProfile('default'), 'error-body': 'trpc', 'null-in-body': 'accepted' });
});

test.each(rows as [unknown, object, string][])('%j with %j is refused', (profile, choices, message) => {
  expect(() => resolveProfile(profile as ProfileChoice, choices)).toThrow(like(message));
});
