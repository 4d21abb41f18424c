import type { Operation } from './generated/operations.ts';

/**
 * @param values the arguments for the parameters in the path, in their order
 * @throws TypeError for a value that no path can carry
 */
export function pathOf(operation: Operation, values: readonly unknown[]): string {
  return operation.parameters.reduce(
    (path, name, index) => path.replace(`{${name}}`, () => encodeSegment(name, values[index])),
    operation.path,
  );
}

function encodeSegment(name: string, value: unknown): string {
  // URLs take "." and ".." out of their path, however they are encoded, and so another endpoint would be asked.
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(
      `${name} is ${JSON.stringify(value)}; a path needs a text that is neither empty nor "." or ".."`,
    );
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new TypeError(`${name} holds half of a surrogate pair, which no URL can carry`, { cause });
  }
}

/** `?limit=5&cursor=a%2Bb`, or nothing where nothing is asked. Absent, `undefined` and `null` are the same. */
export function queryOf(query: object): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
