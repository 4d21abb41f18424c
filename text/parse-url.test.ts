import { parseUrl } from './parse-url.ts';

test('reads a URL with its base, and a host beyond ASCII every time, and refuses an invalid one', () => {
  expect(parseUrl('http://b\u00fccher.example/a b')?.href).toBe('http://xn--bcher-kva.example/a%20b');
  expect(parseUrl('../c', 'http://one.test/a/b')?.href).toBe('http://one.test/c');
  expect(parseUrl('nowhere')).toBeUndefined();
  const read = Array.from({ length: 20_000 }, () => parseUrl('http://b\u00fccher.example/')?.hostname);
  expect(new Set(read)).toEqual(new Set(['xn--bcher-kva.example']));
});
