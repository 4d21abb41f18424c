const MOST = 1000;
/** Milliseconds between attempts to reconnect, once the browser has given up. */
const RETRY = 3000;

/**
 * The journal of the session as it grows. Entries are newest first. If the stream breaks, known entries stay, and
 * missed ones are loaded after it reconnects.
 */
export function createFeed(api, failed) {
  /** Called with new entries, or with `undefined` if all may have changed. */
  const changes = createListeners();
  const states = createListeners();
  const feed = {
    api,
    failed,
    changes,
    states,
    entries: [],
    /** `connecting`, `open`, or `reconnecting` after it was open. */
    state: 'connecting',
    isRead: false,
    turn: 0,
    /** Entries that arrived while the journal was loading. */
    meanwhile: [],
  };
  return {
    entries: () => feed.entries,
    /** Whether the earlier entries are loaded. */
    isRead: () => feed.isRead,
    state: () => feed.state,
    start: () => connect(feed),
    /** Loads the journal of another session, or of one that was reset. */
    restart() {
      feed.turn++;
      Object.assign(feed, { entries: [], isRead: false });
      become(feed, 'connecting');
      changes.tell(undefined);
      connect(feed);
    },
    /** Clears what is shown, after the mock cleared its journal too. */
    cleared() {
      feed.entries = [];
      changes.tell(undefined);
    },
    /**
     * Calls the listener with new entries, or with `undefined` if all may have changed, until the returned function is
     * called.
     */
    onChange: (listener) => changes.add(listener),
    onState(listener) {
      listener(feed.state);
      return states.add(listener);
    },
  };
}

function createListeners() {
  const all = new Set();
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell: (what) => all.forEach((listener) => listener(what)),
  };
}

function become(feed, state) {
  feed.state = state;
  feed.states.tell(state);
}

function connect(feed) {
  clearTimeout(feed.retry);
  feed.source?.close();
  const source = new EventSource(feed.api.streamUrl());
  feed.source = source;
  source.addEventListener('open', () => {
    become(feed, 'open');
    void readAll(feed);
  });
  source.addEventListener('request', ({ data }) => add(feed, JSON.parse(data)));
  source.addEventListener('error', () => {
    if (source !== feed.source) return;
    become(feed, feed.isRead ? 'reconnecting' : 'connecting');
    if (source.readyState === EventSource.CLOSED) feed.retry = setTimeout(() => connect(feed), RETRY);
  });
}

function add(feed, entry) {
  feed.meanwhile.push(entry);
  const latest = feed.entries[0]?.id ?? 0;
  if (entry.id <= latest) {
    const known = feed.entries.find(({ id }) => id === entry.id);
    // A session that was ended and created again counts from 1; otherwise the entry was loaded before its event came.
    if (known?.at !== entry.at || known.url !== entry.url) void readAll(feed);
    return;
  }
  feed.entries = [entry, ...feed.entries.slice(0, MOST - 1)];
  feed.changes.tell([entry]);
}

async function readAll(feed) {
  const turn = ++feed.turn;
  feed.meanwhile = [];
  try {
    const { requests } = await feed.api.get(`/requests?limit=${MOST}`);
    if (turn !== feed.turn) return;
    const latest = requests[0]?.id ?? 0;
    const newer = feed.meanwhile.filter(({ id }) => id > latest).toReversed();
    feed.entries = [...newer, ...requests].slice(0, MOST);
    feed.isRead = true;
    feed.changes.tell(undefined);
  } catch (error) {
    // Without a stream nothing can be loaded, and that is already reported.
    if (turn === feed.turn && feed.state === 'open') feed.failed(error);
  }
}
