// Positions the parts of an agent's flow. No DOM: this is tested in Node.js. Agents come from requests, so every field
// may be missing or of any type.
import { short } from '../../elements/format.js';

const WIDTH = 260;
const HEADER = 36;
const BLOCK = 26;
const ITEM = 22;
const FOOT = 8;
const EVENT = { width: 96, height: 36 };
/** Distances between automatic columns, and between boxes of one column. */
const GAP = { x: 120, y: 48 };
/** A wider flow is not drawn at its own coordinates: nothing would be visible. */
const WIDEST = 60_000;
/** SVG uses single precision: further out, boxes would be distorted. */
const FARTHEST = 1_000_000;
const MOST_ROWS = 60;

/**
 * Boxes with rows, and curves between them. `isTidy` places the boxes by their links; otherwise they are at their
 * graphCoordinates, if these are usable. Lengths are in pixels; y grows downwards.
 */
export function layoutFlow(agent, isTidy = false) {
  const events = objects(agent?.events).map(eventBox);
  const groups = objects(agent?.groups).map(groupBox);
  const boxes = [...events, ...groups];
  const ends = endsOf(boxes);
  const links = objects(agent?.edges).map((edge) => ({
    id: textOf(edge.id),
    from: ends.source(edge),
    to: ends.goal(edge),
  }));
  const drawn = links.filter(({ from, to }) => from && to);
  const asGiven = !isTidy && hasUsablePlaces(boxes);
  if (!asGiven) tidy(boxes, drawn);
  return {
    boxes,
    edges: drawn.map(({ id, from, to }) => ({ id, from: from.box, to: to.box, path: curve(from, to) })),
    bounds: boundsOf(boxes),
    isTidy: !asGiven,
    /** Edges with a missing end. */
    loose: links.length - drawn.length,
  };
}

const objects = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []);
const textOf = (value) => (typeof value === 'string' ? value : '');

function eventBox(event) {
  const { x, y } = event.graphCoordinates ?? {};
  const title = textOf(event.type) || 'event';
  return { kind: 'event', id: textOf(event.id), edgeId: textOf(event.outgoingEdgeId), title, x, y, ...EVENT, rows: [] };
}

function groupBox(group, index) {
  const { x, y } = group.graphCoordinates ?? {};
  const all = (Array.isArray(group.blocks) ? group.blocks : []).flatMap(rowsOf);
  const shown = all.slice(0, MOST_ROWS);
  const hidden = all.length - shown.length;
  if (hidden > 0) shown.push({ kind: 'more', id: '', type: '', text: `${hidden} more`, height: ITEM });
  let top = HEADER;
  const rows = shown.map((row) => {
    const placed = { ...row, y: top };
    top += row.height;
    return placed;
  });
  // Edges of hidden rows start at the last visible one.
  for (const { id, kind } of all.slice(MOST_ROWS)) rows.push({ kind, id, y: top - ITEM, height: ITEM, isHidden: true });
  return {
    kind: 'group',
    id: textOf(group.id),
    title: textOf(group.title) || `Group ${index + 1}`,
    x,
    y,
    width: WIDTH,
    height: top + FOOT,
    rows,
  };
}

function rowsOf(block) {
  if (typeof block !== 'object' || block === null)
    return [{ kind: 'block', id: '', type: 'any', text: short(JSON.stringify(block) ?? '', 40), height: BLOCK }];
  const items = objects(block.items).map((item) => ({
    kind: 'item',
    id: textOf(item.id),
    type: '',
    text: itemText(item),
    height: ITEM,
  }));
  return [
    { kind: 'block', id: textOf(block.id), type: textOf(block.type) || 'block', text: blockText(block), height: BLOCK },
    ...items,
  ];
}

/** What a block says or asks, if it can be told. */
export function blockText({ content, options, label }) {
  const said = typeof content === 'string' ? content : plainText(content?.richText) || textOf(content?.url);
  return short(
    said ||
      textOf(options?.labels?.placeholder) ||
      textOf(options?.expressionToEvaluate) ||
      textOf(options?.url) ||
      textOf(label),
    120,
  );
}

function itemText({ content, title }) {
  if (typeof content === 'string') return short(content, 120);
  const compared = objects(content?.comparisons).map(({ comparisonOperator, value }) =>
    `${textOf(comparisonOperator) || 'is'} ${typeof value === 'string' ? value : ''}`.trim(),
  );
  const joined = compared.join(content?.logicalOperator === 'OR' ? ' or ' : ' and ');
  return short(joined || textOf(content?.title) || textOf(title) || 'item', 120);
}

/** The plain text of a rich text tree. */
function plainText(nodes, depth = 0) {
  if (depth > 8) return '';
  return objects(nodes)
    .map((node) => textOf(node.text) || plainText(node.children, depth + 1))
    .join(depth === 0 ? ' ' : '');
}

/** The possible ends of edges, by id. */
function endsOf(boxes) {
  const rows = new Map();
  const groups = new Map();
  const events = new Map();
  for (const box of boxes) {
    if (box.id !== '') (box.kind === 'group' ? groups : events).set(box.id, { box });
    if (box.edgeId) events.set(box.edgeId, { box });
    for (const row of box.rows) if (row.id !== '') rows.set(row.id, { box, row });
  }
  return {
    source: ({ id, from }) =>
      rows.get(from?.itemId) ??
      rows.get(from?.blockId) ??
      events.get(from?.eventId) ??
      events.get(id) ??
      groups.get(from?.groupId),
    goal: ({ to }) => rows.get(to?.blockId) ?? groups.get(to?.groupId),
  };
}

const isUsable = (n) => typeof n === 'number' && Math.abs(n) <= FARTHEST;

function hasUsablePlaces(boxes) {
  const isPlaced = boxes.every(({ x, y }) => isUsable(x) && isUsable(y));
  if (!isPlaced) return false;
  const { width, height } = boundsOf(boxes);
  const places = new Set(boxes.map(({ x, y }) => `${x} ${y}`));
  return width <= WIDEST && height <= WIDEST && (boxes.length < 2 || places.size > boxes.length / 2);
}

/** Columns by the fewest steps from the start; unreachable parts come in columns of their own. */
function tidy(boxes, links) {
  const next = new Map(boxes.map((box) => [box, []]));
  const isGoal = new Set();
  for (const { from, to } of links) {
    if (from.box === to.box) continue;
    next.get(from.box).push(to.box);
    isGoal.add(to.box);
  }
  const columns = [];
  const seen = new Set();
  const walk = (starts) => {
    let level = starts.filter((box) => !seen.has(box));
    for (const box of level) seen.add(box);
    for (let depth = 0; level.length > 0; depth++) {
      columns[depth] = [...(columns[depth] ?? []), ...level];
      const following = [];
      for (const box of level)
        for (const to of next.get(box)) {
          if (seen.has(to)) continue;
          seen.add(to);
          following.push(to);
        }
      level = following;
    }
  };
  walk(boxes.filter(({ kind }) => kind === 'event'));
  walk(boxes.filter((box) => !isGoal.has(box)));
  for (const box of boxes) walk([box]);
  let x = 0;
  for (const column of columns) {
    let y = 0;
    for (const box of column) {
      box.x = x;
      box.y = y;
      y += box.height + GAP.y;
    }
    x += Math.max(...column.map(({ width }) => width)) + GAP.x;
  }
}

function curve({ box: from, row }, { box: to, row: goal }) {
  const x1 = from.x + from.width;
  const y1 = from.y + (row ? row.y + row.height / 2 : from.kind === 'event' ? from.height / 2 : HEADER / 2);
  const x2 = to.x;
  const y2 = to.y + (goal ? goal.y + goal.height / 2 : HEADER / 2);
  if (from.kind === 'event' && !goal && x2 < x1 + 40 && to.y > from.y + from.height) return curveDown(from, to);
  const ahead = x2 - x1;
  const bend = ahead > 0 ? Math.max(40, ahead / 2) : Math.min(240, 80 + Math.abs(ahead) / 4);
  return `M${round(x1)} ${round(y1)}C${round(x1 + bend)} ${round(y1)} ${round(x2 - bend)} ${round(y2)} ${round(x2)} ${round(y2)}`;
}

/** From below an event to the top of the box under it, where a sideways curve would make a loop. */
function curveDown(from, to) {
  const [x1, y1] = [from.x + from.width / 2, from.y + from.height];
  const [x2, y2] = [Math.min(Math.max(x1, to.x + 20), to.x + to.width - 20), to.y];
  const bend = (y2 - y1) / 2;
  return `M${round(x1)} ${round(y1)}C${round(x1)} ${round(y1 + bend)} ${round(x2)} ${round(y2 - bend)} ${round(x2)} ${round(y2)}`;
}

const round = (n) => Math.round(n * 10) / 10;

function boundsOf(boxes) {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The scale and offset at which `bounds` fill a view of the given size in pixels. */
export function fitInto(bounds, view, padding = 32, largest = 1) {
  const free = { width: Math.max(1, view.width - 2 * padding), height: Math.max(1, view.height - 2 * padding) };
  const scale = Math.min(largest, free.width / Math.max(1, bounds.width), free.height / Math.max(1, bounds.height));
  return {
    scale,
    x: (view.width - bounds.width * scale) / 2 - bounds.x * scale,
    y: (view.height - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

/** The view after a zoom by `factor` that keeps the point `at` in place. */
export function zoomed(view, factor, at, { least = 0.02, most = 3 } = {}) {
  const scale = Math.min(most, Math.max(least, view.scale * factor));
  const change = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change };
}
