import { attempt } from '../../text/errors.ts';

/** Holds how many results follow (half of one less after an empty page), so that new ones do not shift it; bound to `list`. */
export function writeCursor(fromOldest: number, list: string, seed: number): string {
  const text = `${fromOldest}.${hash(list, seed)}`;
  return toBase64Url(`${text}.${hash(text, seed)}`);
}

export function readCursor(cursor: string, list: string, seed: number): number | 'malformed' | 'foreign' {
  const text = attempt(() => atob(cursor.replaceAll('-', '+').replaceAll('_', '/')));
  if (text === undefined) return 'malformed';
  const [, body, place, ofList, check] = /^((\d{1,15}(?:\.5)?)\.([0-9a-z]+))\.([0-9a-z]+)$/.exec(text) ?? [];
  if (body === undefined || place === undefined || check !== hash(body, seed)) return 'malformed';
  if (toBase64Url(text) !== cursor) return 'malformed';
  if (ofList === hash(list, seed)) return Number(place);
  return 'foreign';
}

/** FNV-1a over the text, twice with different starts: detects accidents, not attackers. */
function hash(text: string, seed: number): string {
  let a = 0x811c9dc5 ^ seed;
  let b = 0x01000193 ^ ~seed;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/** Not with `Buffer`, which browsers lack. `text` holds only ASCII. */
const toBase64Url = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
