import { parseUrl } from './parse-url.ts';

test('a URL is read with its base, and what is none is not', () => {
  expect(parseUrl('http://b\u00fccher.example/a b')?.href).toBe('http://xn--bcher-kva.example/a%20b');
  expect(parseUrl('../c', 'http://one.test/a/b')?.href).toBe('http://one.test/c');
  expect(parseUrl('nowhere')).toBeUndefined();
});

test('a host beyond ASCII is read however often it is asked for', () => {
  const read = Array.from({ length: 20_000 }, () => parseUrl('http://b\u00fccher.example/')?.hostname);
  expect(new Set(read)).toEqual(new Set(['xn--bcher-kva.example']));
});
