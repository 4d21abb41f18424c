import fc from 'fast-check';
import { UNSEEN } from '../../report/redact.ts';
import { bodyText, viewBody } from './body.ts';
import { anyText } from '../../../text/testing/test-any-text.ts';

const shape = (text: string, at?: string): string | undefined => {
  const view = viewBody(text, { values: false, at });
  return view && bodyText(view);
};

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

test('neighbours of the same shape are counted', () => {
  expect(shape('{"results":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":4}]}')).toBe(
    [
      '{',
      '  "results": [',
      '    3 × {',
      '      "id": string',
      '    },',
      '    {',
      '      "id": number',
      '    }',
      '  ]',
      '}',
    ].join('\n'),
  );
});

test('the place of a failure is marked, apart from similar ones', () => {
  const text = '{"results":[{"id":"a"},{"id":"b"},{"id":"c"}]}';
  expect(shape(text, '/results/1/id')).toBe(
    [
      '{',
      '  "results": [',
      '    {',
      '      "id": string',
      '    },',
      '    item 1 {',
      '      "id": string   ← here',
      '    },',
      '    {',
      '      "id": string',
      '    }',
      '  ]',
      '}',
    ].join('\n'),
  );
  expect(viewBody(text, { values: false, at: '/results/1/id' })?.place).toBe('shown');
  expect(shape(text, '')?.split('\n')[0]).toBe('{   ← here');
  expect(shape('{"a~b/c":1}', '/a~0b~1c')).toContain('"a~b/c": number   ← here');
});

test('a missing value is shown where it should be', () => {
  expect(shape('{"agent":{"name":"x"}}', '/agent/id')).toContain('    "id": nothing here   ← here');
  expect(shape('{}', '/agent')).toContain('  "agent": nothing here   ← here');
  expect(shape('{"results":[]}', '/results/0')).toContain('    item 0: nothing here   ← here');
  expect(viewBody('{"agent":{}}', { values: true, at: '/agent/id' })?.place).toBe('missing');
});

test('a body that was cut is shown up to the cut', () => {
  const text = '{"agent":{"id":"a","groups":[{"id":"g","title":"Wel';
  expect(shape(text)).toBe(
    [
      '{',
      '  "agent": {',
      '    "id": string,',
      '    "groups": [',
      '      {',
      '        "id": string,',
      '        "title": string,',
      '        … the kept part ends here',
    ].join('\n'),
  );
  expect(viewBody(text, { values: false, at: '/agent/edges' })?.place).toBe('beyond');
  expect(viewBody(`${text}…`, { values: false })).toEqual(viewBody(text, { values: false }));
});

test.each([
  ['[', '['],
  ['[1', '[ 1,'],
  ['[1, ', '[ 1,'],
  ['[{"a":1},', '[ { "a": 1 },'],
  ['{', '{'],
  ['{"a', '{'],
  ['{"a"', '{'],
  ['{"a":', '{'],
  ['{"a":1', '{ "a": 1,'],
  ['{"a":1,', '{ "a": 1,'],
  ['[tr', '[ tr…,'],
  ['[true', '[ true,'],
  ['[nul', '[ nul…,'],
  ['[-', '[ -…,'],
  ['[1.', '[ 1.…,'],
  ['["a', '[ "a…,'],
  ['["a\\', '[ "a\\…,'],
])('the beginning %s is shown completely', (text, shown) => {
  const view = viewBody(text, { values: true });
  expect(view && bodyText(view).replace(/\n +/g, ' ')).toBe(`${shown} … the kept part ends here`);
});

test('a part that is nested too deeply is skipped to its end, whatever its strings contain', () => {
  const deep = String.raw`["]\"",{"a":"\"}]"}]`;
  const view = viewBody(`{"a":${'['.repeat(23)}${deep}${']'.repeat(23)},"b":1}`, { values: true });
  expect(view && bodyText(view)).toMatch(/… deeper levels are not shown\n(?: +\]\n){22} {2}\],\n {2}"b": 1\n\}$/);
});

test.each([
  [400, 0],
  [401, 1],
])('of %d lines this many are left out: %d', (lines, left) => {
  const view = viewBody(JSON.stringify(Array.from({ length: lines - 2 }, () => [])), { values: true });
  expect(view?.lines.length).toBe(Math.min(lines, 400) + left);
  expect(view && /… (\d+) more lines/.exec(bodyText(view))?.[1]).toBe(left === 0 ? undefined : String(left));
});

test.each([
  [72, 1],
  [73, 3],
])('an array with %d characters of values takes this many lines: %d', (length, lines) => {
  const view = viewBody(JSON.stringify(['x'.repeat(length - 2)]), { values: true });
  expect(view?.lines.length).toBe(lines);
});

test('every beginning of a JSON text has a view', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.boolean(), (text, length, values) => {
      const beginning = text.slice(0, 1 + (length % text.length));
      expect(viewBody(beginning, { values })).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

test.each(['', ' ', '<html>', '{"a":1,}', '[1,]', '{"a"}', '{a:1}', 'nope', '1 2', '{"a":1}}', '01x', '{,}', 'NaN'])(
  'a text that is not JSON has none: %j',
  (text) => {
    expect(viewBody(text, { values: false })).toBeUndefined();
  },
);

test('with values the text equals the body', () => {
  const view = viewBody('{"a":"x\\u202ey","b":[1,2],"c":{"d":null}}', { values: true });
  expect(view && bodyText(view)).toBe(
    ['{', '  "a": "x\\u202ey",', '  "b": [1, 2],', '  "c": {', '    "d": null', '  }', '}'].join('\n'),
  );
});

test('a line contains nothing invisible, and every view is bounded', () => {
  fc.assert(
    fc.property(anyText(), anyText(), fc.boolean(), (name, value, values) => {
      const view = viewBody(JSON.stringify({ [name]: value, list: [value, { [value]: name }] }), { values });
      for (const { parts } of view?.lines ?? []) for (const { text } of parts) expect(text.match(UNSEEN)).toBeNull();
      expect(view?.lines.length).toBeGreaterThan(3);
    }),
    { numRuns: 200 },
  );
  expect(viewBody(`[${'[],'.repeat(5000)}[]]`, { values: true })?.lines.length).toBeLessThanOrEqual(401);
  const deep = viewBody('['.repeat(100_000), { values: false });
  expect(deep?.lines.length).toBeLessThan(100);
  expect(viewBody(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`, { values: false })?.lines.length).toBeLessThan(60);
});
