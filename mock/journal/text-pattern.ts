import { LRUCache } from 'lru-cache';
import type { RE2JS } from 're2js';
import { MockError } from '../mock-error.ts';

/** Whether a whole text matches a regular expression, and how much work that is per character. */
export interface TextMatcher {
  readonly matches: (text: string) => boolean;
  readonly size: number;
}

const LONGEST = 1000;
/** Instructions; their number times the text's length bounds the time. */
const LARGEST = 1000;

const compiled = new LRUCache<string, TextMatcher>({ max: 100 });

/**
 * A regular expression for whole texts, written as in JavaScript and run by RE2, which never backtracks, so its time is
 * linear in the text.
 * @throws MockError for one that is malformed, too large, or uses look-around or back-references, which RE2 lacks.
 */
export function textMatcher(pattern: string): TextMatcher {
  const known = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, known);
  return known;
}

/** RE2 is loaded with the first expression. */
function compile(pattern: string): TextMatcher {
  const { RE2JS: engine } = require('re2js') as typeof import('re2js');
  const refused = (why: string): never => {
    const shown = JSON.stringify(pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern);
    throw new MockError(`The regular expression ${shown} cannot be used: ${why}.`);
  };
  if (pattern.length > LONGEST) return refused(`it is longer than ${LONGEST} characters`);
  // The translation would take this for the letter k.
  if (/(?<!\\)(?:\\\\)*\\k</.test(pattern)) return refused(REFERS_BACK);
  let matcher: RE2JS;
  try {
    matcher = engine.compile(engine.translateRegExp(pattern), engine.DOTALL);
  } catch (error) {
    return refused(reason(error, pattern));
  }
  const size = matcher.programSize();
  if (size > LARGEST) return refused('it is too large (repeat less)');
  return { matches: (text) => matcher.matches(text), size };
}

const REFERS_BACK = 'it refers back to a group, which the engine (RE2) does not support';

function reason(error: unknown, pattern: string): string {
  if (/\(\?<?[=!]/.test(pattern)) return 'it looks ahead or behind, which the engine (RE2) does not support';
  if (/\\[1-9]/.test(pattern)) return REFERS_BACK;
  const said = error instanceof Error ? error.message : String(error);
  return said.replace(/^error parsing regexp: /, '').slice(0, 200);
}
