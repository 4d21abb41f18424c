const MOST = 1000;
/** Milliseconds between two attempts to connect after the browser has given up. */
const RETRY = 3000;

/**
 * The journal of the session as it grows: what was there, and what comes. Entries are newest first. Where the stream breaks,
 * what is known stays, and what was missed is read when it is there again.
 */
export function createFeed(api, failed) {
  /** Called with new entries, or with `undefined` when all may be different. */
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
    /** What came while the journal was being read. */
    meanwhile: [],
  };
  return {
    entries: () => feed.entries,
    /** Whether what was there before has been read. */
    isRead: () => feed.isRead,
    state: () => feed.state,
    start: () => connect(feed),
    /** Reads the journal of another session, or of one that began anew. */
    restart() {
      feed.turn++;
      Object.assign(feed, { entries: [], isRead: false });
      become(feed, 'connecting');
      changes.tell(undefined);
      connect(feed);
    },
    /** Forgets what is shown, when the mock was told to forget it too. */
    cleared() {
      feed.entries = [];
      changes.tell(undefined);
    },
    /** Hears of new entries, or of `undefined` when all may be different, until the function returned is called. */
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
    // A session that was ended and made again counts from 1 again; else the entry was read before it was heard of.
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
    // Without a stream there is nothing to be read, and that is said already.
    if (turn === feed.turn && feed.state === 'open') feed.failed(error);
  }
}
