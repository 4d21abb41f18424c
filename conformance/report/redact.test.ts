import { createRedactor, visible } from './redact.ts';
import { HOSTILE } from '../testing/sample-report.ts';

const valued = (...values: readonly string[]) => values.map((value) => ({ value }));
const TOKEN = 'tok/en+with "odd" <chars>&\'=';

const escaped = (write: (code: string) => string, text = TOKEN): string =>
  Array.from(text, (character) => write(character.charCodeAt(0).toString(16))).join('');

test.each([
  ['hunter2', true],
  ['a-token-1-of-15', true],
  ['a-token-1-of-16c', false],
  ['words-of-a-sentence', true],
  ['12345678', true],
  ['123456789', false],
])('%s may appear in our own words: %s', (secret, may) => {
  const words = `We say ${secret} here.`;
  expect(createRedactor(valued(secret)).ours(words)).toBe(may ? words : 'We say $TOKEN here.');
  expect(createRedactor(valued(secret)).text(words)).toBe('We say $TOKEN here.');
});

describe('a redactor', () => {
  const { text } = createRedactor(valued(TOKEN));
  const base64 = (plain: string): string => Buffer.from(plain).toString('base64');

  test.each<readonly [string, string]>([
    ['unchanged', TOKEN],
    ['in capitals', TOKEN.toUpperCase()],
    ['percent-encoded', encodeURIComponent(TOKEN)],
    ['percent-encoded in lower case', encodeURIComponent(TOKEN).toLowerCase()],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(TOKEN))],
    ['encoded as in a form', new URLSearchParams({ '': TOKEN }).toString().slice(1)],
    ['encoded as in a URL', encodeURI(TOKEN)],
    ['with one space as a plus and one escaped', TOKEN.replace(' ', '+').replace(' ', '%20')],
    ['as in JSON', JSON.stringify(TOKEN).slice(1, -1)],
    ['as in JSON in JSON', JSON.stringify(JSON.stringify(TOKEN)).slice(3, -3)],
    ['as in JSON with escaped slashes', JSON.stringify(TOKEN).slice(1, -1).replaceAll('/', '\\/')],
    ['as in JSON with escaped markup', 'tok/en\\u002bwith \\"odd\\" \\u003cchars\\u003e\\u0026\\u0027='],
    ['as in HTML', 'tok/en+with &quot;odd&quot; &lt;chars&gt;&amp;&#39;='],
    ['as in XML', 'tok/en+with &quot;odd&quot; &lt;chars&gt;&amp;&apos;='],
    ['as in HTML in JSON', 'tok/en+with \\"odd\\" &lt;chars&gt;&amp;\'='],
    ['in base64', base64(TOKEN)],
    ['in base64 with Bearer', base64(`Bearer ${TOKEN}`)],
    ['in base64 for URLs', Buffer.from(TOKEN).toString('base64url')],
    ['in base64, percent-encoded', encodeURIComponent(base64(TOKEN))],
    ['with every character percent-encoded', escaped((code) => `%${code}`)],
    ['with every character escaped as in JSON', escaped((code) => `\\u00${code}`)],
    ['with every character escaped as in scripts', escaped((code) => `\\x${code}`)],
    ['with every character escaped as in HTML', escaped((code) => `&#x${code};`)],
    ['in upper case with every character escaped', escaped((code) => `\\u00${code}`, TOKEN.toUpperCase())],
    ['in hexadecimal', Buffer.from(TOKEN).toString('hex')],
    ['as a word of a shell', TOKEN.replaceAll("'", String.raw`'\''`)],
  ])('finds a secret %s', (_how, written) => {
    expect(text(`before ${written} after`)).toBe('before $TOKEN after');
    expect(text(written)).toBe('$TOKEN');
  });

  test.each([0, 1, 2, 3, 4])('finds a secret within other base64, %d bytes from its beginning', (shift) => {
    const redacted = text(base64(`${'u'.repeat(shift)}${TOKEN}:password`));
    expect(redacted).toContain('$TOKEN');
    expect(Buffer.from(redacted.replace('$TOKEN', ''), 'base64').toString()).not.toContain('odd');
  });

  test('finds a secret that was cut off, and leaves half of one alone if no cut explains it', () => {
    expect(text(`it was ${TOKEN.slice(0, -3)}`)).toBe('it was $TOKEN');
    const half = `${TOKEN.slice(0, 16)} ${'and so on '.repeat(9)}`;
    for (const rest of [`it was ${TOKEN.slice(0, 4)}`, half]) expect(text(rest)).toBe(rest);
  });

  test.each<readonly [string, string]>([
    ['unescaped', TOKEN.slice(0, -3)],
    ['within an escape', escaped((code) => `\\u00${code}`).slice(0, -3)],
    ['after half of its backslashes', JSON.stringify(TOKEN).slice(1, 11)],
    ['in base64', base64(TOKEN).slice(0, -5)],
    ['in hexadecimal', Buffer.from(TOKEN).toString('hex').slice(0, -5)],
  ])('finds a secret that was cut before an ellipsis, %s', (_how, start) => {
    expect(text(`it was "${start}…" and "${start}…`)).toBe('it was "$TOKEN…" and "$TOKEN…');
  });

  test('finds a secret with percent signs, ampersands and backslashes, in any encoding', () => {
    const odd = String.raw`%25&amp;\\x41'%\u0041&&`;
    const redactor = createRedactor(valued(odd));
    for (const one of [odd, encodeURIComponent(odd), JSON.stringify(odd).slice(1, -1), odd.replaceAll('&', '&amp;')])
      expect(redactor.text(`<${one}>`)).toBe('<$TOKEN>');
  });

  test('finds a secret of many kilobytes', () => {
    const long = Buffer.from(Array.from({ length: 6000 }, (_, i) => (i * i * 31) % 251)).toString('base64');
    const found = createRedactor(valued(long)).text(`${long} ${encodeURIComponent(long)} ${long.slice(0, -9)}…`);
    expect(found).toBe('$TOKEN $TOKEN $TOKEN…');
  });

  test('leaves other text alone', () => {
    for (const other of ['', 'token', 'tok/en', HOSTILE, '$TOKEN', 'a'.repeat(10_000)]) expect(text(other)).toBe(other);
  });

  test('searches quotations in a sentence, and elsewhere only what cannot be our own words', () => {
    const key = { value: 'k3y-that-is-long-enough', placeholder: '$KEY' };
    const { sentence, ours } = createRedactor([...valued('wrong', 'read'), key]);
    expect(sentence('what is wrong with "wrong" and "so wrong…" and "a \\"wrong\\" one"')).toBe(
      'what is wrong with "$TOKEN" and "so $TOKEN…" and "a \\"$TOKEN\\" one"',
    );
    expect(sentence('met "cut wrong')).toBe('met "cut $TOKEN');
    expect(sentence('the mode "read", which is to be read as "I read"')).toBe(
      'the mode "read", which is to be read as "I $TOKEN"',
    );
    expect(sentence('a k3y-that-is-long-enough')).toBe('a $KEY');
    expect(ours('"wrong" k3y-that-is-long-enough')).toBe('"wrong" $KEY');
  });

  test('gives each secret its own placeholder, the longer secret first, and takes no placeholder for a secret', () => {
    const named = { value: 'secret', placeholder: '$READ_TOKEN' };
    const redactor = createRedactor([named, ...valued('secret-write', 'secret', '')]);
    expect(redactor.text('secret-write secret')).toBe('$TOKEN $READ_TOKEN');
    expect(createRedactor(valued('TOKEN')).text('Bearer $TOKEN, TOKEN')).toBe('Bearer $TOKEN, $TOKEN');
  });

  test('does about four times the work for a text that is four times as long', () => {
    /** The number of expressions that run, and of characters that are copied. */
    const stepsOf = (input: string): number => {
      const copies = jest.spyOn(String.prototype, 'slice');
      const tried = [jest.spyOn(RegExp.prototype, 'test'), jest.spyOn(RegExp.prototype, 'exec')];
      text(input);
      const copied = copies.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
      const steps = copied + tried.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      for (const spy of [copies, ...tried]) spy.mockRestore();
      return steps;
    };
    for (const odd of ['tok/en+with "odd" <chars>&', 'tok/', 'dG9r', '%25'.repeat(50), '\\'.repeat(50), '&amp;amp;']) {
      expect([odd, stepsOf(odd.repeat(2000)) / stepsOf(odd.repeat(500)) < 6]).toEqual([odd, true]);
    }
  });
});

describe('a secret of fewer than four characters', () => {
  const { text } = createRedactor(valued('abc'));

  test('is replaced if it is a whole value', () => {
    for (const one of ['%', 'Bearer %', '{"token":"%"}', '?key=%&x=1', 'authorization: Bearer %\n'])
      expect(text(one.replace('%', 'abc'))).toBe(one.replace('%', '$TOKEN'));
    expect(text(Buffer.from('Bearer abc').toString('base64'))).toBe('$TOKEN');
  });

  test.each(['abcdef', 'the abc of it', '"xabc"', 'key=abcd'])('is left alone within other text: %s', (written) => {
    expect(text(written)).toBe(written);
  });
});

describe('visible', () => {
  test('escapes what a terminal would execute', () => {
    expect(visible('a\u001b[31mb\u009b\u0007\n\r\t\0')).toBe(String.raw`a\u001b[31mb\u009b\u0007\n\r\t\u0000`);
    expect(visible('\u202e\u2066\u200b\ufeff\u2028')).toBe(String.raw`\u202e\u2066\u200b\ufeff\u2028`);
    expect(visible('\ud800x\udfff \u{e0041}')).toBe(String.raw`\ud800x\udfff \u{e0041}`);
  });

  test('leaves visible text unchanged', () => {
    const seen = 'é 日本 שלום 👩‍👩‍👧 <b> ✓ "\\"';
    expect(visible(seen)).toBe(seen);
  });
});
