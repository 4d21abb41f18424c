// The states for an endpoint that one click sets. No DOM: this is tested in Node.js.

/** Stands for every endpoint without its own state. */
export const EVERY = 'every';

const SLOW = 3000;

/** Each state: its title, its standing answer, and what a screen gets. */
export const states = {
  normal: { title: 'Normal', what: 'Answers as usual' },
  401: { title: '401', answer: { code: 401 }, what: 'The token is no longer accepted' },
  403: { title: '403', answer: { code: 403 }, what: 'The caller may not do this' },
  404: { title: '404', answer: { code: 404 }, what: 'The agent or workspace does not exist' },
  429: { title: '429', answer: { code: 429 }, what: 'Too many requests, with retry-after' },
  500: { title: '500', answer: { code: 500 }, what: 'The service fails' },
  503: { title: '503', answer: { code: 503 }, what: 'The service is unavailable for now, with retry-after' },
  slow: { title: 'Slow', answer: { delay: SLOW }, what: `Answers as usual, after ${SLOW / 1000} seconds` },
  reset: { title: 'Connection reset', answer: { fault: 'CONNECTION_RESET_BY_PEER' }, what: 'The connection breaks' },
  empty: { title: 'Empty list', answer: { example: 'empty-page' }, what: 'Answers with an empty list' },
};

/** The states of an endpoint, by id. */
export const statesOf = (endpoint) => {
  // Objects list numeric keys first, in any order of writing.
  const others = Object.keys(states).filter((id) => id !== 'normal' && (id !== 'empty' || endpoint === 'list-results'));
  return ['normal', ...others];
};

/** Stands for an answer that was set elsewhere and is not in the list. */
export const OTHER = 'other';

/** The state for a standing answer; `normal` if there is none. */
export function stateOf(answer) {
  if (answer === undefined) return 'normal';
  const text = JSON.stringify(answer);
  return Object.keys(states).find((id) => JSON.stringify(states[id].answer) === text) ?? OTHER;
}

/** Who can answer an endpoint when there is an upstream. */
export const ways = {
  mock: { title: 'Mock', what: 'The mock answers' },
  upstream: { title: 'Upstream', what: 'The upstream answers, except about what the mock created' },
  fallback: {
    title: 'Upstream, else mock',
    what: 'The upstream answers, and the mock where it lacks the route or cannot be reached',
  },
  known: { title: 'By id', what: 'The mock answers about what it knows, and the upstream about the rest' },
};
