import { UNSEEN, visible } from '../../../text/visible.ts';

/** Text that is already HTML. Only `html` and `trusted` make it. */
export interface Markup {
  readonly markup: string;
}

type Inserted = Markup | string | number | undefined | false | readonly Inserted[];

/** HTML with every value escaped, unless it is HTML. Attributes are quoted, and hold at most one insertion. */
export function html(literals: TemplateStringsArray, ...values: readonly Inserted[]): Markup {
  let markup = '';
  for (const [index, literal] of literals.entries()) {
    markup += literal.replace(/\s*\n\s*/g, '\n') + written(values[index], /="[^"]*$/.test(literal));
  }
  return { markup };
}

/** A constant of ours that is HTML. Never for anything from a report. */
export const trusted = (markup: string): Markup => ({ markup });

/** A text that keeps its line breaks; other invisible characters become escapes. */
export function multiline(text: string): Markup {
  return { markup: text.replaceAll('\r\n', '\n').split('\n').map(textOf).join('\n') };
}

function written(value: Inserted, isAttribute: boolean): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    if (isAttribute) return asEntities(visible(value));
    return textOf(value);
  }
  if ('markup' in value) return value.markup;
  return value.map((piece) => written(piece, isAttribute)).join('');
}

/** More combining marks than this on one letter would cover the neighbouring lines. */
const STACKED_MARKS = /(\p{M}{4})(\p{M}+)/gu;

function textOf(text: string): string {
  const flat = text.replace(
    STACKED_MARKS,
    (_, some: string, rest: string) =>
      some + Array.from(rest, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join(''),
  );
  let markup = '';
  let end = 0;
  for (const match of flat.matchAll(UNSEEN)) {
    markup += `${asEntities(flat.slice(end, match.index))}<span class="unseen">${visible(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return markup + asEntities(flat.slice(end));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function asEntities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
