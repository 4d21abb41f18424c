import { pointerTokens } from '../../../spec/json-pointer.ts';
import { visible } from '../../report/redact.ts';
import { readCutJson, type Node } from './cut-json.ts';

/** A piece of a line: what it is decides how it is coloured. */
export interface BodyPart {
  readonly kind: 'key' | 'type' | 'value' | 'mark' | 'note';
  /** Holds nothing that is invisible, and no line feed. */
  readonly text: string;
}

export interface BodyLine {
  readonly indent: number;
  readonly parts: readonly BodyPart[];
  /** This is the place that the failure points at. */
  readonly isPlace: boolean;
}

export interface BodyView {
  readonly lines: readonly BodyLine[];
  /** `missing`: a line of its own says so. `beyond`: not in the part of the body that was kept. */
  readonly place: 'none' | 'shown' | 'missing' | 'beyond';
}

export interface BodyOptions {
  /** Shows the values. Without it their types stand in their place, and alike items of an array are counted. */
  readonly values: boolean;
  /** JSON Pointer to the place to be marked. */
  readonly at?: string | undefined;
}

const MAX_LENGTH = 20_000;
const MAX_LINES = 400;
/** An array of plain values no longer than this stays on one line. */
const MAX_INLINE = 72;

/** A JSON body, whole or cut off somewhere, as the lines of an outline; `undefined` for anything else. */
export function viewBody(text: string, { values, at }: BodyOptions): BodyView | undefined {
  const root = readCutJson(text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text.replace(/…$/, ''));
  if (!root) return undefined;
  const { lines, place } = outline(root, values, at === undefined ? undefined : pointerTokens(at));
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) shown.push(lineOf(0, [note(`… ${lines.length - MAX_LINES} more lines`)]));
  return { lines: shown, place };
}

/** The lines as plain text, two spaces for each step in. */
export function bodyText({ lines }: BodyView): string {
  return lines
    .map(({ indent, parts, isPlace }) => {
      const text = parts.map((part) => part.text).join('');
      return `${'  '.repeat(indent)}${text}${isPlace ? '   ← here' : ''}`;
    })
    .join('\n');
}

const note = (text: string): BodyPart => ({ kind: 'note', text });

const mark = (text: string): BodyPart => ({ kind: 'mark', text });

const lineOf = (indent: number, parts: readonly BodyPart[], isPlace = false): BodyLine => ({ indent, parts, isPlace });

/** `rest` is the way from a node to the place: empty for the place itself, `undefined` for a node beside the way. */
type Rest = readonly string[] | undefined;

function outline(root: Node, values: boolean, way: Rest): { lines: readonly BodyLine[]; place: BodyView['place'] } {
  const lines: BodyLine[] = [];
  let place: BodyView['place'] = way === undefined ? 'none' : 'beyond';

  const put = (indent: number, parts: readonly BodyPart[], isPlace = false): void => {
    if (isPlace) place = 'shown';
    lines.push(lineOf(indent, parts, isPlace));
  };
  let isEnded = false;
  const putEnd = (indent: number): void => {
    if (!isEnded) put(indent, [note('… the kept part ends here')]);
    isEnded = true;
  };
  const putMissing = (indent: number, name: string): void => {
    lines.push(lineOf(indent, [{ kind: 'key', text: name }, mark(': '), note('nothing here')], true));
    place = 'missing';
  };

  const write = (node: Node, indent: number, lead: readonly BodyPart[], rest: Rest, tail: string): void => {
    const isPlace = rest?.length === 0;
    switch (node.kind) {
      case 'deep':
        return put(indent, [...lead, note('… deeper than is shown'), mark(tail)], isPlace);
      case 'object':
        return writeObject(node, indent, lead, rest, tail);
      case 'array':
        return writeArray(node, indent, lead, rest, tail);
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return put(indent, [...lead, scalar(node, values), mark(tail)], rest !== undefined);
    }
  };

  const writeObject = (
    { entries, isCut }: Extract<Node, { kind: 'object' }>,
    indent: number,
    lead: readonly BodyPart[],
    rest: Rest,
    tail: string,
  ): void => {
    const wanted = rest?.[0];
    const isPlace = rest?.length === 0;
    if (entries.length === 0 && !isCut && wanted === undefined)
      return put(indent, [...lead, mark(`{}${tail}`)], isPlace);
    put(indent, [...lead, mark('{')], isPlace);
    const onTheWay = wanted === undefined ? -1 : entries.findLastIndex(({ name }) => name === wanted);
    entries.forEach(({ raw, node }, index) => {
      const key: readonly BodyPart[] = [{ kind: 'key', text: visible(raw) }, mark(': ')];
      const comma = index < entries.length - 1 || isCut ? ',' : '';
      write(node, indent + 1, key, index === onTheWay ? rest?.slice(1) : undefined, comma);
    });
    if (wanted !== undefined && onTheWay === -1 && !isCut) putMissing(indent + 1, visible(JSON.stringify(wanted)));
    if (isCut) putEnd(indent + 1);
    else put(indent, [mark(`}${tail}`)]);
  };

  const writeArray = (
    { items, isCut }: Extract<Node, { kind: 'array' }>,
    indent: number,
    lead: readonly BodyPart[],
    rest: Rest,
    tail: string,
  ): void => {
    const wanted = rest?.[0] === undefined ? -1 : indexOf(rest[0]);
    const isPlace = rest?.length === 0;
    const runs = runsOf(items, values, wanted);
    const inline = isCut || (rest?.length ?? 0) > 0 ? undefined : inlineArray(runs, values);
    if (inline) return put(indent, [...lead, mark('['), ...inline, mark(`]${tail}`)], isPlace);
    put(indent, [...lead, mark('[')], isPlace);
    runs.forEach(({ node, first, length }, index) => {
      const isOnTheWay = first === wanted;
      const position = isOnTheWay ? [note(`item ${first} `)] : [];
      const times = length > 1 ? [note(`${length} × `)] : [];
      const comma = index < runs.length - 1 || isCut ? ',' : '';
      write(node, indent + 1, [...position, ...times], isOnTheWay ? rest?.slice(1) : undefined, comma);
    });
    if (rest?.[0] !== undefined && (wanted < 0 || wanted >= items.length) && !isCut)
      putMissing(indent + 1, visible(`item ${rest[0]}`));
    if (isCut) putEnd(indent + 1);
    else put(indent, [mark(`]${tail}`)]);
  };

  write(root, 0, [], way, '');
  return { lines, place };
}

const indexOf = (name: string): number => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : -1);

function scalar(node: Extract<Node, { raw: string }>, values: boolean): BodyPart {
  if (!values) return { kind: 'type', text: node.kind };
  return { kind: 'value', text: visible(node.raw) + (node.isCut ? '…' : '') };
}

interface Run {
  readonly node: Node;
  readonly first: number;
  readonly length: number;
}

/** Neighbours of the same shape become one, except for the item `apart`. Where values are shown, each stands alone. */
function runsOf(items: readonly Node[], values: boolean, apart: number): readonly Run[] {
  if (values) return items.map((node, first) => ({ node, first, length: 1 }));
  const runs: Run[] = [];
  let shape: string | undefined;
  items.forEach((node, index) => {
    const here = index === apart ? undefined : shapeOf(node);
    const last = runs.at(-1);
    if (last && here !== undefined && here === shape) runs[runs.length - 1] = { ...last, length: last.length + 1 };
    else runs.push({ node, first: index, length: 1 });
    shape = here;
  });
  return runs;
}

function shapeOf(node: Node): string {
  switch (node.kind) {
    case 'object':
      return `{${node.entries.map(({ raw, node: below }) => `${raw}:${shapeOf(below)}`).join()}${node.isCut ? '…' : '}'}`;
    case 'array':
      return `[${Array.from(new Set(node.items.map(shapeOf))).join()}${node.isCut ? '…' : ']'}`;
    case 'deep':
      return '…';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return node.kind;
  }
}

function inlineArray(runs: readonly Run[], values: boolean): readonly BodyPart[] | undefined {
  const parts: BodyPart[] = [];
  for (const { node, length } of runs) {
    if (!('raw' in node)) return undefined;
    if (parts.length > 0) parts.push(mark(', '));
    if (length > 1) parts.push(note(`${length} × `));
    parts.push(scalar(node, values));
  }
  return parts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_INLINE ? parts : undefined;
}
