// Which results are shown, and with which columns. No DOM: this is tested in Node.js.

const MOST_COLUMNS = 6;

/** The states of a result, and what each is called. */
export const progress = { completed: 'Completed', started: 'Started, not completed', untouched: 'Not started' };

export function progressOf({ isCompleted, hasStarted }) {
  if (isCompleted === true) return 'completed';
  if (hasStarted === true) return 'started';
  return 'untouched';
}

/** Whether a result is in the wanted state, and has all the words in its variables, answers or id. */
export function isWantedResult(result, { text = '', state = '' }) {
  if (state !== '' && progressOf(result) !== state) return false;
  const variables = objectsIn(result.variables).flatMap(({ name, value }) => [name, value]);
  const answers = objectsIn(result.answers).map(({ content }) => content);
  const within = [result.id, ...variables, ...answers].join('\n').toLowerCase();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => within.includes(word));
}

/** Names of the variables that most results have, in order. */
export function columnsOf(results) {
  const counts = new Map();
  for (const { variables } of results)
    for (const { name } of objectsIn(variables))
      if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()];
  const most = names.toSorted((one, other) => counts.get(other) - counts.get(one)).slice(0, MOST_COLUMNS);
  return names.filter((name) => most.includes(name));
}

/** The value of a result's variable, as a text. */
export const valueOf = ({ variables }, wanted) =>
  String(objectsIn(variables).find(({ name }) => name === wanted)?.value ?? '');

/** The objects in a list; anything else, which a request may have brought, is left out. */
export const objectsIn = (value) => {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'object' && item !== null);
  return [];
};
