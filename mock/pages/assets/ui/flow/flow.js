import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Badge, Placeholder, html } from '../elements.js';
import { counted, short } from '../format.js';
import { fittingScale, layoutFlow } from './layout.js';

const PADDING = 32;
const ZOOM = 1.25;
const SMALLEST = 0.02;
const LARGEST = 3;
/** Where fitting would make a flow too small to read, its beginning is shown at the second scale. */
const READABLE = { least: 0.3, instead: 0.55 };
/** The approximate number of characters in a row; the tooltip has the full text. */
const ROW_CHARACTERS = 36;

/** Groups with their blocks, events and edges. It scrolls as any page does; buttons and keys zoom. */
export function FlowDrawing({ agent }) {
  const [isTidy, setTidy] = useState(false);
  const layout = useMemo(() => layoutFlow(agent, isTidy), [agent, isTidy]);
  const { boxes, edges, bounds, loose } = layout;
  const { frame, scale, zoom, fit } = useZoom(layout);
  if (boxes.length === 0)
    return html`<${Placeholder} title="Nothing to draw">
      <p>The agent has neither groups nor events; its JSON shows what it has.</p>
    <//>`;
  const press = (event) => {
    const does = { '+': () => zoom(ZOOM), '=': () => zoom(ZOOM), '-': () => zoom(1 / ZOOM), 0: fit }[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    does();
  };
  const [width, height] = [bounds.width * scale + 2 * PADDING, bounds.height * scale + 2 * PADDING];
  const pad = PADDING / scale;
  const view = [bounds.x - pad, bounds.y - pad, bounds.width + 2 * pad, bounds.height + 2 * pad].join(' ');
  const groups = boxes.filter(({ kind }) => kind === 'group').length;
  return html`<div class="stack">
    <div class="head">
      <p class="hint">
        ${counted(groups, 'group')} · ${counted(edges.length, 'edge')}
        ${loose > 0 && html`<${Badge} kind="warn">${loose} lead nowhere<//>`}
      </p>
      <div class="actions">
        <button class="plain" onClick=${() => setTidy(!layout.isTidy)}>${layout.isTidy ? 'As placed' : 'Tidy'}</button>
        <button aria-label="Zoom out" onClick=${() => zoom(1 / ZOOM)}>−</button>
        <button aria-label="Zoom in" onClick=${() => zoom(ZOOM)}>+</button>
        <button onClick=${fit}>Fit</button>
      </div>
    </div>
    <div
      class="flow"
      ref=${frame}
      tabindex="0"
      role="group"
      aria-label="Flow. Arrows move it, plus and minus zoom, 0 fits it."
      onKeyDown=${press}
      onPointerDown=${drag}
    >
      <svg width=${width} height=${height} viewBox=${view}><${Drawing} boxes=${boxes} edges=${edges} /></svg>
    </div>
    <${Outline} boxes=${boxes} edges=${edges} />
  </div>`;
}

/** The frame of the drawing, and its scale; what is in the middle of the frame stays there when it changes. */
function useZoom({ bounds, boxes }) {
  const frame = useRef();
  const [scale, setScale] = useState(1);
  const zoom = (factor) => setScale(Math.min(LARGEST, Math.max(SMALLEST, scale * factor)));
  const fit = () => {
    if (!frame.current) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    const fitted = fittingScale(bounds, { width, height }, PADDING);
    setScale(fitted >= READABLE.least || boxes.length < 2 ? fitted : READABLE.instead);
  };
  const before = useRef(scale);
  useLayoutEffect(() => {
    const { current } = frame;
    const moved = (scroll, half) => (scroll + half - PADDING) * (scale / before.current) + PADDING - half;
    current?.scrollTo(
      moved(current.scrollLeft, current.clientWidth / 2),
      moved(current.scrollTop, current.clientHeight / 2),
    );
    before.current = scale;
  }, [scale]);
  useEffect(() => {
    if (!frame.current) return;
    const resized = new ResizeObserver(fit);
    resized.observe(frame.current);
    return () => resized.disconnect();
  }, [bounds]);
  return { frame, scale, zoom, fit };
}

/** Moves the drawing with the mouse; touch scrolls by itself. */
function drag(event) {
  if (event.button !== 0 || event.pointerType === 'touch') return;
  const { currentTarget: frame, pointerId } = event;
  frame.setPointerCapture(pointerId);
  const move = ({ movementX, movementY }) => frame.scrollBy(-movementX, -movementY);
  frame.addEventListener('pointermove', move);
  frame.addEventListener('lostpointercapture', () => frame.removeEventListener('pointermove', move), { once: true });
}

/** Edges and boxes; an edge is highlighted while the pointer is on a box at its end. */
function Drawing({ boxes, edges }) {
  const [near, setNear] = useState();
  const kind = ({ from, to }) => (near && (from === near || to === near) ? 'edge near' : 'edge');
  return html`<defs>
      <clipPath id="row"><rect width="252" height="30" /></clipPath>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0 0L8 4L0 8z" class="tip" />
      </marker>
    </defs>
    ${edges.map((edge) => html`<path class=${kind(edge)} d=${edge.path} marker-end="url(#arrow)" />`)}
    ${boxes.map((box) => html`<${Box} box=${box} enter=${() => setNear(box)} leave=${() => setNear(undefined)} />`)}`;
}

function Box({ box, enter, leave }) {
  const { kind, x, y, width, height, title, rows } = box;
  const [radius, left] = kind === 'event' ? [height / 2, width / 2] : [10, 14];
  const place = { class: `box ${kind}`, transform: `translate(${x} ${y})` };
  return html`<g ...${place} onPointerEnter=${enter} onPointerLeave=${leave}>
    <rect class="body" width=${width} height=${height} rx=${radius} />
    <text class="title" x=${left} y="23"><title>${title}</title>${clipped(title, 28)}</text>
    ${rows.map((row) => html`<${BoxRow} row=${row} width=${width} />`)}
  </g>`;
}

function BoxRow({ row: { kind, y, height, type, text }, width }) {
  const [left, most] = kind === 'item' ? [30, ROW_CHARACTERS - 2] : [14, ROW_CHARACTERS - Math.min(18, type.length)];
  let back = html`<line x2=${width} y1="0.5" y2="0.5" />`;
  if (kind === 'item') back = html`<rect x="22" y="1" width=${width - 32} height=${height - 3} rx="5" />`;
  return html`<g class=${kind} transform=${`translate(0 ${y})`}>
    <title>${rowText({ type, text })}</title>
    ${back}
    <text x=${left} y=${height / 2 + 4} clip-path="url(#row)">
      <tspan class="type">${clipped(type, 18)}</tspan>
      <tspan dx=${type && 8}>${clipped(text, most)}</tspan>
    </text>
  </g>`;
}

const rowText = ({ type, text }) => [type, text].filter(Boolean).join(': ');

/** The beginning of a text; many scripts have characters of about double width. */
function clipped(text, most) {
  const isWide = /[\u1100-\u11ff\u2e80-\uffef\u{1f300}-\u{1faff}]/u.test(text);
  return short(text, isWide ? Math.floor(most * 0.6) : most);
}

/** The same flow as a list, for people who prefer to read it. */
function Outline({ boxes, edges }) {
  return html`<details class="outline">
    <summary>Read as a list</summary>
    <ol class="stack">
      ${boxes.map((box) => {
        const goals = new Set(edges.filter(({ from }) => from === box).map(({ to }) => to.title));
        return html`<li>
          <strong>${box.title}</strong>
          ${goals.size > 0 && ` leads to ${[...goals].join(', ')}`}
          <ul class="quiet">
            ${box.rows.map((row) => html`<li>${rowText(row)}</li>`)}
          </ul>
        </li>`;
      })}
    </ol>
  </details>`;
}
