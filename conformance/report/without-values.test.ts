import { excerptWithout, withoutQuoted } from './without-values.ts';

test.each([
  ['it was "Jane Doe", and not "results"', 'it was "…", and not "results"'],
  ['"jane@example.com" at "2026-05-20T12:00:00.000Z"', '"…" at "2026-05-20T12:00:00.000Z"'],
  ['of the agent "c0il9m1jbnu6nkrx"', 'of the agent "c0il9m1jbnu6nkrx"'],
  ['it was "allTime" and "" and "203.0.113.7" and "0123456789"', 'it was "allTime" and "" and "…" and "…"'],
  ['the body was {"name":"Jane \\"J\\" Doe","nextCursor":null}', 'the body was {"name":"…","nextCursor":null}'],
  ['cut off: "Jane D', 'cut off: "…'],
  ['no quotation', 'no quotation'],
])('the sentence %s becomes %s', (sentence, expected) => {
  expect(withoutQuoted(sentence)).toBe(expected);
});

test.each([
  ['{"id":"r1","answers":[{"content":"I am Jane"}],"n":15551234567}', '{"id":"r1","answers":[{"content":"…"}],"n":0}'],
  ['[12345678, 7]', '[0, 7]'],
  ['{"name":"Jane D', '{"name":"…'],
  ['<p>Jane</p>', '…'],
  ['', ''],
])('the body %s becomes %s', (body, expected) => {
  const request = { method: 'POST', url: 'http://x.test/a', headers: {}, body };
  expect(excerptWithout({ request, durationMs: 1, body })).toEqual({
    request: { ...request, body: expected },
    durationMs: 1,
    body: expected,
  });
});
