import fc from 'fast-check';
import { readQuery } from './route.ts';

test.each(['', 'a', 'a=', '=b', '=', '&', 'a=1&b=2', 'a=1&&b=2&', 'a=b=c', 'limit=50&cursor=MTIz-_', 'a=%20b+c&%41=é'])(
  'reads %j as URLSearchParams does',
  (search) => {
    expect(readQuery(search)).toEqual([...new URLSearchParams(search)]);
  },
);

test('reads any other query as URLSearchParams does', () => {
  const part = fc.constantFrom('a', 'limit', '50', '=', '&', '+', '%', '%20', '?', '#', '-_.~:@', 'é', '\uD800');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(readQuery(parts.join(''))).toEqual([...new URLSearchParams(parts.join(''))]);
    }),
  );
});
