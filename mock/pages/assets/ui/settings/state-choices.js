// The states for an endpoint that one click sets. No DOM: this is tested in Node.js.

/** Stands for every endpoint without its own state. */
export const EVERY = 'every';
/** Stands for an answer that was set elsewhere and is not in the list. */
export const OTHER = 'other';

/** Each state: its title, its standing answer, and what a screen gets. */
export const stateChoices = [
  { id: 'normal', title: 'Normal', what: 'answers as usual' },
  { id: '401', title: '401', answer: { code: 401 }, what: 'the token is no longer accepted' },
  { id: '403', title: '403', answer: { code: 403 }, what: 'the caller may not do this' },
  { id: '404', title: '404', answer: { code: 404 }, what: 'the agent or workspace does not exist' },
  { id: '429', title: '429', answer: { code: 429 }, what: 'too many requests, with retry-after' },
  { id: '500', title: '500', answer: { code: 500 }, what: 'the service fails' },
  { id: '503', title: '503', answer: { code: 503 }, what: 'the service is unavailable for now, with retry-after' },
  { id: 'slow', title: 'Slow', answer: { delay: 3000 }, what: 'answers as usual, after 3 seconds' },
  {
    id: 'reset',
    title: 'Connection reset',
    answer: { fault: 'CONNECTION_RESET_BY_PEER' },
    what: 'the connection breaks',
  },
  {
    id: 'empty',
    title: 'Empty list',
    answer: { example: 'empty-page' },
    what: 'answers with an empty list',
    only: 'list-results',
  },
];

export const choicesFor = (endpoint) => stateChoices.filter(({ only }) => only === undefined || only === endpoint);

/** The id of the choice for a standing answer; `normal` if there is none. */
export function choiceOf(answer) {
  const text = JSON.stringify(answer);
  return stateChoices.find((choice) => JSON.stringify(choice.answer) === text)?.id ?? OTHER;
}
