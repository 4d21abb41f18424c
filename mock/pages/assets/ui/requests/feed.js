const MOST = 1000;
/** Milliseconds between two attempts to connect after the browser has given up. */
const RETRY = 3000;

/**
 * The journal of the session as it grows: what was there, and what comes. Entries are newest first. Where the stream breaks,
 * what is known stays, and what was missed is read when it is there again.
 */
export function createFeed(api, failed) {
  let entries = [];
  let source;
  /** `connecting`, `open`, or `reconnecting` after it was open. */
  let state = 'connecting';
  let isRead = false;
  let retry;
  let turn = 0;
  /** What came while the journal was being read. */
  let meanwhile = [];
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
    meanwhile.push(entry);
    const latest = entries[0]?.id ?? 0;
    if (entry.id <= latest) {
      const known = entries.find(({ id }) => id === entry.id);
      // A session that was ended and made again counts from 1 again; else the entry was read before it was heard of.
      if (known?.at !== entry.at || known.url !== entry.url) void readAll();
      return;
    }
    entries = [entry, ...entries.slice(0, MOST - 1)];
    changed([entry]);
  }

  async function readAll() {
    const now = ++turn;
    meanwhile = [];
    try {
      const { requests } = await api.get(`/requests?limit=${MOST}`);
      if (now !== turn) return;
      const latest = requests[0]?.id ?? 0;
      const newer = meanwhile.filter(({ id }) => id > latest).toReversed();
      entries = [...newer, ...requests].slice(0, MOST);
      isRead = true;
      changed(undefined);
    } catch (error) {
      // Without a stream there is nothing to be read, and that is said already.
      if (now === turn && state === 'open') failed(error);
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
      become(isRead ? 'reconnecting' : 'connecting');
      if (target.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY);
    });
  }

  function connect() {
    clearTimeout(retry);
    source?.close();
    start();
  }

  return {
    entries: () => entries,
    /** Whether what was there before has been read. */
    isRead: () => isRead,
    state: () => state,
    start,
    /** Reads the journal of another session, or of one that began anew. */
    restart() {
      turn++;
      entries = [];
      isRead = false;
      become('connecting');
      changed(undefined);
      connect();
    },
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
      return () => stateListeners.delete(listener);
    },
  };
}
