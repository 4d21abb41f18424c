import { pointerTokens } from '../../../spec/json-pointer.ts';
import { visible } from '../../report/redact.ts';
import { readCutJson, type Node } from './cut-json.ts';

/** A piece of a line; its kind decides its colour. */
export interface BodyPart {
  readonly kind: 'key' | 'type' | 'value' | 'mark' | 'note';
  /** Holds no invisible characters and no line feed. */
  readonly text: string;
}

export interface BodyLine {
  readonly indent: number;
  readonly parts: readonly BodyPart[];
  /** The place that the failure points at. */
  readonly isPlace: boolean;
}

export interface BodyView {
  readonly lines: readonly BodyLine[];
  /** `missing`: a separate line says so. `beyond`: outside the kept part of the body. */
  readonly place: 'none' | 'shown' | 'missing' | 'beyond';
}

export interface BodyOptions {
  /** Shows the values. Otherwise their types appear, and similar items of an array are counted. */
  readonly values: boolean;
  /** JSON Pointer to the marked place. */
  readonly at?: string | undefined;
}

const MAX_LENGTH = 20_000;
const MAX_LINES = 400;
/** A longer array of plain values takes several lines. */
const MAX_INLINE = 72;

/** A JSON body, whole or cut off, as the lines of an outline; `undefined` for anything else. */
export function viewBody(text: string, { values, at }: BodyOptions): BodyView | undefined {
  const root = readCutJson(text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text.replace(/…$/, ''));
  if (!root) return undefined;
  const { lines, place } = outline(root, values, at === undefined ? undefined : pointerTokens(at));
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) shown.push(lineOf(0, [note(`… ${lines.length - MAX_LINES} more lines`)]));
  return { lines: shown, place };
}

/** The lines as plain text, indented by two spaces. */
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

/** `rest` is the path from a node to the place: empty at the place itself, `undefined` off the path. */
type Rest = readonly string[] | undefined;

/** The lines, and whether the place was found on the way. */
interface Page {
  readonly lines: BodyLine[];
  readonly values: boolean;
  place: BodyView['place'];
  isEnded: boolean;
}

/** The position of a node: its indentation, the text before and after it, and the distance to the place. */
interface Spot {
  readonly indent: number;
  readonly lead: readonly BodyPart[];
  readonly rest: Rest;
  readonly tail: string;
}

function outline(root: Node, values: boolean, way: Rest): { lines: readonly BodyLine[]; place: BodyView['place'] } {
  const page: Page = { lines: [], values, place: way === undefined ? 'none' : 'beyond', isEnded: false };
  write(page, root, { indent: 0, lead: [], rest: way, tail: '' });
  return page;
}

function put(page: Page, indent: number, parts: readonly BodyPart[], isPlace = false): void {
  if (isPlace) page.place = 'shown';
  page.lines.push(lineOf(indent, parts, isPlace));
}

function putEnd(page: Page, indent: number): void {
  if (!page.isEnded) put(page, indent, [note('… the kept part ends here')]);
  page.isEnded = true;
}

function putMissing(page: Page, indent: number, name: string): void {
  page.lines.push(lineOf(indent, [{ kind: 'key', text: name }, mark(': '), note('nothing here')], true));
  page.place = 'missing';
}

function write(page: Page, node: Node, spot: Spot): void {
  const { indent, lead, rest, tail } = spot;
  switch (node.kind) {
    case 'deep':
      return put(page, indent, [...lead, note('… deeper levels are not shown'), mark(tail)], rest?.length === 0);
    case 'object':
      return writeObject(page, node, spot);
    case 'array':
      return writeArray(page, node, spot);
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return put(page, indent, [...lead, scalar(node, page.values), mark(tail)], rest !== undefined);
  }
}

function writeObject(page: Page, node: Extract<Node, { kind: 'object' }>, { indent, lead, rest, tail }: Spot): void {
  const { entries, isCut } = node;
  const wanted = rest?.[0];
  const isPlace = rest?.length === 0;
  if (entries.length === 0 && !isCut && wanted === undefined)
    return put(page, indent, [...lead, mark(`{}${tail}`)], isPlace);
  put(page, indent, [...lead, mark('{')], isPlace);
  const onTheWay = wanted === undefined ? -1 : entries.findLastIndex(({ name }) => name === wanted);
  entries.forEach(({ raw, node: below }, index) => {
    write(page, below, {
      indent: indent + 1,
      lead: [{ kind: 'key', text: visible(raw) }, mark(': ')],
      rest: index === onTheWay ? rest?.slice(1) : undefined,
      tail: index < entries.length - 1 || isCut ? ',' : '',
    });
  });
  if (wanted !== undefined && onTheWay === -1 && !isCut) putMissing(page, indent + 1, visible(JSON.stringify(wanted)));
  if (isCut) putEnd(page, indent + 1);
  else put(page, indent, [mark(`}${tail}`)]);
}

function writeArray(page: Page, node: Extract<Node, { kind: 'array' }>, { indent, lead, rest, tail }: Spot): void {
  const { items, isCut } = node;
  const { values } = page;
  const wanted = rest?.[0] === undefined ? -1 : indexOf(rest[0]);
  const isPlace = rest?.length === 0;
  const runs = runsOf(items, values, wanted);
  const inline = isCut || (rest?.length ?? 0) > 0 ? undefined : inlineArray(runs, values);
  if (inline) return put(page, indent, [...lead, mark('['), ...inline, mark(`]${tail}`)], isPlace);
  put(page, indent, [...lead, mark('[')], isPlace);
  runs.forEach(({ node: below, first, length }, index) => {
    const isOnTheWay = first === wanted;
    const position = isOnTheWay ? [note(`item ${first} `)] : [];
    const times = length > 1 ? [note(`${length} × `)] : [];
    write(page, below, {
      indent: indent + 1,
      lead: [...position, ...times],
      rest: isOnTheWay ? rest?.slice(1) : undefined,
      tail: index < runs.length - 1 || isCut ? ',' : '',
    });
  });
  if (rest?.[0] !== undefined && (wanted < 0 || wanted >= items.length) && !isCut)
    putMissing(page, indent + 1, visible(`item ${rest[0]}`));
  if (isCut) putEnd(page, indent + 1);
  else put(page, indent, [mark(`]${tail}`)]);
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

/** Merges neighbours of the same shape, except for the item `apart`. If values are shown, nothing is merged. */
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
