import type { Path } from './places.ts';
import { isSameValue, tagOf } from './values.ts';
import judged from '../testing/judged.json';

test.each(judged.values as unknown as [Path, unknown, unknown, boolean][])(
  'at %j the server may write %j as %j: %s',
  (place, sent, shown, expected) => {
    expect(isSameValue(place, sent, shown, 'Agent')).toBe(expected);
  },
);

test.each(judged.tags as unknown as [string, string][])('the tag %s equals the tag %s', (one, other) => {
  expect(tagOf(one)).toBe(tagOf(other));
  expect(tagOf(one)).not.toBe(tagOf(`${other}x`));
});
