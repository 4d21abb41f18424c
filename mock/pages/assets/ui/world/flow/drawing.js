// The parts of a flow's drawing: boxes with their rows, edges, and the same content as a list.
import { h, svg } from '../../elements/dom.js';
import { short } from '../../elements/format.js';

/** The approximate number of characters in a row; the tooltip has the full text. */
const ROW_CHARACTERS = 36;

/** What edges and rows refer to. */
export const definitions = () =>
  svg(
    'defs',
    {},
    svg('clipPath', { id: 'row' }, svg('rect', { x: 0, y: 0, width: 252, height: 30 })),
    svg(
      'marker',
      { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
      svg('path', { d: 'M0 0L8 4L0 8z', class: 'tip' }),
    ),
  );

/** Edges and boxes of a layout; an edge is highlighted while the pointer is on a box at its end. */
export function elementsOf({ edges, boxes }) {
  const paths = edges.map((edge) => svg('path', { class: 'edge', d: edge.path, 'marker-end': 'url(#arrow)' }));
  const drawn = new Map(boxes.map((box) => [box, boxElement(box)]));
  for (const [i, { from, to }] of edges.entries())
    for (const box of [from, to]) {
      drawn.get(box).addEventListener('pointerenter', () => paths[i].classList.add('near'));
      drawn.get(box).addEventListener('pointerleave', () => paths[i].classList.remove('near'));
    }
  return [...paths, ...drawn.values()];
}

function boxElement(box) {
  const { kind, x, y, width, height, title, rows } = box;
  const clip = (text, most) => short(text, wideOnes(text) ? Math.floor(most * 0.6) : most);
  return svg(
    'g',
    { class: `box ${kind}`, transform: `translate(${x} ${y})` },
    svg('rect', { class: 'body', width, height, rx: kind === 'event' ? height / 2 : 10 }),
    svg(
      'text',
      { class: 'title', x: kind === 'event' ? width / 2 : 14, y: 23 },
      svg('title', {}, title),
      clip(title, 28),
    ),
    rows
      .filter(({ isHidden }) => !isHidden)
      .map((row) =>
        svg(
          'g',
          { class: row.kind, transform: `translate(0 ${row.y})` },
          svg('title', {}, [row.type, row.text].filter(Boolean).join(': ')),
          row.kind === 'item'
            ? svg('rect', { x: 22, y: 1, width: width - 32, height: row.height - 3, rx: 5 })
            : svg('line', { x1: 0, x2: width, y1: 0.5, y2: 0.5 }),
          svg(
            'text',
            { x: row.kind === 'item' ? 30 : 14, y: row.height / 2 + 4, 'clip-path': 'url(#row)' },
            row.type && svg('tspan', { class: 'type' }, clip(row.type, 18)),
            row.type && row.text ? '  ' : '',
            svg(
              'tspan',
              {},
              clip(row.text, ROW_CHARACTERS - Math.min(18, row.type.length) - (row.kind === 'item' ? 2 : 0)),
            ),
          ),
        ),
      ),
  );
}

/** Whether a text has characters of about double width. */
const wideOnes = (text) => /[\u1100-\u11ff\u2e80-\uffef\u{1f300}-\u{1faff}]/u.test(text);

/** The same flow as a list, for people who prefer to read it. */
export function outline({ boxes, edges }) {
  const goals = (box) => [...new Set(edges.filter(({ from }) => from === box).map(({ to }) => to.title))];
  return h(
    'details',
    { class: 'outline' },
    h('summary', {}, 'Read as a list'),
    h(
      'ol',
      {},
      boxes.map((box) =>
        h(
          'li',
          {},
          h('strong', {}, box.title),
          goals(box).length > 0 && ` leads to ${goals(box).join(', ')}`,
          h(
            'ul',
            {},
            box.rows
              .filter(({ isHidden }) => !isHidden)
              .map(({ type, text }) => h('li', {}, [type, text].filter(Boolean).join(': '))),
          ),
        ),
      ),
    ),
  );
}
