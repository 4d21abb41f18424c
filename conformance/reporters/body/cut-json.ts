/** The result of reading JSON that may end anywhere. */
export type Node =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null'; readonly raw: string; readonly isCut: boolean }
  | { readonly kind: 'object'; readonly entries: readonly Entry[]; readonly isCut: boolean }
  | { readonly kind: 'array'; readonly items: readonly Node[]; readonly isCut: boolean }
  | { readonly kind: 'deep' };

export interface Entry {
  readonly name: string;
  /** The name as written, with its quotes. */
  readonly raw: string;
  readonly node: Node;
}

/** Deeper nesting is ignored. */
const MAX_DEPTH = 24;

/** A text, and the current position in it. */
interface Reader {
  readonly source: string;
  position: number;
}

/** Reads JSON that may end anywhere. `undefined` if the text cannot be the beginning of any JSON. */
export function readCutJson(source: string): Node | undefined {
  const reader: Reader = { source, position: 0 };
  if (isAtEnd(reader)) return undefined;
  const root = value(reader, 0);
  return root && isAtEnd(reader) ? root : undefined;
}

function isAtEnd(reader: Reader): boolean {
  while (' \t\n\r'.includes(reader.source[reader.position] ?? '-')) reader.position++;
  return reader.position >= reader.source.length;
}

const next = ({ source, position }: Reader): string | undefined => source[position];

function value(reader: Reader, depth: number): Node | undefined {
  const character = next(reader) ?? '';
  if (character === '"') return { kind: 'string', ...string(reader) };
  if (character !== '{' && character !== '[') return plain(reader);
  if (depth >= MAX_DEPTH) return skipped(reader);
  reader.position++;
  return character === '{' ? object(reader, depth) : array(reader, depth);
}

/** The string at the current position, which is its opening quote. */
function string(reader: Reader): { raw: string; isCut: boolean } {
  const { source } = reader;
  const start = reader.position++;
  while (reader.position < source.length) {
    const character = source[reader.position++];
    if (character === '\\') reader.position++;
    else if (character === '"') return { raw: source.slice(start, reader.position), isCut: false };
  }
  reader.position = source.length;
  return { raw: source.slice(start), isCut: true };
}

function skipped(reader: Reader): Node {
  let depth = 0;
  while (reader.position < reader.source.length) {
    const character = next(reader);
    if (character === '"') {
      string(reader);
      continue;
    }
    reader.position++;
    if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) break;
  }
  return { kind: 'deep' };
}

function object(reader: Reader, depth: number): Node | undefined {
  const { source } = reader;
  const entries: Entry[] = [];
  for (;;) {
    if (isAtEnd(reader)) return { kind: 'object', entries, isCut: true };
    if (next(reader) === '}' && entries.length === 0) break;
    if (next(reader) !== '"') return undefined;
    const { raw, isCut } = string(reader);
    if (isCut || isAtEnd(reader)) return { kind: 'object', entries, isCut: true };
    if (source[reader.position++] !== ':') return undefined;
    if (isAtEnd(reader)) return { kind: 'object', entries, isCut: true };
    const node = value(reader, depth + 1);
    if (!node) return undefined;
    entries.push({ name: decoded(raw), raw, node });
    if (isAtEnd(reader)) return { kind: 'object', entries, isCut: true };
    if (next(reader) === '}') break;
    if (source[reader.position++] !== ',') return undefined;
  }
  reader.position++;
  return { kind: 'object', entries, isCut: false };
}

function array(reader: Reader, depth: number): Node | undefined {
  const items: Node[] = [];
  for (;;) {
    if (isAtEnd(reader)) return { kind: 'array', items, isCut: true };
    if (next(reader) === ']' && items.length === 0) break;
    const node = value(reader, depth + 1);
    if (!node) return undefined;
    items.push(node);
    if (isAtEnd(reader)) return { kind: 'array', items, isCut: true };
    if (next(reader) === ']') break;
    if (reader.source[reader.position++] !== ',') return undefined;
  }
  reader.position++;
  return { kind: 'array', items, isCut: false };
}

/** A number, or a literal of JSON. */
function plain(reader: Reader): Node | undefined {
  const { source, position } = reader;
  const [word = ''] = /^[\w.+-]*/.exec(source.slice(position, position + 400)) ?? [];
  reader.position += word.length;
  const isLast = reader.position >= source.length;
  for (const [text, kind] of WORDS) {
    if (word === text) return { kind, raw: word, isCut: false };
    if (isLast && word !== '' && text.startsWith(word)) return { kind, raw: word, isCut: true };
  }
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return { kind: 'number', raw: word, isCut: false };
  if (isLast && /^-?\d*\.?\d*(?:[eE][+-]?)?$/.test(word)) return { kind: 'number', raw: word, isCut: true };
  return undefined;
}

const WORDS = [
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
] as const;

function decoded(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1, -1);
  }
}
