import { LRUCache } from 'lru-cache';
import type { Json, JsonObject } from './call.ts';

/** An answer that was written before, and what it showed. */
interface Written {
  readonly shown: readonly JsonObject[];
  /** JSON of everything else in the answer. */
  readonly rest: string;
  readonly text: string;
}

/** JSON of things as they are stored. What is stored is replaced when it changes, never changed in place. */
const texts = new WeakMap<object, string>();
/** Characters of all answers that are remembered together. */
const MOST_CHARACTERS = 16_000_000;
/** Answers by the first thing that they show; the latest few of each. */
const answers = new LRUCache<object, readonly Written[]>({
  maxSize: MOST_CHARACTERS,
  sizeCalculation: (written) => written.reduce((sum, { text }) => sum + text.length, 1),
});
const MOST_ANSWERS = 4;

/**
 * The JSON of an answer that shows stored things: one, or a list of them. What is written once is remembered as long as
 * the thing itself, and equal answers are one string, so that thousands of journals do not hold thousands of copies.
 */
export function storedJson(body: JsonObject): string {
  const entries = Object.entries(body);
  const shown = entries.flatMap(([, value]) => (Array.isArray(value) ? (value as Json[]) : [value])).filter(isThing);
  const [first] = shown;
  if (!first) return JSON.stringify(body);
  const rest = JSON.stringify(entries.map(([key, value]) => [key, withoutThings(value)]));
  const known = answers.get(first) ?? [];
  const same = known.find((one) => one.rest === rest && isSame(one.shown, shown));
  if (same) return same.text;
  const text = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(',')}}`;
  answers.set(first, [{ shown, rest, text }, ...known].slice(0, MOST_ANSWERS));
  return text;
}

const withoutThings = (value: Json): Json =>
  Array.isArray(value) ? value.map(withoutThings) : isThing(value) ? null : value;

const isSame = (one: readonly JsonObject[], other: readonly JsonObject[]): boolean =>
  one.length === other.length && one.every((thing, i) => thing === other[i]);

function textOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  return isThing(value) ? remembered(value) : JSON.stringify(value);
}

function remembered(thing: JsonObject): string {
  const known = texts.get(thing);
  if (known !== undefined) return known;
  const text = JSON.stringify(thing);
  texts.set(thing, text);
  return text;
}

const isThing = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
