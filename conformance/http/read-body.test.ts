import { createReader } from './read-body.ts';

const read = (body: string | Uint8Array) => createReader()(typeof body === 'string' ? Buffer.from(body) : body);

test('JSON', () => {
  expect(read('{"a":[1]}')).toEqual({ json: { a: [1] }, problem: undefined, flaw: undefined, repeats: undefined });
});

test.each<[string, string]>([
  ['  ', 'an empty body'],
  ['\n<!DOCTYPE html><p>', 'an HTML page'],
  ['<html lang="en">', 'an HTML page'],
  ['oh no', 'text that is not JSON, beginning with "oh no": oh is no JSON, at position 0'],
  [
    '{"a":1}{"b":2}',
    'text that is not JSON, beginning with "{\\"a\\":1}{\\"b\\":2}": a second document follows, at position 7',
  ],
])('%s is %s', (body, problem) => {
  expect(read(body)).toMatchObject({ json: undefined, problem });
});

test('a byte order mark is a flaw of what can be read', () => {
  expect(read('\ufeff[1]')).toMatchObject({
    json: [1],
    problem: undefined,
    flaw: expect.stringContaining('byte order'),
  });
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
