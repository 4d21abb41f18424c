import { useEffect, useRef, useState } from 'preact/hooks';
import { html, useApp } from '../elements.js';

const SIZE = 25;

/** A page of a list at a place in the admin API, read again after changes. `latest` promises the one asked for last. */
export function usePages(target) {
  const { api, fail, version } = useApp();
  const [{ offset, text, page }, setPage] = useState({ offset: 0, text: '' });
  const latest = useRef();
  const turn = async (words, place = 0) => {
    const query = new URLSearchParams({ offset: place, limit: SIZE, search: words });
    const reading = api.get(`${target}?${query}`);
    latest.current = reading;
    setPage((shown) => ({ ...shown, offset: place, text: words }));
    try {
      const found = await reading;
      if (latest.current === reading) setPage({ offset: place, text: words, page: found });
    } catch (error) {
      fail(error);
    }
  };
  useEffect(() => void turn(text, offset), [version]);
  return { offset, text, page, turn, latest };
}

export const Turner = ({ offset, text, total, turn }) =>
  total > SIZE &&
  html`<nav class="actions" aria-label="Pages">
    <button disabled=${offset === 0} onClick=${() => turn(text, offset - SIZE)}>Previous</button>
    <button disabled=${offset + SIZE >= total} onClick=${() => turn(text, offset + SIZE)}>Next</button>
  </nav>`;
