import { LRUCache } from 'lru-cache';
import type { Profile } from '../../spec/index.ts';
import { isObject, type Json, type JsonObject } from '../../text/json.ts';

/** Characters of all kept answers together. */
const MOST_CHARACTERS = 8_000_000;
/** Kept answers that begin with the same resource. */
const MOST_ALIKE = 4;

export type Renderings = ReturnType<typeof createRenderings>;

/** What was rendered before. Stored values are immutable: a change replaces them. */
export function createRenderings() {
  const byProfile = new WeakMap<Profile, WeakMap<JsonObject, JsonObject>>();
  const texts = new WeakMap<JsonObject, string>();
  const answers = new LRUCache<JsonObject, readonly { readonly body: JsonObject; readonly text: string }[]>({
    maxSize: MOST_CHARACTERS,
  });
  /** The last answer that is not kept, and the value that it shows. */
  let last: { readonly value: JsonObject; readonly text: string } | undefined;
  const textOf = (value: Json): string => {
    if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const text = texts.get(value) ?? JSON.stringify(value);
    texts.set(value, text);
    return text;
  };
  return {
    /** A stored resource in the form of a profile; `render` makes it the first time. */
    resource(profile: Profile, stored: JsonObject, render: () => JsonObject): JsonObject {
      const resources = byProfile.get(profile) ?? new WeakMap<JsonObject, JsonObject>();
      byProfile.set(profile, resources);
      const resource = resources.get(stored) ?? render();
      resources.set(stored, resource);
      return resource;
    },
    note(value: JsonObject, text: string): void {
      last = { value, text };
    },
    /** What an answer shows, if it is the last one that was noted. */
    shownBy(text: string): JsonObject | undefined {
      if (last?.text === text) return last.value;
      return undefined;
    },
    /** The JSON of an answer. Equal ones share one string, so that thousands of journals do not hold thousands of copies. */
    text: (body: JsonObject): string => {
      const first = firstResource(body);
      if (!first) return JSON.stringify(body);
      const alike = answers.get(first) ?? [];
      const equal = alike.find((rendered) => isSame(rendered.body, body));
      if (equal) return equal.text;
      const members = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`);
      const text = `{${members.join(',')}}`;
      const kept = [{ body, text }, ...alike].slice(0, MOST_ALIKE);
      answers.set(first, kept, { size: kept.reduce((sum, one) => sum + one.text.length, 1) });
      return text;
    },
  };
}

function firstResource(body: JsonObject): JsonObject | undefined {
  for (const name in body) {
    const value: unknown = Array.isArray(body[name]) ? body[name][0] : body[name];
    if (isObject(value)) return value;
  }
  return undefined;
}

/** Whether two answers have the same names in the same order, with identical values. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  const otherNames = Object.keys(other);
  return (
    names.length === otherNames.length &&
    names.every((name, i) => name === otherNames[i] && isSameValue(one[name] ?? null, other[name] ?? null))
  );
}

function isSameValue(one: Json, other: Json): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, i) => item === other[i]);
}
