import fc from 'fast-check';
import { readQuery } from './route.ts';

const usual = ['', ...'a a= =b = & a=1&b=2 a=1&&b=2& a=b=c limit=5&cursor=MTIz-_ a=%20b+c&%41=é'.split(' ')];

test('reads any query as URLSearchParams does', () => {
  const part = fc.constantFrom('a', 'limit', '50', '=', '&', '+', '%', '%20', '?', '#', '-_.~:@', 'é', '\uD800');
  const reads = fc.property(fc.array(part), (parts) => {
    expect(readQuery(parts.join(''))).toEqual([...new URLSearchParams(parts.join(''))]);
  });
  fc.assert(reads, { examples: usual.map((text) => [text.split('')]) });
});
