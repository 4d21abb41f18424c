/** So many of the tokens that are made from one go to each endpoint. The one after them goes to some. */
export const MOST_SIMILAR = 4;

/** Below this length, a shortened token is hardly a token. */
const SHORTEST = 5;

/** Tokens that were never issued and resemble a given one, and would give it away. The placeholder is a shell expression that makes them. */
export function similarTokens(token: string) {
  const at = place(token);
  const [before, sign, after] = [token.slice(0, at), otherThan(token[at] ?? ''), token.slice(at + 1)];
  const upper = token.toUpperCase();
  const [turned, how] = upper === token ? [token.toLowerCase(), '${TOKEN,,}'] : [upper, '${TOKEN^^}'];
  // Hexadecimal digits, UUIDs and ULIDs mean the same in upper and lower case.
  const hasCase = turned !== token && !/^[0-9a-f-]+$|^[0-9A-HJKMNP-TV-Z]{26}$/i.test(token);
  const end = BASE64.indexOf(token.at(-1) ?? '');
  // Half the alphabet away, so that it differs in a bit that the end of a base64 text uses.
  const last = BASE64[(end + 32) % 64] ?? '';
  const [isLong, shorter] = [token.length >= SHORTEST, token.slice(0, -1)];
  const rows: readonly (readonly [isOne: boolean, value: string, placeholder: string, how: string])[] = [
    [true, before + sign + after, `\${TOKEN:0:${at}}${sign}\${TOKEN:${at + 1}}`, 'that differs in one character'],
    [isLong, shorter, '${TOKEN%?}', 'without its last character'],
    [true, `${token}x`, '${TOKEN}x', 'with one more character'],
    [hasCase, turned, how, 'whose letters have the other case'],
    [isLong && end >= 0, shorter + last, `\${TOKEN%?}${last}`, 'that differs in its last character'],
  ];
  return rows
    .filter(([isOne]) => isOne)
    .map(([, value, placeholder, words]) => ({ value, placeholder, differs: `with a token ${words}` }));
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A character in the middle: the end of a base64 text may change without changing its meaning. */
function place(token: string): number {
  const middle = Math.floor(token.length / 2);
  const after = token.slice(middle).search(/[0-9a-z]/i);
  if (after < 0) return middle;
  return middle + after;
}

function otherThan(character: string): string {
  if (/[0-8a-yA-Y]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  if (character === 'a') return 'b';
  return 'a';
}
