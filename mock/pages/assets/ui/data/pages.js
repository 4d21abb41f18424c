import { useEffect, useRef, useState } from 'preact/hooks';
import { html, useApp } from '../elements.js';

const SIZE = 25;

/** A page of a list that the mock searches and cuts; `target` is its place in the admin API. It is read again after changes. */
export function usePages(target) {
  const { api, fail, version } = useApp();
  const [{ offset, text, page }, setPage] = useState({ offset: 0, text: '' });
  const latest = useRef();
  const turnTo = async (place, words = text) => {
    const wanted = `${target}?${new URLSearchParams({ offset: place, limit: SIZE, search: words })}`;
    latest.current = wanted;
    setPage({ offset: place, text: words, page });
    try {
      const found = await api.get(wanted);
      if (latest.current === wanted) setPage({ offset: place, text: words, page: found });
    } catch (error) {
      fail(error);
    }
  };
  useEffect(() => void turnTo(offset), [version]);
  return { offset, text, page, turnTo };
}

export const Turner = ({ offset, total, turnTo }) =>
  total > SIZE &&
  html`<nav class="actions" aria-label="Pages">
    <button disabled=${offset === 0} onClick=${() => turnTo(offset - SIZE)}>Previous</button>
    <button disabled=${offset + SIZE >= total} onClick=${() => turnTo(offset + SIZE)}>Next</button>
  </nav>`;
