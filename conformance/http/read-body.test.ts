import { createReader, whereNoJson } from './read-body.ts';
import texts from '../testing/broken-json.json';

const read = (body: string | Uint8Array) => createReader()(typeof body === 'string' ? Buffer.from(body) : body);

test('JSON', () => {
  expect(read('{"a":[1]}')).toEqual({ json: { a: [1] }, problem: undefined, flaw: undefined, repeats: undefined });
});

test.each(texts.bodies as [string, string][])('%s is %s', (body, problem) => {
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

test.each(texts.repeats as [string, string | null][])('a name twice in one object: %s', (body, name) => {
  expect(read(body).repeats).toBe(name ?? undefined);
  // Long bodies are not searched.
  expect(read(body.replace('1', JSON.stringify('x'.repeat(20_000)))).repeats).toBeUndefined();
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

test.each(texts.errors as [string, number, string][])('%#: %s', (text, index, reason) => {
  expect(whereNoJson(text)).toEqual({ index, reason });
});

test('finds nothing wrong in JSON, and survives a depth that it cannot read', () => {
  expect(whereNoJson('{"a":[1,-0.5e+3,null,"\\u00e9"]}')).toBeUndefined();
  expect(whereNoJson(`${'['.repeat(200_000)}x`)).toBeUndefined();
});
