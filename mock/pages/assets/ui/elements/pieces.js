// Small things that several panels need: toasts, dialogs, copying, tabs.
import { button, h } from './dom.js';

const toasts = () => document.querySelector('#toasts');

/** Reports success; disappears by itself. */
export function told(text) {
  closeTroubles();
  const toast = h('div', { class: 'toast', role: 'status' }, h('p', {}, text));
  toasts().append(toast);
  setTimeout(() => toast.remove(), 4000);
}

/** Reports an error; stays until it is closed. The same error is shown once. */
export function failed(error) {
  const text = error instanceof Error ? error.message : String(error);
  for (const toast of toasts().querySelectorAll('.bad')) if (toast.firstChild.textContent === text) return;
  const close = button('Close', () => toast.remove(), { class: 'plain' });
  const toast = h('div', { class: 'toast bad', role: 'alert' }, h('p', {}, text), close);
  toasts().append(toast);
  while (toasts().childElementCount > 4) toasts().firstChild.remove();
}

/** Removes earlier errors: something has been done since, or another panel is shown. */
export function closeTroubles() {
  for (const toast of toasts().querySelectorAll('.bad')) toast.remove();
}

/** Closes the oldest toast, errors first; false if there is none. */
export function closeToast() {
  const toast = toasts().querySelector('.bad') ?? toasts().querySelector('.toast');
  toast?.remove();
  return toast !== null;
}

/** Asks before data is lost. Resolves with the answer. */
export function sure(question, verb) {
  return new Promise((resolve) => {
    const dialog = h(
      'dialog',
      { class: 'question', onclose: () => (dialog.remove(), resolve(dialog.returnValue === 'yes')) },
      h('p', {}, question),
      h(
        'div',
        { class: 'actions' },
        button('Cancel', () => dialog.close('no')),
        button(verb, () => dialog.close('yes'), { class: 'danger' }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A button that copies the result of `text`. */
export function copyButton(label, text, attributes) {
  const element = button(
    label,
    async () => {
      try {
        await copy(await text());
        element.textContent = 'Copied';
        setTimeout(() => (element.textContent = label), 1500);
      } catch (error) {
        failed(error);
      }
    },
    attributes,
  );
  return element;
}

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // A page over plain HTTP from another machine has only this clipboard API.
  const area = h('textarea', { class: 'unseen', value: text, readonly: true });
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('The browser does not let this page copy.');
}

/** A request to the service with the session's token, as a command to copy; the mock writes it. */
export function command({ api, target }, { path, headers = {}, body, baseUrl = api.baseUrl() }) {
  const line = api
    .post('/curl', {
      url: `${baseUrl}${path}`,
      headers: {
        Authorization: `Bearer ${target.token}`,
        ...headers,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    .then(({ curl }) => curl);
  const code = h('code');
  line.then((text) => (code.textContent = text), failed);
  return h(
    'div',
    { class: 'command' },
    h('pre', { tabindex: 0 }, code),
    copyButton('Copy', () => line),
  );
}

/** The path of an agent; the template if the world has none. */
export const agentPath = ({ agentId }) => `/api/v1/agents/${encodeURIComponent(agentId || 'an-agent')}`;

/**
 * Tabs, of which one is selected; a single Tab stop, with arrows, Home and End inside. `items` are `{ id, title }`;
 * `select(id)` is called when a person chooses a tab.
 */
export function tabs(label, items, select, attributes = {}) {
  const buttons = items.map(({ id, title }) =>
    button(title, () => choose(id), {
      role: 'tab',
      'data-tab': id,
      ...(attributes.controls && { 'aria-controls': attributes.controls }),
    }),
  );
  const list = h(
    'div',
    { class: attributes.class ?? 'tabs', role: 'tablist', 'aria-label': label, onkeydown: move },
    buttons,
  );
  const mark = (id) => {
    for (const one of buttons) {
      const selected = one.dataset.tab === id;
      one.setAttribute('aria-selected', String(selected));
      one.tabIndex = selected ? 0 : -1;
      if (selected) one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  };
  const choose = (id) => {
    mark(id);
    select(id);
  };
  function move(event) {
    const place = buttons.indexOf(document.activeElement);
    if (place < 0) return;
    const { length } = buttons;
    const next = {
      ArrowRight: place + 1,
      ArrowDown: place + 1,
      ArrowLeft: place - 1,
      ArrowUp: place - 1,
      Home: 0,
      End: length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = buttons[(next + length) % length];
    to.focus();
    choose(to.dataset.tab);
  }
  return { element: list, mark, tab: (id) => buttons.find((one) => one.dataset.tab === id) };
}

/** Moves the focus through the buttons of a list with arrows, Home and End. */
export function arrows(event, buttons) {
  const place = buttons.indexOf(document.activeElement);
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (place < 0 || next === undefined) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(next, buttons.length - 1))].focus();
}
