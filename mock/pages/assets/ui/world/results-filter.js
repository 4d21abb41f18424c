// Which results are shown, and with which columns. No DOM: this is tested in Node.js.

const MOST_COLUMNS = 6;

export const states = { completed: 'Completed', started: 'Started, not completed', untouched: 'Not started' };

export const stateOf = ({ isCompleted, hasStarted }) =>
  isCompleted === true ? 'completed' : hasStarted === true ? 'started' : 'untouched';

/** Whether a result is in the wanted state, and has all the words in its variables, answers or id. */
export function isWantedResult(result, { text = '', state = '' }) {
  if (state !== '' && stateOf(result) !== state) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const within = [
    result.id,
    ...list(result.variables).flatMap(({ name, value }) => [name, value]),
    ...list(result.answers).map(({ content }) => content),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => within.includes(word));
}

/** Names of the variables that most results have, in order. */
export function columnsOf(results) {
  const counts = new Map();
  for (const { variables } of results)
    for (const { name } of list(variables)) if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()];
  const kept = new Set(names.toSorted((one, other) => counts.get(other) - counts.get(one)).slice(0, MOST_COLUMNS));
  return names.filter((name) => kept.has(name));
}

export const valueOf = ({ variables }, wanted) => list(variables).find(({ name }) => name === wanted)?.value ?? '';

const list = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []);
