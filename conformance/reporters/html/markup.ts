import { UNSEEN, visible } from '../../report/redact.ts';

/** Text that is already HTML. Only `html` and `trusted` make it. */
export interface Markup {
  readonly markup: string;
}

type Piece = Markup | string | number | undefined | false | readonly Piece[];

/**
 * HTML in which every inserted value is escaped, unless it is already HTML. No value can break out of its place. An
 * attribute value stands between double quotes.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  const { pieces, areAttributes } = templateOf(literals);
  let markup = pieces[0] ?? '';
  values.forEach((value, index) => {
    markup += written(value, areAttributes[index] === true) + (pieces[index + 1] ?? '');
  });
  return { markup };
}

interface Template {
  /** The literals without the source's indentation. */
  readonly pieces: readonly string[];
  /** Which of the values are inside an attribute. */
  readonly areAttributes: readonly boolean[];
}

const templates = new WeakMap<TemplateStringsArray, Template>();

function templateOf(literals: TemplateStringsArray): Template {
  const known = templates.get(literals);
  if (known) return known;
  let where: 'text' | 'tag' | 'attribute' = 'text';
  const areAttributes = literals.map((literal) => {
    for (const character of literal) {
      if (where === 'attribute') where = character === '"' ? 'tag' : where;
      else if (where === 'tag') where = character === '"' ? 'attribute' : character === '>' ? 'text' : where;
      else if (character === '<') where = 'tag';
    }
    return where === 'attribute';
  });
  const template = { pieces: literals.map((literal) => literal.replace(/\s*\n\s*/g, '\n')), areAttributes };
  templates.set(literals, template);
  return template;
}

/** A constant of ours that is HTML. Never for anything from a report. */
export const trusted = (markup: string): Markup => ({ markup });

export const lineFeed: Markup = { markup: '\n' };

/** A text that keeps its line breaks; other invisible characters become escapes. */
export function multiline(text: string): Markup {
  return { markup: text.replaceAll('\r\n', '\n').split('\n').map(textOf).join('\n') };
}

function written(value: Piece, isAttribute: boolean): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return isAttribute ? asEntities(visible(value)) : textOf(value);
  if ('markup' in value) return value.markup;
  return value.map((piece) => written(piece, isAttribute)).join('');
}

/** More combining marks than this on one letter would cover the neighbouring lines. */
const STACKED_MARKS = /(\p{M}{4})(\p{M}+)/gu;

function textOf(text: string): string {
  let markup = '';
  let end = 0;
  const flat = text.replace(
    STACKED_MARKS,
    (_tower, kept: string, rest: string) => `${kept}${Array.from(rest, codeOf).join('')}`,
  );
  for (const match of flat.matchAll(UNSEEN)) {
    markup += `${asEntities(flat.slice(end, match.index))}<span class="unseen">${visible(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return markup + asEntities(flat.slice(end));
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function asEntities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
