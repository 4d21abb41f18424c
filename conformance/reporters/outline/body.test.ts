import fc from 'fast-check';
import { UNSEEN } from '../../../text/visible.ts';
import { outlineJson, type BodyOptions } from './body.ts';
import { anyText } from '../../../text/testing/test-any-text.ts';
import texts from '../../testing/broken-json.json';

/** The lines, with a mark at the place. */
const shown = (text: string, options: BodyOptions): string | undefined => {
  const body = outlineJson(text, options);
  return body?.lines.map((line, index) => (index === body.place ? `${line}   ← here` : line)).join('\n');
};
const shape = (text: string, at?: string): string | undefined => shown(text, { values: false, at });

test('types replace values, and names are kept', () => {
  expect(shape('{"id":"secret","n":1.5e3,"ok":true,"none":null,"tags":["a","b"],"empty":{},"list":[]}')).toBe(
    [
      '{',
      '  "id": string,',
      '  "n": number,',
      '  "ok": boolean,',
      '  "none": null,',
      '  "tags": [2 × string],',
      '  "empty": {},',
      '  "list": []',
      '}',
    ].join('\n'),
  );
});

/** The lines of a shape in one. */
const flat = (text: string, at?: string): string | undefined => shape(text, at)?.replace(/\n */g, ' ');

test('neighbours of the same shape are counted', () => {
  const results = '{ "results": [ 3 × { "id": string }, { "id": number } ] }';
  expect(flat('{"results":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":4}]}')).toBe(results);
});

test('the place of a failure is marked, apart from similar ones', () => {
  const marked = '{ "results": [ { "id": string }, item 1 { "id": string   ← here }, { "id": string } ] }';
  expect(flat('{"results":[{"id":"a"},{"id":"b"},{"id":"c"}]}', '/results/1/id')).toBe(marked);
  expect(shape('{"results":[]}', '')?.split('\n')[0]).toBe('{   ← here');
  expect(shape('{"a~b/c":1}', '/a~0b~1c')).toContain('"a~b/c": number   ← here');
});

test('a missing value is shown where it should be', () => {
  expect(shape('{"agent":{"name":"x"}}', '/agent/id')).toContain('    "id": nothing here   ← here');
  expect(shape('{}', '/agent')).toContain('  "agent": nothing here   ← here');
  expect(shape('{"results":[]}', '/results/0')).toContain('    item 0: nothing here   ← here');
});

test('a body that was cut is shown up to the cut', () => {
  const text = '{"agent":{"id":"a","groups":[{"id":"g","title":"Wel';
  const kept = '{ "agent": { "id": string, "groups": [ { "id": string, "title": string, … the kept part ends here';
  expect(flat(text)).toBe(kept);
  expect(shape(text, '/agent/edges')).toBe(shape(text));
  expect(shape(`${text}…`)).toBe(shape(text));
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

test.each([
  [400, 0],
  [401, 1],
])('of %d lines this many are left out: %d', (lines, left) => {
  const body = outlineJson(JSON.stringify(Array.from({ length: lines - 2 }, () => [])), { values: true });
  expect(body?.lines.length).toBe(Math.min(lines, 400) + left);
  expect(body?.lines.includes('… 1 more lines')).toBe(left === 1);
});

test.each([
  [72, 1],
  [73, 3],
])('an array with %d characters of values takes this many lines: %d', (length, lines) => {
  expect(outlineJson(JSON.stringify(['x'.repeat(length - 2)]), { values: true })?.lines.length).toBe(lines);
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
