import { useEffect, useReducer } from 'preact/hooks';

const MOST = 1000;
/** Milliseconds between attempts to reconnect, once the browser has given up. */
const RETRY = 3000;

/** The journal as it grows, newest first. If the stream breaks, missed entries are loaded after it reconnects. */
export function createFeed(api, fail) {
  const listeners = new Set();
  /** Entries that arrived while the journal was loading. */
  let meanwhile = [];
  let reading = 0;
  let source;
  let timer;
  const feed = {
    entries: [],
    /** `connecting`, `open`, or `reconnecting` after it was open. */
    state: 'connecting',
    isRead: false,
    /** Connects, and loads the journal from its beginning. */
    start: () => {
      reading++;
      tell({ entries: [], isRead: false, state: 'connecting' });
      connect();
    },
    stop: () => {
      clearTimeout(timer);
      source?.close();
    },
    /** Clears what is shown, after the mock cleared its journal too. */
    clear: () => tell({ entries: [] }),
    /** Calls the listener after each change, with `open` or `request` for these, until the returned function is called. */
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function tell(change, event) {
    Object.assign(feed, change);
    for (const listener of listeners) listener(event);
  }

  function connect() {
    feed.stop();
    const mine = new EventSource(api.streamUrl);
    source = mine;
    mine.addEventListener('open', () => {
      tell({ state: 'open' }, 'open');
      void readAll();
    });
    mine.addEventListener('request', ({ data }) => add(JSON.parse(data)));
    mine.addEventListener('error', () => {
      if (source !== mine) return;
      tell({ state: feed.isRead ? 'reconnecting' : 'connecting' });
      if (mine.readyState === EventSource.CLOSED) timer = setTimeout(connect, RETRY);
    });
  }

  function add(entry) {
    meanwhile.push(entry);
    if (entry.id > (feed.entries[0]?.id ?? 0))
      return tell({ entries: [entry, ...feed.entries.slice(0, MOST - 1)] }, 'request');
    const known = feed.entries.find(({ id }) => id === entry.id);
    // A session that was ended and created again counts from 1; otherwise the entry was loaded before its event came.
    if (known?.at !== entry.at || known.url !== entry.url) void readAll();
  }

  async function readAll() {
    const mine = ++reading;
    meanwhile = [];
    try {
      const { requests } = await api.get(`/requests?limit=${MOST}`);
      if (mine !== reading) return;
      const newer = meanwhile.filter(({ id }) => id > (requests[0]?.id ?? 0)).toReversed();
      tell({ entries: [...newer, ...requests].slice(0, MOST), isRead: true });
    } catch (error) {
      // Without a stream nothing can be loaded, and that is already reported.
      if (mine === reading && feed.state === 'open') fail(error);
    }
  }
  return feed;
}

/** The feed; the component is drawn anew when it changes, at most once per frame. */
export function useFeed(feed) {
  const [, redraw] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    let frame;
    const stop = feed.subscribe(() => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        redraw();
      });
    });
    // It may have changed before this effect ran.
    redraw();
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [feed]);
  return feed;
}
