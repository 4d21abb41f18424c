// Moves and zooms the drawing of a flow by mouse, touch, keyboard or buttons.
import { fitInto, zoomed } from './layout.js';

const STEP = 80;
const ZOOM = 1.25;

/** Positions `scene` within `drawing`; `bounds()` returns its extent. */
export function createCamera(drawing, scene, bounds) {
  let view = { scale: 1, x: 0, y: 0 };
  const size = () => ({ width: drawing.clientWidth || 800, height: drawing.clientHeight || 500 });
  const look = (next) => {
    view = next;
    scene.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
  };
  const zoom = (factor, at = { x: size().width / 2, y: size().height / 2 }) => look(zoomed(view, factor, at));
  return {
    zoom,
    nearer: () => zoom(ZOOM),
    farther: () => zoom(1 / ZOOM),
    move: (x, y) => look({ ...view, x: view.x + x, y: view.y + y }),
    whole: () => look(fitInto(bounds(), size())),
    /**
     * On a small screen a wide flow would be too small to read, so its beginning is shown, unless it is a single box.
     */
    fit(boxes) {
      const fitted = fitInto(bounds(), size());
      if (fitted.scale >= 0.3 || boxes < 2) return look(fitted);
      const scale = 0.55;
      look({ scale, x: 24 - bounds().x * scale, y: 24 - bounds().y * scale });
    },
  };
}

/** Lets keys, wheel and touch on `drawing` move the camera. */
export function listen(drawing, camera) {
  drawing.addEventListener('keydown', (event) => press(event, camera));
  // A plain wheel scrolls the page. With Ctrl, which pinching a touchpad also sends, it zooms.
  drawing.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY / 300), pointIn(drawing, event));
  });
  drag(drawing, camera);
}

function press(event, { nearer, farther, whole, move }) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const does = {
    '+': nearer,
    '=': nearer,
    '-': farther,
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

function pointIn(drawing, { clientX, clientY }) {
  const { left, top } = drawing.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** One finger moves, two zoom. */
function drag(drawing, { move, zoom }) {
  const fingers = new Map();
  drawing.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    drawing.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pointIn(drawing, event));
    drawing.classList.add('grabbed');
  });
  drawing.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = pointIn(drawing, event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    const apart = ({ x, y }) => Math.hypot(x - other.x, y - other.y);
    if (other) zoom(apart(now) / Math.max(1, apart(before)), other);
    else move(now.x - before.x, now.y - before.y);
    fingers.set(event.pointerId, now);
  });
  for (const over of ['pointerup', 'pointercancel', 'lostpointercapture'])
    drawing.addEventListener(over, ({ pointerId }) => {
      fingers.delete(pointerId);
      if (fingers.size === 0) drawing.classList.remove('grabbed');
    });
}
