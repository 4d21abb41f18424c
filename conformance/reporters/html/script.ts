/**
 * What the HTML report does in a browser beyond HTML and CSS: search, counting, copying, opening. It reads only the
 * document, and inserts only text.
 */
export const script = String.raw`
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const checks = all('.check').map((element) => ({
    element,
    status: element.dataset.status,
    text: all('summary, .versus, .reason, .requirements, .proven', element)
      .map((part) => part.textContent)
      .join(' ')
      .toLowerCase(),
  }));
  const groups = all('.group');
  const search = one('#search');
  if (!search) return;
  const shown = one('#shown');
  const nothing = one('#nothing');

  const apply = () => {
    const chosen = one('input[name=status]:checked');
    const status = chosen ? chosen.value : 'all';
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const check of checks) {
      const fits =
        (status === 'all' || check.status === status) && words.every((word) => check.text.includes(word));
      check.element.hidden = !fits;
      if (fits) count++;
    }
    for (const group of groups) group.hidden = !group.querySelector('.check:not([hidden])');
    nothing.hidden = count > 0;
    shown.textContent =
      count === checks.length ? '' : count + ' of ' + checks.length + (checks.length === 1 ? ' check' : ' checks');
  };

  const openAll = (open) => {
    for (const { element } of checks) if (!element.hidden) element.open = open;
  };

  const copy = async (button, source) => {
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };

  for (const block of all('.curl')) {
    const source = block.querySelector('pre code');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => copy(button, source));
    block.querySelector('.label').append(button);
  }

  const reveal = () => {
    let id = '';
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {}
    const target = id === '' ? null : document.getElementById(id);
    const check = target && target.closest('.check');
    if (!check) return;
    if (check.hidden) {
      search.value = '';
      const every = one('#status-all');
      if (every) every.checked = true;
      apply();
    }
    check.open = true;
    check.scrollIntoView();
  };

  const showPlaces = (root) => {
    for (const mark of all('mark', root)) {
      const body = mark.closest('pre');
      if (body && body.clientHeight > 0) body.scrollTop = mark.offsetTop - body.clientHeight / 2;
    }
  };

  let closed = [];
  addEventListener('beforeprint', () => {
    closed = all('.check[data-status=fail]:not([open]), .check[data-status=error]:not([open])');
    for (const element of closed) element.open = true;
  });
  addEventListener('afterprint', () => {
    for (const element of closed) element.open = false;
    closed = [];
  });
  addEventListener('hashchange', reveal);
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#check-"]');
    if (link && link.hash === location.hash) reveal();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:input|textarea|select)$/i.test(event.target.tagName) && event.target.type !== 'radio';
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === 'Escape' && event.target === search && search.value !== '') {
      search.value = '';
      apply();
    }
  });
  document.addEventListener('toggle', (event) => showPlaces(event.target), true);
  for (const input of all('input[name=status]')) input.addEventListener('change', apply);
  search.addEventListener('input', apply);
  one('#open-all').addEventListener('click', () => openAll(true));
  one('#close-all').addEventListener('click', () => openAll(false));
  for (const element of all('[data-needs-script]')) element.hidden = false;
  apply();
  showPlaces(document);
  reveal();
})();
`;
