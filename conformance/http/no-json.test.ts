import { whereNoJson, whereNoUtf8 } from './no-json.ts';

test.each<[string, number, string]>([
  ['', 0, 'it ends too early'],
  ['{"a": 1', 7, 'it ends too early'],
  ['{"a": NaN}', 6, 'NaN is not JSON'],
  ['{"a": -Infinity}', 6, '-Infinity is not JSON'],
  ['{"a": undefined}', 6, 'undefined is not JSON'],
  ['[True]', 1, 'True is not JSON'],
  ['[01]', 1, '01 is not JSON'],
  ['[1.]', 1, '1. is not JSON'],
  ['[+1]', 1, '+1 is not JSON'],
  ["{'a': 1}", 1, 'a single quote cannot begin a string'],
  ["['a']", 1, 'a single quote cannot begin a string'],
  ['[1,]', 3, 'a comma comes before ]'],
  ['{"a":1,}', 7, 'a comma comes before }'],
  ['{"a" 1}', 5, 'a colon is missing'],
  ['{a: 1}', 1, 'a name is missing'],
  ['[1 2]', 3, 'a comma is missing'],
  ['[1}', 2, 'a comma is missing'],
  ['{"a":}', 5, 'a comma comes before }'],
  ['{} {}', 3, 'a second document follows'],
  ['{}\n;', 3, 'more follows'],
  ['"a', 2, 'a string does not end'],
  ['"a\nb"', 2, 'a string holds a control character'],
  [String.raw`"a\x"`, 2, 'a string holds an invalid escape'],
  [`${'['.repeat(200_000)}x`, 200_000, 'x is not JSON'],
])('%#: %s', (text, index, reason) => {
  expect(whereNoJson(text)).toEqual({ index, reason });
});

test('finds no error where the parser finds none, and one where it does', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '1', '-0.5e+3', 'null', ' ', String.raw`"\u00e9\n"`, 'x', '"'];
  let state = 7;
  const draw = (below: number): number => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const astray: string[] = [];
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: draw(8) }, () => pieces[draw(pieces.length)]).join('');
    let parses = true;
    try {
      JSON.parse(text);
    } catch {
      parses = false;
    }
    if ((whereNoJson(text) === undefined) !== parses) astray.push(text);
  }
  expect(astray).toEqual([]);
});

test.each<[string, Uint8Array, number | undefined]>([
  ['plain text', Buffer.from('abc'), undefined],
  ['the replacement character', Buffer.from('a\ufffdb\ufffd'), undefined],
  ['Latin-1', Buffer.from('é', 'latin1'), 0],
  ['Latin-1 after four-byte characters', Buffer.from([...Buffer.from('🧪\ufffd'), 0xe9, 0x22]), 7],
  ['half a character at the end', Buffer.from('aé').subarray(0, 2), 1],
  ['a surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 1],
])('the first byte that is not UTF-8: %s', (_, bytes, expected) => {
  expect(whereNoUtf8(bytes)).toBe(expected);
});
