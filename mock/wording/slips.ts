import { editDistance, nearest } from '../../text/nearest.ts';
import { isObject, parseJson, textOf, type Json } from '../../text/json.ts';
import { excessOf } from '../../text/json-limits.ts';

/** A longer text is not a misspelling of any documented name or value. */
const LONGEST = 60;

/** The candidate that most resembles the input; for closed sets. */
export const nearestTo = (typed: string, candidates: Iterable<string>): string | undefined => {
  if (typed.length > LONGEST) return undefined;
  return nearest(typed, candidates, 1)[0];
};

/** The candidate for a misspelt input. Stricter than {@link nearestTo}; for places where other names are permitted. */
export function slipOf(typed: string, candidates: Iterable<string>): string | undefined {
  if (typed.length > LONGEST) return undefined;
  const plain = plainly(typed);
  const known = [...candidates];
  return (
    known.find((candidate) => plainly(candidate) === plain) ??
    known.find((candidate) => isWithin(plain, plainly(candidate), plain.length < 7 ? 1 : 2)) ??
    known.find((candidate) => plain.length > 3 && plainly(candidate) === `${plain}id`)
  );
}

const plainly = (name: string): string => name.toLowerCase().replaceAll(/[-_ .]/g, '');

/** Whether at most this many edits lead from one text to the other; swapping two neighbours is one edit. */
const isWithin = (one: string, other: string, edits: number): boolean =>
  Math.min(one.length, other.length) >= 3 &&
  // A larger difference in length needs more edits.
  Math.abs(one.length - other.length) <= edits &&
  editDistance(one, other, true) <= edits;

/** Why a text cannot be an identifier, cursor or token at all, as a sentence; `undefined` if it can. */
export function placeholder(text: string): string | undefined {
  const word = /^(?:undefined|null|None|nil|NaN|\[object \w{1,20}\]|%!\w\(.*\)|Optional\[.*\])$/.exec(text)?.[0];
  if (word !== undefined) return `It is the string ${word}: a variable had no value, or was not a string.`;
  if (/^(?:\$?\{.*\}|<.*>|:[a-z]\w*)$/is.test(text)) return 'It is a placeholder that was not filled in.';
  if (/^(["']).*\1$/s.test(text)) return 'It is in quotes. Leave them out.';
  if (text !== text.trim()) return 'It has spaces around it.';
  return undefined;
}

export const quote = (value: string | number | boolean): string =>
  JSON.stringify(typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);

/** The beginning of any value that a user gave, as JSON. */
export const abridged = (value: unknown, most = 100): string => {
  const text = JSON.stringify(value) ?? String(value);
  if (text.length > most) return `${text.slice(0, most)}…`;
  return text;
};

/** ` Did you mean ...?` with a leading space, or an empty text. */
export const orMeant = (meant: string | undefined): string => (meant === undefined ? '' : ` Did you mean ${meant}?`);

/** `value` converted to its type, if only its notation differs: `"12"` for 12, or a number for its digits. */
export function asType(type: string, value: Json): Json | undefined {
  const text = textOf(value);
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (type === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isShort = text.length <= 100_000 && /^\s*[[{]/.test(text) && excessOf(text) === undefined;
  const held = isShort ? parseJson(text) : undefined;
  if (type === 'object' && isObject(held)) return held;
  if (type === 'array' && Array.isArray(held)) return held;
  if (type === 'array' && isObject(value)) return [value];
  return undefined;
}
