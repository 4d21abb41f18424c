import { createReader, whereNoJson } from './read-body.ts';

const read = (body: string | Uint8Array) => createReader()(typeof body === 'string' ? Buffer.from(body) : body);

test('JSON', () => {
  expect(read('{"a":[1]}')).toEqual({ json: { a: [1] }, problem: undefined, flaw: undefined, repeats: undefined });
});

test.each<[string, string]>([
  ['  ', 'an empty body'],
  ['\n<!DOCTYPE html><p>', 'an HTML page'],
  ['<html lang="en">', 'an HTML page'],
  ['oh no', 'text that is not JSON, beginning with "oh no": oh is not JSON, at position 0'],
  ['{"a":1}{"b":2}', 'text that is not JSON, beginning with "{\\"a\\":1}{\\"b\\":2}": more follows, at position 7'],
])('%s is %s', (body, problem) => {
  expect(read(body)).toMatchObject({ json: undefined, problem });
});

test.each<[string, Uint8Array, string]>([
  ['Latin-1', Buffer.from('é', 'latin1'), 'the byte 0xe9 at position 0'],
  ['Latin-1 after four bytes', Buffer.from([...Buffer.from('🧪\ufffd'), 0xe9, 0x22]), 'the byte 0xe9 at position 7'],
  ['half a character at the end', Buffer.from('aé').subarray(0, 2), 'the byte 0xc3 at position 1'],
  ['a surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'the byte 0xed at position 1'],
])('names the first byte that is not UTF-8: %s', (_, bytes, expected) => {
  expect(read(bytes).problem).toContain(`not UTF-8: ${expected}, after`);
});

test('a byte order mark is a flaw of a readable body', () => {
  const { json, problem, flaw } = read('\ufeff[1]');
  expect([json, problem, flaw]).toEqual([[1], undefined, expect.stringContaining('byte order')]);
});

test.each<[string, string | undefined]>([
  ['{"a":1,"b":{"a":2}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"\\"a\\":1, \\"a\\":2"}', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"x":[{"id":1,"n\\u0061me":2,"n\\u0061me":3}]}', 'name'],
  [`{"a":"${'x'.repeat(20_000)}","a":1}`, undefined],
])('a name twice in one object: %s', (body, name) => {
  expect(read(body).repeats).toBe(name);
});

describe('recently read bodies', () => {
  const of = (kib: number, sign: string): Buffer => Buffer.from(JSON.stringify([sign.repeat(kib * 1024 - 4)]));
  /** Whether the first of these bodies is still cached after all were read. */
  const isKnown = (...bodies: readonly Buffer[]): boolean => {
    const reader = createReader();
    const [first = Buffer.alloc(0)] = bodies;
    const [before] = bodies.map((body) => reader(body).json);
    return reader(Buffer.from(first)).json === before;
  };

  test.each<[string, boolean, readonly Buffer[]]>([
    ['one', true, [of(1, 'a')]],
    ['twenty-four', true, Array.from({ length: 24 }, (_, i) => of(1, String.fromCharCode(97 + i)))],
    ['twenty-five', false, Array.from({ length: 25 }, (_, i) => of(1, String.fromCharCode(97 + i)))],
    ['two that fill the cache', true, [of(256, 'a'), of(256, 'b')]],
    ['three that do not fit', false, [of(256, 'a'), of(256, 'b'), of(1, 'c')]],
    ['one that is too large for the cache', false, [of(513, 'a')]],
    ['a large one after another', true, [of(1, 'a'), of(513, 'b')]],
  ])('%s: %s', (_, expected, bodies) => {
    expect(isKnown(...bodies)).toBe(expected);
  });

  test('make room for others repeatedly', () => {
    const reader = createReader();
    for (const sign of 'abcdefghij') reader(of(256, sign));
    expect(reader(of(256, 'j')).json).toBe(reader(of(256, 'j')).json);
  });
});

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
