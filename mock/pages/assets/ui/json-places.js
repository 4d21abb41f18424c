// Where things are in a JSON text. No DOM: this is tested in Node.js.

const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON forbids them in texts
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\b|true\b|false\b|null\b)|$)/y;

/** The value, and the offset at which each value in it begins, by JSON Pointer. @throws SyntaxError with `offset` */
export function readJson(text) {
  const offsets = new Map();
  let end = 0;
  let token;
  const fail = (wanted) => {
    const { column } = placeOf(text, token.offset);
    throw Object.assign(new SyntaxError(`Column ${column}: ${wanted} is expected.`), token);
  };
  const advance = () => {
    TOKEN.lastIndex = end;
    const [found, sign, string, literal] = TOKEN.exec(text) ?? [/^[ \t\n\r]*/.exec(text.slice(end))[0]];
    const offset = end + found.length - (sign ?? string ?? literal ?? '').length;
    end += found.length;
    token = { offset, sign, string, literal };
  };
  const take = (...signs) => {
    const { sign } = token;
    if (!signs.includes(sign)) fail(signs.join(' or '));
    advance();
    return sign;
  };
  const members = (close, read) => {
    advance();
    if (token.sign === close) return advance();
    let i = 0;
    do read(i++);
    while (take(',', close) === ',');
  };
  const value = (pointer) => {
    offsets.set(pointer, token.offset);
    const { sign, string, literal } = token;
    if (sign === '[') return members(']', (i) => value(`${pointer}/${i}`));
    if (sign === '{')
      return members('}', () => {
        if (token.string === undefined) fail('a name in quotes');
        const name = JSON.parse(token.string).replaceAll('~', '~0').replaceAll('/', '~1');
        advance();
        take(':');
        value(`${pointer}/${name}`);
      });
    if (string === undefined && literal === undefined) fail('a value');
    advance();
  };
  advance();
  value('');
  if (token.offset < text.trimEnd().length) fail('the end');
  return { value: JSON.parse(text), offsets };
}

/** Line and column of an offset, from 1. */
export function placeOf(text, offset) {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1).length + 1 };
}

/** The offset of the nearest part of a pointer that is there: what is missing is marked where it should be. */
export function nearestOffset(offsets, pointer) {
  if (offsets.has(pointer) || pointer === '') return offsets.get(pointer) ?? 0;
  return nearestOffset(offsets, pointer.slice(0, pointer.lastIndexOf('/')));
}
