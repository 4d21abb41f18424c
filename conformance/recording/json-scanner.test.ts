import fc from 'fast-check';
import { createJsonScanner, RecordingError, type ScannedPart } from './json-scanner.ts';
import texts from '../testing/broken-json.json';

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

test.each(texts.recordings as [string, string[], boolean][])('of %s it reads %j', (text, expected, isWhole) => {
  const scanner = createJsonScanner();
  const parts = scanner.push(Buffer.from(text));
  const end = scanner.end();
  expect([[...parts, ...end.parts].map(({ kind }) => kind), end.isWhole]).toEqual([expected, isWhole]);
});

test.each(texts.noRecordings as [string, string][])('says what is wrong with %.40s', (text, message) => {
  expect(() => scan(text, 1024)).toThrow(new RecordingError(message));
});

test('refuses to read at a depth that no recording has', () => {
  expect(() => scan(`{"log":{"entries":[${'['.repeat(20_000)}`, 1024)).toThrow('the nesting is too deep at byte 10016');
});
