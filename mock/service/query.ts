/**
 * The decoded pairs of a query, in the order of the URL, like `URLSearchParams`. Most queries need no decoding, and are
 * read without it.
 */
export function readQuery(search: string): readonly (readonly [name: string, value: string])[] {
  if (!/^[\w.~:@=&-]*$/.test(search)) return [...new URLSearchParams(search)];
  return search.split('&').flatMap((pair): [string, string][] => {
    if (pair === '') return [];
    const end = pair.indexOf('=');
    return [end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]];
  });
}
