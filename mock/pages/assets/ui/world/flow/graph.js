import { badge, button, empty, h, refill, svg } from '../../elements/dom.js';
import { count } from '../../elements/format.js';
import { createCamera, listen } from './camera.js';
import { definitions, elementsOf, outline } from './drawing.js';
import { layoutFlow } from './layout.js';

/**
 * An agent's flow: groups with their blocks, events and edges. It can be moved and zoomed by mouse, touch, keyboard or
 * buttons.
 */
export function flowGraph(agent) {
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
    },
    definitions(),
    scene,
  );
  const camera = createCamera(drawing, scene, () => layout.bounds);
  const fit = () => camera.fit(layout.boxes.length);
  const note = h('p', { class: 'hint' });
  const arrange = button('', () => redraw(!layout.isTidy), { class: 'plain' });

  function redraw(isTidy) {
    layout = layoutFlow(agent, isTidy);
    draw();
    fit();
  }
  function draw() {
    scene.replaceChildren(...elementsOf(layout));
    arrange.textContent = layout.isTidy ? 'As placed' : 'Tidy';
    arrange.title = layout.isTidy ? 'Draw the groups where their coordinates say' : 'Draw the groups in columns';
    refill(note, ...contents(layout));
  }

  draw();
  listen(drawing, camera);
  const seen = new ResizeObserver(fit);
  seen.observe(drawing);
  return h(
    'div',
    { class: 'flow-frame' },
    h('div', { class: 'flow-bar' }, note, h('div', { class: 'actions' }, arrange, zoomButtons(camera))),
    drawing,
    outline(layout),
  );
}

const contents = ({ boxes, edges, loose }) => [
  count(boxes.filter(({ kind }) => kind === 'group').length, 'group'),
  ' · ',
  count(edges.length, 'edge'),
  ...(loose > 0 ? [' ', badge(`${loose} lead nowhere`, 'warn', 'Edges from or to something that is not there')] : []),
];

const zoomButtons = ({ nearer, farther, whole }) => [
  button('−', farther, { 'aria-label': 'Zoom out', class: 'square' }),
  button('+', nearer, { 'aria-label': 'Zoom in', class: 'square' }),
  button('Fit', whole),
];
