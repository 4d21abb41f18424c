/**
 * The pairs of a query, decoded, in the order of the URL: what `URLSearchParams` gives. Most queries hold nothing to
 * decode, and are read without it.
 */
export function readQuery(search: string): readonly (readonly [name: string, value: string])[] {
  if (!/^[\w.~:@=&-]*$/.test(search)) return [...new URLSearchParams(search)];
  return search.split('&').flatMap((pair): [string, string][] => {
    if (pair === '') return [];
    const end = pair.indexOf('=');
    return [end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]];
  });
}
