import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { pointerTokens } from '../../../spec/json-pointer.ts';
import { excessOf } from '../../../text/json-limits.ts';
import { visible } from '../../../text/visible.ts';

/** A body in lines without invisible characters. */
export type BodyOutline = ReturnType<typeof windowOf>;

const MAX_LINES = 400;
/** The parser recurses. */
const MAX_PARSED_DEPTH = 500;
/** A longer array of plain values takes several lines. */
const MAX_INLINE = 72;
/** Lines before and after the place that are near it. */
const NEAR = 12;

/**
 * A JSON body, whole or cut off anywhere; `undefined` for anything else. Without `values` their types appear, and similar items of
 * an array are counted; `at` is a JSON Pointer to the marked place.
 */
export function outlineJson(text: string, { values, at }: { values: boolean; at?: string | undefined }) {
  const source = text.slice(0, 20_000).replace(/…$/, '');
  const root = readCutJson(source);
  if (!root) return undefined;
  const page: Page = { source, values, lines: [], place: -1 };
  const way = at === undefined ? undefined : pointerTokens(at);
  write(page, root, { indent: 0, lead: '', tail: '', way, cuts: unclosed(source) });
  const lines = page.lines.slice(0, MAX_LINES);
  if (page.lines.length > MAX_LINES) lines.push(`… ${page.lines.length - MAX_LINES} more lines`);
  return windowOf(lines, page.place);
}

/** Lines, with those near the place (the index of one, or -1), or the first ones, from `from` up to before `to`. */
export function windowOf(lines: readonly string[], place = -1) {
  const from = Math.max(0, place - NEAR);
  return { lines, place, from, to: Math.min(lines.length, from + 2 * NEAR + 1) };
}

function unclosed(source: string): number {
  const signs = source.replace(/"(?:[^"\\]|\\.)*"?/gs, '');
  return signs.replace(/[^[{]/g, '').length - signs.replace(/[^\]}]/g, '').length;
}

/** The tree of a JSON text that may end anywhere. */
function readCutJson(source: string): Node | undefined {
  if (excessOf(source, MAX_PARSED_DEPTH) === 'levels') return undefined;
  // Half of a number or of a literal cannot be read.
  return beginningOf(source) ?? beginningOf(source.replace(/[\w.+-]{1,40}$/, ''), true);
}

function beginningOf(source: string, isCut = false): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { disallowComments: true });
  const isAtEnd = ({ offset, length }: ParseError): boolean =>
    length === 0 || (source[offset] === '"' && offset + length === source.length);
  return errors.every(isAtEnd) && !(isCut && errors.length === 0) ? root : undefined;
}

interface Page {
  readonly source: string;
  readonly values: boolean;
  readonly lines: string[];
  place: number;
}

/** Where a node goes: the text around it, and the names that lead from it to the place. */
interface Spot {
  readonly indent: number;
  readonly lead: string;
  readonly tail: string;
  /** Empty at the place itself, `undefined` off the path. */
  readonly way: readonly string[] | undefined;
  /** How many objects and arrays, from this one on, were cut. */
  readonly cuts: number;
}

function write(page: Page, node: Node, spot: Spot): void {
  const { indent, lead, tail, way, cuts } = spot;
  const isPlace = way?.length === 0;
  const [open, close] = BRACKETS[node.type] ?? [];
  if (open === undefined) return put(page, indent, `${lead}${scalar(page, node)}${tail}`, way !== undefined);
  if (indent >= 24) return put(page, indent, `${lead}… deeper levels are not shown${tail}`, isPlace);
  const members = membersOf(page, node, way?.[0]);
  const wanted = way?.[0];
  const isCut = cuts > 0;
  const inline = inlineOf(page, node.type, members);
  if (inline !== undefined && wanted === undefined && !isCut)
    return put(page, indent, `${lead}${open}${inline}${close}${tail}`, isPlace);
  put(page, indent, lead + open, isPlace);
  for (const member of members) {
    const isLast = member === members.at(-1);
    write(page, member.node, {
      indent: indent + 1,
      lead: member.label,
      tail: isLast && !isCut ? '' : ',',
      way: member.isOnTheWay ? way?.slice(1) : undefined,
      cuts: isLast ? cuts - 1 : 0,
    });
  }
  if (isCut) {
    if (page.lines.at(-1)?.trim() !== CUT) put(page, indent + 1, CUT);
    return;
  }
  if (wanted !== undefined && !members.some(({ isOnTheWay }) => isOnTheWay)) {
    const name = node.type === 'array' ? `item ${wanted}` : JSON.stringify(wanted);
    put(page, indent + 1, visible(`${name}: nothing here`), true);
  }
  put(page, indent, close + tail);
}

const CUT = '… the kept part ends here';

const BRACKETS: Readonly<Record<string, readonly [string, string]>> = { object: ['{', '}'], array: ['[', ']'] };

function put(page: Page, indent: number, text: string, isPlace = false): void {
  if (isPlace) page.place = page.lines.length;
  page.lines.push('  '.repeat(indent) + text);
}

const rawOf = ({ source }: Page, { offset, length }: Node): string => source.slice(offset, offset + length);

function scalar(page: Page, node: Node): string {
  if (!page.values) return node.type;
  const raw = rawOf(page, node);
  const isCut = node.type === 'string' && !/^"(?:[^"\\]|\\.)*"$/s.test(raw);
  return visible(raw) + (isCut ? '…' : '');
}

type Member = Readonly<{ label: string; node: Node; isOnTheWay: boolean }>;

function membersOf(page: Page, { type, children = [] }: Node, wanted: string | undefined): readonly Member[] {
  if (type === 'array') return itemsOf(page, children, wanted);
  // The last of several properties with one name counts.
  const onTheWay = children.findLastIndex(({ children: [name] = [] }) => name?.value === wanted);
  return children.flatMap(({ children: [name, node] = [] }, index) => {
    if (!name || !node) return [];
    return [{ label: `${visible(rawOf(page, name))}: `, node, isOnTheWay: wanted !== undefined && index === onTheWay }];
  });
}

/** Merges neighbours of the same shape, except for the wanted item. If values are shown, nothing is merged. */
function itemsOf({ values }: Page, items: readonly Node[], wanted: string | undefined): readonly Member[] {
  const merged: { node: Node; shape: string; count: number; isOnTheWay: boolean }[] = [];
  for (const [index, node] of items.entries()) {
    const isOnTheWay = String(index) === wanted;
    const shape = values || isOnTheWay ? `item ${index}` : shapeOf(node);
    const last = merged.at(-1);
    if (last?.shape === shape) last.count++;
    else merged.push({ node, shape, count: 1, isOnTheWay });
  }
  return merged.map(({ node, count, isOnTheWay }) => {
    if (isOnTheWay) return { label: `item ${wanted} `, node, isOnTheWay };
    return { label: count > 1 ? `${count} × ` : '', node, isOnTheWay };
  });
}

function shapeOf(node: Node): string {
  const { type, children } = node;
  if (children === undefined) return type;
  if (type === 'array') return `[${[...new Set(children.map(shapeOf))].join()}]`;
  const names = children.map(({ children: [name, value] = [] }) => `${name?.value}:${value && shapeOf(value)}`);
  return `{${names.join()}}`;
}

function inlineOf(page: Page, type: Node['type'], members: readonly Member[]): string | undefined {
  if (members.length === 0) return '';
  if (type !== 'array' || members.some(({ node }) => node.children !== undefined)) return undefined;
  const text = members.map(({ label, node }) => label + scalar(page, node)).join(', ');
  return text.length <= MAX_INLINE ? text : undefined;
}
