import fc from 'fast-check';
import { UNSEEN } from '../../../text/visible.ts';
import { outlineJson } from './body.ts';
import { anyText } from '../../../text/testing/test-any-text.ts';
import texts from '../../testing/broken-json.json';

/** The lines, with a mark at the place. */
const shown = (text: string, options: Parameters<typeof outlineJson>[1]): string | undefined => {
  const body = outlineJson(text, options);
  return body?.lines.map((line, index) => (index === body.place ? `${line}   ← here` : line)).join('\n');
};

test.each(texts.shapes as [string, string, string | null, string][])('shows %s', (_, text, at, lines) => {
  expect(shown(text, { values: false, at: at ?? undefined })?.replace(/\n */g, ' ')).toBe(lines);
});

test.each(texts.beginnings as [string, string][])('the beginning %s is shown', (text, lines) => {
  expect(shown(text, { values: true })?.replace(/\n +/g, ' ')).toBe(`${lines} … the kept part ends here`);
});

test('a part that is nested too deeply is skipped to its end, whatever its strings contain', () => {
  const deep = String.raw`["]\"",{"a":"\"}]"}]`;
  expect(shown(`{"a":${'['.repeat(23)}${deep}${']'.repeat(23)},"b":1}`, { values: true })).toMatch(
    /… deeper levels are not shown\n(?: +\]\n){22} {2}\],\n {2}"b": 1\n\}$/,
  );
});

test('400 lines are shown, and how many more there are', () => {
  const linesOf = (count: number): readonly string[] =>
    outlineJson(JSON.stringify(Array.from({ length: count - 2 }, () => [])), { values: true })?.lines ?? [];
  expect([linesOf(400).length, linesOf(401).length, linesOf(401).at(-1)]).toEqual([400, 401, '… 1 more lines']);
});

test('an array of plain values takes one line up to 72 characters', () => {
  const linesOf = (length: number): number | undefined =>
    outlineJson(JSON.stringify(['x'.repeat(length - 2)]), { values: true })?.lines.length;
  expect([linesOf(72), linesOf(73)]).toEqual([1, 3]);
});

test('every beginning of an object or an array has an outline', () => {
  fc.assert(
    fc.property(fc.object(), fc.nat(), fc.boolean(), (value, length, values) => {
      const text = JSON.stringify(value);
      expect(outlineJson(text.slice(0, 1 + (length % text.length)), { values })).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

test.each(texts.others)('a text that is not JSON has none: %j', (text) => {
  expect(outlineJson(text, { values: false })).toBeUndefined();
});

test('with values the text equals the body', () => {
  expect(shown('{"a":"x\\u202ey","b":[1,2],"c":{"d":null},"1":1.50e3}', { values: true })).toBe(
    ['{', '  "a": "x\\u202ey",', '  "b": [1, 2],', '  "c": {', '    "d": null', '  },', '  "1": 1.50e3', '}'].join(
      '\n',
    ),
  );
});

test('far lines are outside of the window around the place', () => {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key${index}`, index])));
  const windowAt = (at?: string): (number | undefined)[] => {
    const body = outlineJson(text, { values: false, at });
    return [body?.place, body?.from, body?.to];
  };
  expect([windowAt(), windowAt('/key1'), windowAt('/key29'), windowAt('/key59')]).toEqual([
    [-1, 0, 25],
    [2, 0, 25],
    [30, 18, 43],
    [60, 48, 62],
  ]);
});

test('a line contains nothing invisible, and every outline is bounded', () => {
  fc.assert(
    fc.property(anyText(), anyText(), fc.boolean(), (name, value, values) => {
      const body = outlineJson(JSON.stringify({ [name]: value, list: [value, { [value]: name }] }), { values });
      for (const line of body?.lines ?? []) expect(line.match(UNSEEN)).toBeNull();
      expect(body?.lines.length).toBeGreaterThan(3);
    }),
    { numRuns: 200 },
  );
  expect(outlineJson(`[${'[],'.repeat(5000)}[]]`, { values: true })?.lines.length).toBeLessThanOrEqual(401);
  expect(outlineJson('['.repeat(100_000), { values: false })).toBeUndefined();
  expect(outlineJson(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`, { values: false })?.lines.length).toBeLessThan(60);
});
