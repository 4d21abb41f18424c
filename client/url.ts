import type { Operation } from './generated/operations.ts';

/**
 * @param values the arguments for the path parameters, in their order
 * @throws TypeError for a value that a path cannot carry
 */
export function callPath(operation: Operation, values: readonly unknown[]): string {
  return operation.parameters.reduce(
    (path, name, index) => path.replace(`{${name}}`, () => encodeSegment(name, values[index])),
    operation.path,
  );
}

function encodeSegment(name: string, value: unknown): string {
  // URLs remove "." and ".." from their path, however they are encoded, so the request would reach another endpoint.
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

/**
 * `?limit=5&cursor=a%2Bb`, or an empty text if there are no parameters. Absent, `undefined` and `null` mean the same.
 */
export function callQuery(query: object): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  if (pairs.length === 0) return '';
  return `?${pairs.join('&')}`;
}
