// A list of which only what is near the window is drawn, however long it is. Rows may have any height.
import { h } from './dom.js';
import { bucketsOf, chosenRow } from './buckets.js';

/** How far beyond the window rows are drawn. */
const MARGIN = '600px 0px';
/** Pixels that a row is taken to have until it was drawn once. */
const GUESS = 41;

/**
 * A list of things that each have an `id`, in falling order. `keyOf` names what a row shows: one whose name stays is kept, and
 * with it the focus. `rowOf` makes the button that is a row. Arrows, Home and End move through all of it, drawn or not.
 */
export function longList({ keyOf, rowOf, label }) {
  const chunks = new Map();
  let all = [];
  let places = new Map();
  const element = h('div', { class: 'rows', role: 'list', 'aria-label': label, onkeydown: move });
  const watcher = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        const chunk = target.chunk;
        if (isIntersecting) draw(chunk);
        else if (!target.contains(document.activeElement)) undraw(chunk);
      }
    },
    { rootMargin: MARGIN },
  );

  /** Shows these things, newest first. */
  function show(things) {
    all = things;
    places = new Map(things.map(({ id }, i) => [id, i]));
    const wanted = bucketsOf(things);
    for (const [bucket, chunk] of chunks)
      if (!wanted.has(bucket)) {
        watcher.unobserve(chunk.element);
        chunk.element.remove();
        chunks.delete(bucket);
      }
    let before = element.firstChild;
    for (const [bucket, some] of wanted) {
      const chunk = chunks.get(bucket) ?? made(bucket);
      chunk.things = some;
      if (chunk.element === before) before = before.nextSibling;
      else element.insertBefore(chunk.element, before);
      if (chunk.isDrawn) draw(chunk);
      else reserve(chunk);
    }
  }

  function made(bucket) {
    const chunk = { element: h('div', { role: 'presentation' }), rows: new Map(), things: [], isDrawn: false };
    chunk.element.chunk = chunk;
    chunks.set(bucket, chunk);
    watcher.observe(chunk.element);
    return chunk;
  }

  /** Rows that stay are not touched: a row that is moved loses the focus. */
  function draw(chunk) {
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

  function reserve(chunk) {
    chunk.element.style.height = `${(chunk.rowHeight ?? GUESS) * chunk.things.length}px`;
  }

  /** Puts the focus on the row of a thing; false where it is not in the list. */
  function focus(id) {
    for (const chunk of chunks.values()) {
      const thing = chunk.things.find((one) => one.id === id);
      if (!thing) continue;
      draw(chunk);
      chunk.rows.get(keyOf(thing)).firstChild.focus();
      return true;
    }
    return false;
  }

  function move(event) {
    const focused = Number(event.target.closest?.('[data-id]')?.dataset.id);
    const next = chosenRow(event.key, places.get(focused), all.length);
    if (next === undefined) return;
    event.preventDefault();
    focus(all[next].id);
  }

  return { element, show, focus, close: () => watcher.disconnect() };
}
