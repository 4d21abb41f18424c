import { useState } from 'preact/hooks';
import { CopyButton, html } from './elements.js';
import { inline, jsonText } from './format.js';

const MOST_ITEMS = 100;
const MOST_CHARACTERS = 4000;

/** JSON as a tree that expands and collapses; `depth` levels are open at first. */
export const JsonView = ({ value, depth = 2 }) =>
  html`<div class="json"><${Node} value=${value} depth=${depth} /></div>`;

function Node({ name, value, depth }) {
  const [isOpen, setOpen] = useState(depth > 0);
  const [most, setMost] = useState(MOST_ITEMS);
  const label = name !== undefined && html`<span class="accent">${name}</span>: `;
  if (typeof value !== 'object' || value === null)
    return html`<div class="leaf">${label}<${Scalar} value=${value} /></div>`;
  const entries = Object.entries(value);
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return html`<div class="leaf">${label}${start}${end}</div>`;
  const rest = entries.length - most;
  const shown = entries.slice(0, most);
  let last = html`<div class="closing quiet">${end}</div>`;
  if (rest > 0)
    last = html`<button class="plain" onClick=${() => setMost(most + MOST_ITEMS)}>Show more (${rest})</button>`;
  const glimpse = inline(value, 60).replace(/^.|[\]}]$/g, '');
  return html`<details open=${isOpen} onToggle=${({ target }) => setOpen(target.open)}>
    <summary>
      ${label}${start}<span class="folded quiet"> ${glimpse} ${end} ${Array.isArray(value) && entries.length}</span>
    </summary>
    ${isOpen && shown.map(([key, item]) => html`<${Node} name=${key} value=${item} depth=${depth - 1} />`)}
    ${isOpen && last}
  </details>`;
}

function Scalar({ value }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') return html`<span class="warn">${String(value)}</span>`;
  const text = JSON.stringify(value);
  if (isWhole || text.length <= MOST_CHARACTERS) return text;
  const all = html`<button class="plain" onClick=${() => setWhole(true)}>… all ${text.length} characters</button>`;
  return html`${text.slice(0, MOST_CHARACTERS)}${all}`;
}

export const Sheet = ({ value }) =>
  html`<div class="stack">
    <div class="actions"><${CopyButton} text=${() => jsonText(value)}>Copy<//></div>
    <${JsonView} value=${value} depth=${1} />
  </div>`;
