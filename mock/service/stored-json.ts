import { LRUCache } from 'lru-cache';
import type { Json, JsonObject } from '../json.ts';

/** An answer that was serialized before. */
interface Written {
  readonly body: JsonObject;
  readonly text: string;
}

/** JSON of stored resources, cached. Stored values are immutable: a change replaces them. */
const texts = new WeakMap<object, string>();
/** Characters of all cached answers together. */
const MOST_CHARACTERS = 8_000_000;
/** Cached answers by the first resource that they show; only the latest few of each. */
const answers = new LRUCache<object, readonly Written[]>({
  maxSize: MOST_CHARACTERS,
  sizeCalculation: (written) => written.reduce((sum, { text }) => sum + text.length, 1),
});
const MOST_ANSWERS = 4;

/**
 * The JSON of an answer that shows stored resources: one, or a list. Recent ones are cached, and equal answers share
 * one string, so that thousands of journals do not hold thousands of copies.
 */
export function storedJson(body: JsonObject): string {
  const first = firstThing(body);
  if (!first) return JSON.stringify(body);
  const known = answers.get(first) ?? [];
  for (const one of known) if (isSame(one.body, body)) return one.text;
  const text = `{${Object.entries(body)
    .map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`)
    .join(',')}}`;
  answers.set(first, [{ body, text }, ...known].slice(0, MOST_ANSWERS));
  return text;
}

function firstThing(body: JsonObject): JsonObject | undefined {
  for (const key in body) {
    const value = body[key] ?? null;
    const thing = Array.isArray(value) ? (value[0] as Json | undefined) : value;
    if (thing !== undefined && isThing(thing)) return thing;
  }
  return undefined;
}

/** Whether two answers have the same keys in the same order, with identical values. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const keys = Object.keys(one);
  const otherKeys = Object.keys(other);
  return (
    keys.length === otherKeys.length &&
    keys.every((key, i) => key === otherKeys[i] && isSameValue(one[key] ?? null, other[key] ?? null))
  );
}

function isSameValue(one: Json, other: Json): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

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
