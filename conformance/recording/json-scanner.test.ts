import fc from 'fast-check';
import { createJsonScanner, RecordingError, type ScannedPart } from './json-scanner.ts';

/** What is found in a text that arrives in pieces of this size. */
function scan(text: string | Buffer, size = 7): readonly ScannedPart[] {
  const bytes = Buffer.from(text as string);
  const scanner = createJsonScanner();
  const parts: ScannedPart[] = [];
  for (let i = 0; i < bytes.length; i += size) parts.push(...scanner.push(bytes.subarray(i, i + size)));
  scanner.end();
  return parts;
}

const entriesIn = (parts: readonly ScannedPart[]): readonly unknown[] =>
  parts.flatMap((part) => (part.kind === 'entry' ? [part.value] : []));

test('finds every entry, whatever it contains and wherever the pieces end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), { maxLength: 6 }),
      fc.jsonValue({ maxDepth: 2 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 2),
      (entries, other, size, indent) => {
        const har = {
          log: { version: '1.2', pages: [{ entries: [1] }], other, entries, comment: 'end' },
          more: { entries: [2] },
        };
        const parts = scan(JSON.stringify(har, null, indent), size);
        expect(entriesIn(parts)).toEqual(JSON.parse(JSON.stringify(entries)));
        const member = parts.find((part) => part.kind === 'member' && part.name === 'other');
        expect(member?.kind === 'member' && member.value).toEqual(JSON.parse(JSON.stringify(other)));
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});

test('reads past a byte order mark', () => {
  expect(entriesIn(scan('\ufeff{"log":{"entries":[{"a":1}]}}'))).toEqual([{ a: 1 }]);
});

test('skips an entry that is too large, and goes on', () => {
  const large = `{"text":"${'x'.repeat(33 * 1024 * 1024)}"}`;
  const parts = scan(`{"log":{"entries":[${large},{"a":1}]}}`, 1024 * 1024);
  expect(parts.map(({ kind }) => kind)).toEqual(['too-large', 'entry']);
});

test.each([
  ['{"log":{"entries":[{"a":1},{"a":2}]}}', ['entry', 'entry'], true],
  ['{"log":{"entries":[{"a":1},{"a":2}]}', ['entry', 'entry'], false],
  ['{"log":{"entries":[{"a":1},{"a":2}', ['entry', 'entry'], false],
  ['{"log":{"entries":[{"a":1},{"a":2', ['entry', 'cut-short'], false],
  ['{"log":{"entries":[{"a":1},', ['entry'], false],
  ['{"log":{"entries":[', [], false],
  ['[]', [], true],
  ['[{"a":1},{"b":[2]}]', ['entry', 'entry'], true],
  ['[{"a":1},{"b', ['entry', 'cut-short'], false],
  ['{"a":1}', ['entry'], true],
  ['{"a":1}\n{"log":{"entries":[1]}}\n', ['entry', 'entry'], true],
  ['{\n"a": {}\n}{"b":2}', ['entry', 'entry'], true],
  ['{"a":1}\n{"b":"half\n{"c":3}\n', ['entry', 'cut-short', 'entry'], true],
  ['{"a":1}\n{"b":2', ['entry', 'cut-short'], false],
])('of %s it reads %j', (text, expected, isWhole) => {
  const scanner = createJsonScanner();
  const parts = scanner.push(Buffer.from(text));
  const end = scanner.end();
  expect([[...parts, ...end.parts].map(({ kind }) => kind), end.isWhole]).toEqual([expected, isWhole]);
});

test.each([
  ['', 'the file is empty'],
  ['3', 'a recording is JSON, and this is not, at byte 0'],
  ['<html>', 'a recording is JSON, and this is not, at byte 0'],
  ['{"a":1} [2]', 'a recording is JSON, and this is not, at byte 8'],
  ['{"log":{"version":"1.2","ent', 'the file ends too early, at byte 28'],
  ['{"log":{}}', 'the file has no log with entries, as a HAR file must'],
  ['{"a":', 'the file ends too early, at byte 5'],
  ['{"log":{"entries":[]}} {}', 'there is text after the end at byte 23'],
  [`{"log":{"entries":[${'['.repeat(20_000)}`, 'the nesting is too deep at byte 10016'],
])('says what is wrong with %.40s', (text, message) => {
  expect(() => scan(text, 1024)).toThrow(new RecordingError(message));
});
