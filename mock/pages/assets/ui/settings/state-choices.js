// The states for an endpoint that one click sets. No DOM: this is tested in Node.js.

/** Stands for every endpoint without its own state. */
export const EVERY = 'every';
/** Stands for an answer that was set elsewhere and is not in the list. */
export const OTHER = 'other';

/** Each state: its title, its standing answer, and what a screen gets. */
export const stateChoices = [
  { id: 'normal', title: 'Normal', what: 'Answers as usual' },
  { id: '401', title: '401', answer: { code: 401 }, what: 'The token is no longer accepted' },
  { id: '403', title: '403', answer: { code: 403 }, what: 'The caller may not do this' },
  { id: '404', title: '404', answer: { code: 404 }, what: 'The agent or workspace does not exist' },
  { id: '429', title: '429', answer: { code: 429 }, what: 'Too many requests, with retry-after' },
  { id: '500', title: '500', answer: { code: 500 }, what: 'The service fails' },
  { id: '503', title: '503', answer: { code: 503 }, what: 'The service is unavailable for now, with retry-after' },
  { id: 'slow', title: 'Slow', answer: { delay: 3000 }, what: 'Answers as usual, after 3 seconds' },
  {
    id: 'reset',
    title: 'Connection reset',
    answer: { fault: 'CONNECTION_RESET_BY_PEER' },
    what: 'The connection breaks',
  },
  {
    id: 'empty',
    title: 'Empty list',
    answer: { example: 'empty-page' },
    what: 'Answers with an empty list',
    only: 'list-results',
  },
];

/** The choices for an endpoint. */
export const choicesFor = (endpoint) => stateChoices.filter(({ only }) => only === undefined || only === endpoint);

/** The id of the choice for a standing answer; `normal` if there is none. */
export function choiceOf(answer) {
  const text = JSON.stringify(answer);
  return stateChoices.find((choice) => JSON.stringify(choice.answer) === text)?.id ?? OTHER;
}

/** Who can answer an endpoint when there is an upstream. */
export const wayChoices = [
  { id: 'mock', title: 'Mock', what: 'The mock answers' },
  { id: 'upstream', title: 'Upstream', what: 'The upstream answers, except about what the mock created' },
  {
    id: 'fallback',
    title: 'Upstream, else mock',
    what: 'The upstream answers, and the mock where it lacks the route or cannot be reached',
  },
  { id: 'known', title: 'By id', what: 'The mock answers about what it knows, and the upstream about the rest' },
];
