const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element with attributes and children. Functions become listeners, `true` is an attribute without a value, and
 * false, null and undefined set nothing. Texts stay texts: nothing from a request is ever markup.
 */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** The same in SVG. */
export const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

const present = (children) =>
  children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);

/** Adds children as {@link h} does: lists are flattened, and missing values are left out. */
export const add = (element, ...children) => element.append(...present(children));

/** Replaces all children. */
export const refill = (element, ...children) => element.replaceChildren(...present(children));

export const button = (label, onclick, attributes) => h('button', { type: 'button', onclick, ...attributes }, label);

/** A labelled field; `control` is an input, select or textarea. */
export const field = (label, control, hint) =>
  h(
    'label',
    { class: 'field' },
    h('span', { class: 'label' }, label),
    control,
    hint && h('span', { class: 'hint' }, hint),
  );

export const select = (options, value, attributes) => {
  const element = h(
    'select',
    attributes,
    options.map(([key, label]) => h('option', { value: key }, label)),
  );
  element.value = value;
  return element;
};

export const badge = (text, kind = 'plain', title) => h('span', { class: `badge ${kind}`, title }, text);

/** An empty state: what would be here, and how to get it. */
export const empty = (title, ...rest) => h('div', { class: 'empty' }, h('h3', {}, title), rest);

/** The icon of an agent or a workspace if it is a character; a URL is not loaded. */
export const iconOf = (icon) =>
  h('span', { class: 'icon', 'aria-hidden': 'true' }, typeof icon === 'string' && icon.length < 16 ? icon : '·');

/** A form of filters, which sends nothing. */
export const filterForm = (...children) =>
  h('form', { class: 'filters', onsubmit: (event) => event.preventDefault() }, ...children);

/** The search in a list; `search(text)` is called for each change. */
export const searchField = (placeholder, value, search) =>
  field('Search', h('input', { type: 'search', placeholder, value, oninput: ({ target }) => search(target.value) }));

/** A filter by one of the options, or by none of them; `choose(value)` is called for each change. */
export const optionField = (label, options, value, choose) =>
  field(label, select([['', 'All'], ...options], value, { onchange: ({ target }) => choose(target.value) }));

/** An input for the name of something new. */
export const nameInput = (name, pattern, placeholder) =>
  h('input', { name, required: true, pattern, placeholder, autocomplete: 'off', spellcheck: 'false' });
