// The columns of a table of results. No DOM: this is tested in Node.js.

const MOST_COLUMNS = 6;

export function columnsOf(results) {
  const counts = new Map();
  for (const { variables } of results)
    for (const { name } of objectsIn(variables))
      if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()];
  const most = names.toSorted((one, other) => counts.get(other) - counts.get(one)).slice(0, MOST_COLUMNS);
  return names.filter((name) => most.includes(name));
}

export const valueOf = ({ variables }, wanted) =>
  String(objectsIn(variables).find(({ name }) => name === wanted)?.value ?? '');

/** The objects in a list; anything else, which a request may have brought, is left out. */
export const objectsIn = (value) => {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'object' && item !== null);
  return [];
};
