// A list that draws only what is near the viewport, however long it is. Rows may have any height.
import { h } from './dom.js';
import { bucketsOf, chosenRow } from './buckets.js';

/** How far beyond the viewport rows are drawn. */
const MARGIN = '600px 0px';
/** The assumed height of a row, in pixels, until it is drawn. */
const GUESS = 41;

/**
 * A list of things with an `id`, in descending order. `keyOf` identifies what a row shows: a row with the same key is
 * kept, and with it the focus. `rowOf` creates the button for a row. Arrows, Home and End move through the whole list,
 * drawn or not.
 */
export function longList({ keyOf, rowOf, label }) {
  const element = h('div', { class: 'rows', role: 'list', 'aria-label': label });
  const list = { keyOf, rowOf, element, chunks: new Map(), all: [], places: new Map() };
  list.watcher = new IntersectionObserver((seen) => seen.forEach((one) => drawIfSeen(list, one)), {
    rootMargin: MARGIN,
  });
  element.addEventListener('keydown', (event) => move(list, event));
  return {
    element,
    /** Shows these things, newest first. */
    show: (things) => show(list, things),
    /** Focuses the row of a thing; false if it is not in the list. */
    focus: (id) => focus(list, id),
    close: () => list.watcher.disconnect(),
  };
}

function show(list, things) {
  list.all = things;
  list.places = new Map(things.map(({ id }, i) => [id, i]));
  const wanted = bucketsOf(things);
  for (const [bucket, chunk] of list.chunks) if (!wanted.has(bucket)) forget(list, bucket, chunk);
  let before = list.element.firstChild;
  for (const [bucket, some] of wanted) {
    const chunk = list.chunks.get(bucket) ?? added(list, bucket);
    chunk.things = some;
    if (chunk.element === before) before = before.nextSibling;
    else list.element.insertBefore(chunk.element, before);
    if (chunk.isDrawn) draw(list, chunk);
    else reserve(chunk);
  }
}

/** Things that are drawn together, or not at all. */
function added(list, bucket) {
  const chunk = { element: h('div', { role: 'presentation' }), rows: new Map(), things: [], isDrawn: false };
  chunk.element.chunk = chunk;
  list.chunks.set(bucket, chunk);
  list.watcher.observe(chunk.element);
  return chunk;
}

function forget(list, bucket, { element }) {
  list.watcher.unobserve(element);
  element.remove();
  list.chunks.delete(bucket);
}

function drawIfSeen(list, { target, isIntersecting }) {
  if (isIntersecting) draw(list, target.chunk);
  else if (!target.contains(document.activeElement)) undraw(target.chunk);
}

/** Unchanged rows are not touched: moving a row would lose the focus. */
function draw({ keyOf, rowOf, places, all }, chunk) {
  chunk.isDrawn = true;
  chunk.element.style.height = '';
  const keys = new Map(chunk.things.map((thing) => [keyOf(thing), thing]));
  for (const [key, item] of chunk.rows)
    if (!keys.has(key)) {
      item.remove();
      chunk.rows.delete(key);
    }
  let before = chunk.element.firstChild;
  for (const [key, thing] of keys) {
    const item = chunk.rows.get(key) ?? h('div', { role: 'listitem' }, rowOf(thing));
    chunk.rows.set(key, item);
    item.setAttribute('aria-posinset', places.get(thing.id) + 1);
    item.setAttribute('aria-setsize', all.length);
    if (item === before) before = before.nextSibling;
    else chunk.element.insertBefore(item, before);
  }
}

function undraw(chunk) {
  if (!chunk.isDrawn) return;
  chunk.rowHeight = chunk.element.offsetHeight / Math.max(1, chunk.rows.size);
  chunk.isDrawn = false;
  chunk.rows.clear();
  chunk.element.replaceChildren();
  reserve(chunk);
}

function reserve({ element, rowHeight = GUESS, things }) {
  element.style.height = `${rowHeight * things.length}px`;
}

function focus(list, id) {
  for (const chunk of list.chunks.values()) {
    const thing = chunk.things.find((one) => one.id === id);
    if (!thing) continue;
    draw(list, chunk);
    chunk.rows.get(list.keyOf(thing)).firstChild.focus();
    return true;
  }
  return false;
}

function move(list, event) {
  const focused = Number(event.target.closest?.('[data-id]')?.dataset.id);
  const next = chosenRow(event.key, list.places.get(focused), list.all.length);
  if (next === undefined) return;
  event.preventDefault();
  focus(list, list.all[next].id);
}
