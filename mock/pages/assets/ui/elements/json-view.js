import { button, h } from './dom.js';
import { inline } from './format.js';

const MOST_ITEMS = 100;
const MOST_CHARACTERS = 4000;

/**
 * JSON as a tree that expands and collapses; a part is drawn when it is first expanded. `depth` levels are open at
 * first.
 */
export const jsonView = (value, depth = 2) => h('div', { class: 'json' }, node(undefined, value, depth));

function node(key, value, depth) {
  const label = key === undefined ? [] : [h('span', { class: 'key' }, key), ': '];
  if (typeof value !== 'object' || value === null) return h('div', { class: 'leaf' }, label, scalar(value));
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item]) : Object.entries(value);
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return h('div', { class: 'leaf' }, label, start + end);
  const size = Array.isArray(value) ? entries.length : '';
  let drawn = false;
  const details = h(
    'details',
    { open: depth > 0, ontoggle: draw },
    h('summary', {}, label, start, h('span', { class: 'folded' }, `${glimpse(value)}${end} ${size}`)),
  );
  function draw() {
    if (drawn || !details.open) return;
    drawn = true;
    drawFrom(0);
  }
  function drawFrom(first) {
    for (const [name, item] of entries.slice(first, first + MOST_ITEMS))
      details.append(node(String(name), item, depth - 1));
    const rest = entries.length - first - MOST_ITEMS;
    if (rest <= 0) return void details.append(h('div', { class: 'closing' }, end));
    const more = button(`Show more (${rest})`, () => (more.remove(), drawFrom(first + MOST_ITEMS)), { class: 'plain' });
    details.append(more);
  }
  draw();
  return details;
}

/** The summary of a collapsed part. */
function glimpse(value) {
  const text = inline(value, 60);
  return ` ${text.slice(1, text.endsWith('…') ? undefined : -1)} `;
}

function scalar(value) {
  if (typeof value !== 'string') return h('span', { class: `scalar ${typeof value}` }, String(value));
  const text = JSON.stringify(value);
  const element = h('span', { class: 'scalar string' }, text.slice(0, MOST_CHARACTERS));
  if (text.length > MOST_CHARACTERS) {
    const more = button(`… all ${text.length} characters`, () => (element.textContent = text), { class: 'plain' });
    element.append(more);
  }
  return element;
}
