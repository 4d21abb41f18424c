const MOST = 1000;
/** Milliseconds between two attempts to connect after the browser has given up. */
const RETRY = 3000;

/** The journal of the session as it grows: what was there, and what comes. Entries are newest first. */
export function createFeed(api, failed) {
  let entries = [];
  let source;
  let state = 'connecting';
  let isRead = false;
  let retry;
  let turn = 0;
  const listeners = new Set();
  const stateListeners = new Set();
  const changed = (fresh) => {
    for (const listener of listeners) listener(fresh);
  };
  const become = (next) => {
    state = next;
    for (const listener of stateListeners) listener(next);
  };

  function add(entry) {
    const latest = entries[0]?.id ?? 0;
    // A session that was ended and made again counts from 1 again.
    if (entry.id <= latest) return void readAll();
    entries = [entry, ...entries.slice(0, MOST - 1)];
    changed([entry]);
  }

  async function readAll() {
    const now = ++turn;
    try {
      const { requests } = await api.get(`/requests?limit=${MOST}`);
      if (now !== turn) return;
      entries = requests;
      isRead = true;
      changed(undefined);
    } catch (error) {
      failed(error);
    }
  }

  function start() {
    source = new EventSource(api.streamUrl());
    source.addEventListener('open', () => {
      become('open');
      void readAll();
    });
    source.addEventListener('request', ({ data }) => add(JSON.parse(data)));
    source.addEventListener('error', ({ target }) => {
      if (target !== source) return;
      const isOver = target.readyState === EventSource.CLOSED;
      become(isOver ? 'closed' : 'connecting');
      if (isOver) retry = setTimeout(restart, RETRY);
    });
  }

  function restart() {
    clearTimeout(retry);
    source?.close();
    entries = [];
    isRead = false;
    changed(undefined);
    start();
  }

  return {
    entries: () => entries,
    /** Whether what was there before has been read. */
    isRead: () => isRead,
    state: () => state,
    start,
    restart,
    /** Forgets what is shown, when the mock was told to forget it too. */
    cleared() {
      entries = [];
      changed(undefined);
    },
    /** Hears of new entries, or of `undefined` when all may be different, until the function returned is called. */
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      listener(state);
    },
  };
}
