import { whereNoJson } from './no-json.ts';

test.each<[string, number, string]>([
  ['', 0, 'it ends too early'],
  ['{"a": 1', 7, 'it ends too early'],
  ['{"a": NaN}', 6, 'NaN is not JSON'],
  ['{"a": -Infinity}', 6, '-Infinity is not JSON'],
  ['[True]', 1, 'True is not JSON'],
  ['[1.]', 1, '1. is not JSON'],
  ["{'a': 1}", 1, "'a' is not JSON"],
  ['[1,]', 3, 'a comma comes before ]'],
  ['{"a":1,}', 7, 'a comma comes before }'],
  ['{"a" 1}', 5, 'a colon is missing'],
  ['[1 2]', 3, 'a comma is missing'],
  ['[1, // one', 4, 'a comment is not JSON'],
  ['{} {}', 3, 'more follows'],
  ['"a', 0, 'a string does not end on its line'],
  ['["a\tb"]', 1, 'a string holds a control character'],
  [String.raw`"a\x"`, 0, 'a string holds an invalid escape'],
])('%#: %s', (text, index, reason) => {
  expect(whereNoJson(text)).toEqual({ index, reason });
});

test('finds nothing wrong in JSON, and survives a depth that it cannot read', () => {
  expect(whereNoJson('{"a":[1,-0.5e+3,null,"\\u00e9"]}')).toBeUndefined();
  expect(whereNoJson(`${'['.repeat(200_000)}x`)).toBeUndefined();
});
