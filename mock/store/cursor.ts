/**
 * Cursors are opaque to clients. Each holds the place where the next page begins, counted from the oldest result so that
 * new ones at the head do not move it, and is bound to its list: one that was altered, or belongs to another list, is
 * recognised as such.
 */
export interface CursorPlace {
  /** How many results of the agent are at least as old as the first of the next page. */
  readonly fromOldest: number;
}

export type ReadCursor = CursorPlace | 'malformed' | 'foreign';

/** `list` names the agent and everything that selects results; `seed` keeps cursors of one world out of another. */
export function writeCursor(place: CursorPlace, list: string, seed: number): string {
  const text = `${place.fromOldest}.${hash(list, seed)}`;
  return toBase64Url(`${text}.${hash(text, seed)}`);
}

export function readCursor(cursor: string, list: string, seed: number): ReadCursor {
  const text = fromBase64Url(cursor);
  if (text === undefined) return 'malformed';
  const [, body, place, ofList, check] = /^((\d{1,15})\.([0-9a-z]+))\.([0-9a-z]+)$/.exec(text) ?? [];
  if (body === undefined || place === undefined || check !== hash(body, seed)) return 'malformed';
  if (toBase64Url(text) !== cursor) return 'malformed';
  return ofList === hash(list, seed) ? { fromOldest: Number(place) } : 'foreign';
}

/** FNV-1a over the text, twice with different starts; tells accidents apart, not adversaries. */
function hash(text: string, seed: number): string {
  let a = 0x811c9dc5 ^ seed;
  let b = 0x01000193 ^ ~seed;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/** Not by `Buffer`, which no browser has. `text` holds ASCII only. */
const toBase64Url = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function fromBase64Url(text: string): string | undefined {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}
