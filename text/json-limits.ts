/**
 * Limits of nesting, of members in one object, and of values in all, for incoming JSON: serialization, validation and
 * comparison recurse, objects with more members are slow to copy, and a value takes thirty times the memory of its text.
 */
export const MOST_LEVELS = 1000;
export const MOST_MEMBERS = 10_000;
export const MOST_VALUES = 500_000;

/** Which limit a JSON text exceeds, in words; `undefined` if none. */
export function excessOf(
  text: string,
  levels = MOST_LEVELS,
  most = MOST_VALUES,
): 'levels' | 'members' | 'values' | undefined {
  // A short text with few signs that open something exceeds no limit, even if some stand in strings.
  if (text.length < 2 * MOST_MEMBERS && text.split('{').length + text.split('[').length <= levels + 2) return undefined;
  /** The number of colons so far in each open object or array. */
  const open: number[] = [];
  let values = 0;
  for (let i = 0; i < text.length; i++)
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfText(text, i);
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (open.length === levels) return 'levels';
        open.push(0);
        if (++values > most) return 'values';
        break;
      case COMMA:
        if (++values > most) return 'values';
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        break;
      case COLON: {
        const members = (open.pop() ?? 0) + 1;
        if (members > MOST_MEMBERS) return 'members';
        open.push(members);
      }
    }
  return undefined;
}

const [COMMA, QUOTE, BACKSLASH, COLON, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [
  44, 34, 92, 58, 123, 125, 91, 93,
];

function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
