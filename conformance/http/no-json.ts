/** Where a text stops being JSON, and why. */
export interface NoJson {
  /** An index in characters, from 0. */
  readonly index: number;
  /** `NaN is not JSON` */
  readonly reason: string;
}

type Expected = 'value' | 'first item' | 'name' | 'first name' | 'colon' | 'comma' | 'end';

const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\0-\x1f]+/y; // oxlint-disable-line no-control-regex
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/iy;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y;
const OTHER_WORD = /[-+]?[\p{L}_$][\p{L}\p{N}_$]{0,19}|[-+.\d][-+.\w]{0,19}/uy;

/** Reads a text up to the place where it stops being JSON; `undefined` if it is JSON. It does not recurse. */
export function whereNoJson(text: string): NoJson | undefined {
  const open: ('{' | '[')[] = [];
  let index = 0;
  let expected: Expected = 'value';
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = index;
    if (!pattern.test(text)) return false;
    index = pattern.lastIndex;
    return true;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');

  for (;;) {
    match(SPACE);
    const sign = text[index];
    if (sign === undefined) return expected === 'end' ? undefined : { index, reason: 'it ends too early' };
    if (expected === 'end') return { index, reason: /[[{]/.test(sign) ? 'a second document follows' : 'more follows' };
    const closes = sign === '}' ? '{' : sign === ']' ? '[' : undefined;
    if (closes !== undefined && closes === open.at(-1) && mayClose(expected, closes)) {
      open.pop();
      index++;
      expected = afterValue();
    } else if (expected === 'colon' && sign === ':') {
      index++;
      expected = 'value';
    } else if (expected === 'comma' && sign === ',') {
      index++;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else if (isValue(expected) && (sign === '{' || sign === '[')) {
      open.push(sign);
      index++;
      expected = sign === '{' ? 'first name' : 'first item';
    } else if (sign === '"' && (isValue(expected) || isName(expected))) {
      index++;
      while (match(PLAIN) || match(ESCAPE));
      if (text[index] !== '"') return { index, reason: inString(text[index]) };
      index++;
      expected = isName(expected) ? 'colon' : afterValue();
    } else if (isValue(expected) && match(WORD)) expected = afterValue();
    else return { index, reason: unexpected(text, index, expected) };
  }
}

const isValue = (expected: Expected): boolean => expected === 'value' || expected === 'first item';
const isName = (expected: Expected): boolean => expected === 'name' || expected === 'first name';

const mayClose = (expected: Expected, opened: '{' | '['): boolean =>
  expected === 'comma' || expected === (opened === '{' ? 'first name' : 'first item');

function inString(sign: string | undefined): string {
  if (sign === undefined) return 'a string does not end';
  return sign === '\\' ? 'a string holds an invalid escape' : 'a string holds a control character';
}

function unexpected(text: string, index: number, expected: Expected): string {
  OTHER_WORD.lastIndex = index;
  const word = OTHER_WORD.exec(text)?.[0];
  if (word !== undefined && isValue(expected)) return `${word} is not JSON`;
  const sign = text[index] ?? '';
  if (sign === "'") return 'a single quote cannot begin a string';
  if ((sign === '}' || sign === ']') && (expected === 'value' || expected === 'name'))
    return `a comma comes before ${sign}`;
  const wanted = { colon: 'a colon', comma: 'a comma', name: 'a name', 'first name': 'a name', end: 'the end' };
  return `${expected === 'value' || expected === 'first item' ? 'a value' : wanted[expected]} is missing`;
}

/** The offset of the first byte that is not UTF-8; `undefined` if there is none. */
export function whereNoUtf8(bytes: Uint8Array): number | undefined {
  // The decoder inserts this character for invalid bytes, but a text may also contain it.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let offset = 0;
  let done = 0;
  for (let index = text.indexOf('\ufffd'); index >= 0; index = text.indexOf('\ufffd', index + 1)) {
    offset += Buffer.byteLength(text.slice(done, index));
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return offset;
    done = index;
  }
  return undefined;
}
