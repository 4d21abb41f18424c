import { useMemo, useState } from 'preact/hooks';
import { Badge, Placeholder, html } from '../elements.js';
import { counted, short } from '../format.js';
import { layoutFlow } from './layout.js';

const PADDING = 32;
/** The approximate number of characters in a row; the tooltip has the full text. */
const ROW_CHARACTERS = 36;

/** Groups with their blocks, events and edges: as a whole, or at full size, where it scrolls as any page does. */
export function FlowDrawing({ agent }) {
  const [isTidy, setTidy] = useState(false);
  const layout = useMemo(() => layoutFlow(agent, isTidy), [agent, isTidy]);
  const { boxes, edges, bounds, loose } = layout;
  // A wider one would be too small to read.
  const [isWhole, setWhole] = useState(bounds.width <= 3 * innerWidth);
  if (boxes.length === 0)
    return html`<${Placeholder} title="Nothing to draw">
      <p>The agent has neither groups nor events; its JSON shows what it has.</p>
    <//>`;
  const [width, height] = [bounds.width + 2 * PADDING, bounds.height + 2 * PADDING];
  const view = [bounds.x - PADDING, bounds.y - PADDING, width, height].join(' ');
  const size = { maxWidth: `${width}px`, maxHeight: `${height}px` };
  const groups = boxes.filter(({ kind }) => kind === 'group').length;
  return html`<div class="stack">
    <div class="head">
      <p class="hint">
        ${counted(groups, 'group')} · ${counted(edges.length, 'edge')}
        ${loose > 0 && html`<${Badge} kind="warn">${loose} lead nowhere<//>`}
      </p>
      <div class="actions">
        <button class="plain" onClick=${() => setTidy(!layout.isTidy)}>${layout.isTidy ? 'As placed' : 'Tidy'}</button>
        <button aria-pressed=${String(isWhole)} onClick=${() => setWhole(!isWhole)}>Whole</button>
      </div>
    </div>
    <div class="flow" tabindex="0" role="group" aria-label="Flow. Arrows scroll it.">
      <svg class=${isWhole && 'whole'} style=${isWhole && size} ...${{ width, height }} viewBox=${view}>
        <${Drawing} boxes=${boxes} edges=${edges} />
      </svg>
    </div>
    <${Outline} boxes=${boxes} edges=${edges} />
  </div>`;
}

const Drawing = ({ boxes, edges }) =>
  html`<defs>
      <clipPath id="row"><rect width="252" height="30" /></clipPath>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0 0L8 4L0 8z" class="tip" />
      </marker>
    </defs>
    ${edges.map((edge) => html`<path class="edge" d=${edge.path} marker-end="url(#arrow)" />`)}
    ${boxes.map((box) => html`<${Box} box=${box} />`)}`;

function Box({ box: { kind, x, y, width, height, title, rows } }) {
  const [radius, left] = kind === 'event' ? [height / 2, width / 2] : [10, 14];
  return html`<g class=${`box ${kind}`} transform=${`translate(${x} ${y})`}>
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
