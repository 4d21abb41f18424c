import { badge, button, empty, h, refill, svg } from '../elements/dom.js';
import { count, short } from '../elements/format.js';
import { fitInto, layoutFlow, zoomed } from './flow-layout.js';

const STEP = 80;
const ZOOM = 1.25;
/** Characters that fit a row, about; the full text is its tooltip. */
const ROW_CHARACTERS = 36;

/** An agent's flow: groups with their blocks, events, edges. Moved and zoomed by mouse, touch, keyboard or buttons. */
export function flowGraph(agent) {
  let view = { scale: 1, x: 0, y: 0 };
  let layout = layoutFlow(agent);
  if (layout.boxes.length === 0)
    return empty('Nothing to draw', h('p', {}, 'The agent has neither groups nor events; its JSON shows what it has.'));
  const scene = svg('g', {});
  const drawing = svg(
    'svg',
    {
      class: 'flow',
      tabindex: 0,
      role: 'group',
      'aria-label': 'Flow. Arrows move it, plus and minus zoom, 0 fits it.',
      onkeydown: press,
      onwheel: wheel,
      onpointerdown: grab,
    },
    svg(
      'defs',
      {},
      svg('clipPath', { id: 'row' }, svg('rect', { x: 0, y: 0, width: 252, height: 30 })),
      svg(
        'marker',
        { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
        svg('path', { d: 'M0 0L8 4L0 8z', class: 'tip' }),
      ),
    ),
    scene,
  );
  const note = h('p', { class: 'hint' });
  const arrange = button('', () => redraw(!layout.isTidy), { class: 'plain' });

  function redraw(isTidy) {
    layout = layoutFlow(agent, isTidy);
    draw();
    fit();
  }
  function draw() {
    scene.replaceChildren(
      ...layout.edges.map((edge) => svg('path', { class: 'edge', d: edge.path, 'marker-end': 'url(#arrow)' })),
      ...layout.boxes.map((box) => boxElement(box, layout)),
    );
    for (const [i, { from, to }] of layout.edges.entries()) {
      const path = scene.children[i];
      for (const box of [from, to]) {
        const element = scene.children[layout.edges.length + layout.boxes.indexOf(box)];
        element.addEventListener('pointerenter', () => path.classList.add('near'));
        element.addEventListener('pointerleave', () => path.classList.remove('near'));
      }
    }
    arrange.textContent = layout.isTidy ? 'As placed' : 'Tidy';
    arrange.title = layout.isTidy ? 'Draw the groups where their coordinates say' : 'Draw the groups in columns';
    refill(
      note,
      count(layout.boxes.filter(({ kind }) => kind === 'group').length, 'group'),
      ' · ',
      count(layout.edges.length, 'edge'),
      ...(layout.loose > 0
        ? [' ', badge(`${layout.loose} lead nowhere`, 'warn', 'Edges from or to something that is not there')]
        : []),
    );
  }
  function look(next) {
    view = next;
    scene.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
  }
  const size = () => ({ width: drawing.clientWidth || 800, height: drawing.clientHeight || 500 });
  const middle = () => ({ x: size().width / 2, y: size().height / 2 });
  /** On a small screen a wide flow would be too small to read: then its beginning is shown. */
  function fit() {
    const fitted = fitInto(layout.bounds, size());
    if (fitted.scale >= 0.3 || layout.boxes.length < 2) return look(fitted);
    const scale = 0.55;
    look({ scale, x: 24 - layout.bounds.x * scale, y: 24 - layout.bounds.y * scale });
  }
  const whole = () => look(fitInto(layout.bounds, size()));
  const zoom = (factor, at = middle()) => look(zoomed(view, factor, at));
  const move = (x, y) => look({ ...view, x: view.x + x, y: view.y + y });

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does = {
      '+': () => zoom(ZOOM),
      '=': () => zoom(ZOOM),
      '-': () => zoom(1 / ZOOM),
      0: whole,
      ArrowLeft: () => move(STEP, 0),
      ArrowRight: () => move(-STEP, 0),
      ArrowUp: () => move(0, STEP),
      ArrowDown: () => move(0, -STEP),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }
  /** A plain wheel scrolls the page; with Ctrl, which is what pinching a touchpad sends, it zooms. */
  function wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), pointIn(event));
  }
  const pointIn = ({ clientX, clientY }) => {
    const { left, top } = drawing.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const fingers = new Map();
  function grab(event) {
    if (event.button !== 0) return;
    drawing.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pointIn(event));
    drawing.classList.add('grabbed');
  }
  drawing.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = pointIn(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other)
      zoom(
        Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y)),
        other,
      );
    else move(now.x - before.x, now.y - before.y);
    fingers.set(event.pointerId, now);
  });
  for (const over of ['pointerup', 'pointercancel', 'lostpointercapture'])
    drawing.addEventListener(over, ({ pointerId }) => {
      fingers.delete(pointerId);
      if (fingers.size === 0) drawing.classList.remove('grabbed');
    });

  draw();
  const seen = new ResizeObserver(() => fit());
  seen.observe(drawing);
  return h(
    'div',
    { class: 'flow-frame' },
    h(
      'div',
      { class: 'flow-bar' },
      note,
      h(
        'div',
        { class: 'actions' },
        arrange,
        button('−', () => zoom(1 / ZOOM), { 'aria-label': 'Zoom out', class: 'square' }),
        button('+', () => zoom(ZOOM), { 'aria-label': 'Zoom in', class: 'square' }),
        button('Fit', whole),
      ),
    ),
    drawing,
    outline(layout),
  );
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

/** Whether a text has characters that are about twice as wide as Latin letters. */
const wideOnes = (text) => /[\u1100-\u11ff\u2e80-\uffef\u{1f300}-\u{1faff}]/u.test(text);

/** The same flow as a list, for who would rather read it. */
function outline({ boxes, edges }) {
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
