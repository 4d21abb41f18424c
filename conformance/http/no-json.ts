import { printParseErrorCode, visit } from 'jsonc-parser';

/** By the names of the parser's errors. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['PropertyNameExpected', 'a name is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['EndOfFileExpected', 'more follows'],
  ['InvalidCommentToken', 'a comment is not JSON'],
  ['UnexpectedEndOfComment', 'a comment is not JSON'],
  ['UnexpectedEndOfString', 'a string does not end on its line'],
  ['InvalidUnicode', 'a string holds an invalid escape'],
  ['InvalidEscapeCharacter', 'a string holds an invalid escape'],
  ['InvalidCharacter', 'a string holds a control character'],
]);

const WORD = /[^\s,:[\]{}"]{1,20}/y;

/** The first place where a text is not JSON; `undefined` if there is none, or if it is nested too deeply to tell. */
export function whereNoJson(text: string) {
  let found: { readonly index: number; readonly reason: string } | undefined;
  const onError = (error: number, index: number): void => {
    found ??= { index, reason: reasonOf(text, index, printParseErrorCode(error)) };
  };
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // The parser recurses.
  }
  return found;
}

function reasonOf(text: string, index: number, error: string): string {
  if (index >= text.length) return 'it ends too early';
  const isItemExpected = error === 'ValueExpected' || error === 'PropertyNameExpected';
  if (isItemExpected && /[\]}]/.test(text[index] ?? '')) return `a comma comes before ${text[index]}`;
  WORD.lastIndex = index;
  return reasons.get(error) ?? `${WORD.exec(text)?.[0] ?? text[index]} is not JSON`;
}
