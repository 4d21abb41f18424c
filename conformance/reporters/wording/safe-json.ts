import { UNSEEN, visible } from '../../report/redact.ts';

const LINES = Symbol('lines');

/** A text of more than one line. */
interface Lines {
  readonly [LINES]: readonly string[];
}

/** Texts that `safeJson` writes as one, each on a line of its own. */
export const lines = (texts: readonly string[]): Lines => ({ [LINES]: texts });

/**
 * JSON whose texts are for people: each stays on its line, and what else in it a terminal or a browser would obey is
 * written out. In names of properties it is escaped as JSON escapes.
 */
export function safeJson(value: unknown): string {
  return `${unseenEscaped(JSON.stringify(value, (_name, item: unknown) => shown(item), 2))}\n`;
}

function shown(item: unknown): unknown {
  if (typeof item === 'string') return visible(item);
  if (typeof item === 'object' && item !== null && LINES in item) return (item as Lines)[LINES].map(visible).join('\n');
  return item;
}

/** JSON in which nothing but the ends of its lines is left that a terminal would obey: JSON may hold the rest as it is. */
export const unseenEscaped = (json: string): string =>
  json.replace(UNSEEN, (character) => (character === '\n' ? character : inEscapes(character)));

const inEscapes = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
