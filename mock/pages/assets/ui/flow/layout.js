// Positions the parts of an agent's flow. No DOM: this is tested in Node.js. Agents come from requests, so every field
// may be missing or of any type.
import * as dagre from '@dagrejs/dagre';
import { objectsIn } from '../data/result-columns.js';
import { short } from '../format.js';

const WIDTH = 260;
const HEADER = 36;
const BLOCK = 26;
const ITEM = 22;
const FOOT = 8;
const EVENT = { width: 96, height: 36 };
/** A wider flow is not drawn at its own coordinates: nothing would be visible. */
const WIDEST = 60_000;
/** SVG uses single precision: further out, boxes would be distorted. */
const FARTHEST = 1_000_000;
const MOST_ROWS = 60;

/** `isTidy` places the boxes by their links; otherwise they are at their coordinates, if these are usable. In pixels. */
export function layoutFlow(agent, isTidy = false) {
  const boxes = [...objectsIn(agent?.events).map(eventBox), ...objectsIn(agent?.groups).map(groupBox)];
  const links = linksBetween(boxes, objectsIn(agent?.edges));
  const drawn = links.filter(({ from, to }) => from && to);
  const isPlaced = !isTidy && hasUsablePlaces(boxes);
  if (!isPlaced) arrange(boxes, drawn);
  return {
    boxes,
    edges: drawn.map(({ from, to }) => ({ from: from.box, to: to.box, path: curve(from, to) })),
    bounds: boundsOf(boxes),
    isTidy: !isPlaced,
    loose: links.length - drawn.length,
  };
}

const textOf = (value) => (typeof value === 'string' ? value : '');

function eventBox({ id, type, outgoingEdgeId, graphCoordinates }) {
  const { x, y } = graphCoordinates ?? {};
  return { kind: 'event', ids: [id, outgoingEdgeId], title: textOf(type) || 'event', x, y, ...EVENT, rows: [] };
}

function groupBox({ id, title, blocks, graphCoordinates }, index) {
  const { x, y } = graphCoordinates ?? {};
  const all = (Array.isArray(blocks) ? blocks : []).flatMap(rowsOf);
  const rows = all.slice(0, MOST_ROWS);
  const hidden = all.slice(MOST_ROWS);
  // Edges of hidden rows start at the last visible one.
  const ids = hidden.flatMap((row) => row.ids);
  if (hidden.length > 0) rows.push({ kind: 'more', ids, type: '', text: `${hidden.length} more`, height: ITEM });
  let y0 = HEADER;
  for (const row of rows) {
    row.y = y0;
    y0 += row.height;
  }
  const name = textOf(title) || `Group ${index + 1}`;
  return { kind: 'group', ids: [id], title: name, x, y, width: WIDTH, height: y0 + FOOT, rows };
}

function rowsOf(block) {
  if (typeof block !== 'object' || block === null)
    return [{ kind: 'block', ids: [], type: 'any', text: short(JSON.stringify(block) ?? '', 40), height: BLOCK }];
  const row = { kind: 'block', ids: [block.id], type: textOf(block.type) || 'block', text: blockText(block) };
  const items = objectsIn(block.items).map((item) => {
    return { kind: 'item', ids: [item.id], type: '', text: itemText(item), height: ITEM };
  });
  return [{ ...row, height: BLOCK }, ...items];
}

/** What a block says or asks, if it can be found. */
function blockText({ content, options, label }) {
  const { labels, expressionToEvaluate, url } = options ?? {};
  const rich = richText(content?.richText);
  const places = [content, rich, content?.url, labels?.placeholder, expressionToEvaluate, url, label];
  return short(places.map(textOf).find(Boolean) ?? '', 120);
}

function itemText({ content, title }) {
  const comparisons = objectsIn(content?.comparisons).map(({ comparisonOperator, value }) =>
    `${textOf(comparisonOperator) || 'is'} ${textOf(value)}`.trim(),
  );
  const joined = comparisons.join(content?.logicalOperator === 'OR' ? ' or ' : ' and ');
  return short([content, joined, content?.title, title].map(textOf).find(Boolean) ?? 'item', 120);
}

function richText(nodes, depth = 0) {
  if (depth > 8) return '';
  return objectsIn(nodes)
    .map((node) => textOf(node.text) || richText(node.children, depth + 1))
    .join(depth === 0 ? ' ' : '');
}

/** The two ends of each edge: a box, and the row in it; undefined where there is no such thing. */
function linksBetween(boxes, edges) {
  const ends = { event: new Map(), group: new Map(), row: new Map() };
  for (const box of boxes)
    for (const row of [undefined, ...box.rows]) {
      const places = row ? ends.row : ends[box.kind];
      for (const id of (row ?? box).ids) if (textOf(id) !== '') places.set(id, { box, row });
    }
  const { event, group, row } = ends;
  return edges.map(({ id, from, to }) => ({
    from:
      row.get(from?.itemId) ??
      row.get(from?.blockId) ??
      event.get(from?.eventId) ??
      event.get(id) ??
      group.get(from?.groupId),
    to: row.get(to?.blockId) ?? group.get(to?.groupId),
  }));
}

function hasUsablePlaces(boxes) {
  if (!boxes.flatMap(({ x, y }) => [x, y]).every((n) => typeof n === 'number' && Math.abs(n) <= FARTHEST)) return false;
  const { width, height } = boundsOf(boxes);
  const places = new Set(boxes.map(({ x, y }) => `${x} ${y}`));
  return width <= WIDEST && height <= WIDEST && (boxes.length < 2 || places.size > boxes.length / 2);
}

/** Columns from left to right, by the links. */
function arrange(boxes, links) {
  const graph = new dagre.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 48, ranksep: 120 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [i, { width, height }] of boxes.entries()) graph.setNode(String(i), { width, height });
  for (const { from, to } of links) graph.setEdge(String(boxes.indexOf(from.box)), String(boxes.indexOf(to.box)));
  dagre.layout(graph);
  for (const [i, box] of boxes.entries()) {
    const { x, y } = graph.node(String(i));
    Object.assign(box, { x: x - box.width / 2, y: y - box.height / 2 });
  }
}

/** The middle of a row, or of the title of a box, from its top. */
function heightOf({ box, row }) {
  if (row) return row.y + row.height / 2;
  return Math.min(box.height, HEADER) / 2;
}

function curve(from, to) {
  const [x1, y1] = [from.box.x + from.box.width, from.box.y + heightOf(from)];
  const [x2, y2] = [to.box.x, to.box.y + heightOf(to)];
  const ahead = x2 - x1;
  const bend = ahead > 0 ? Math.max(40, ahead / 2) : Math.min(240, 80 - ahead / 4);
  const [a, b, c, d, e, f] = [x1, y1, x1 + bend, x2 - bend, x2, y2].map((n) => Math.round(n * 10) / 10);
  return `M${a} ${b}C${c} ${b} ${d} ${f} ${e} ${f}`;
}

function boundsOf(boxes) {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + width), Math.max(bottom, y + height)];
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
