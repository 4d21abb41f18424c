import { isObject, type JsonObject } from '../json.ts';
import { textWord } from './text-word.ts';

/** Fields of an agent that come from what is sent for it, and which a server has no reason to alter. */
const CONTENT = [
  'name',
  'icon',
  'description',
  'tags',
  'events',
  'groups',
  'edges',
  'variables',
  'theme',
  'settings',
  'sharing',
  'resultsTablePreferences',
] as const;

/** Values of one agent that are kept. What is larger is compared with nothing. */
const MAX_VALUES = 6000;
/** Deeper nesting than any block needs. */
const MAX_DEPTH = 40;
/** Longer texts are kept as their beginning, their length and a digest. */
const MAX_TEXT = 200;
/** Longer ones are compared by their beginning alone. */
const MAX_DIGESTED = 100_000;

const LONG = /…\[(\d+) characters, [0-9a-z]+\]$/;

/** What is sent may be trimmed and composed (NFC): it counts as the same. */
const normal = (text: string): string => text.normalize('NFC').replaceAll('\r\n', '\n').trim();

/** How long a text was before it was abridged. */
export const lengthOf = (text: string): number => Number(LONG.exec(text)?.[1] ?? text.length);

function abridgedText(text: string): string {
  const whole = normal(text.length > MAX_DIGESTED ? text.slice(0, MAX_DIGESTED) : text);
  if (whole.length <= MAX_TEXT) return whole;
  return `${whole.slice(0, MAX_TEXT)}…[${whole.length} characters, ${textWord(whole)}]`;
}

/**
 * The content of an agent in a form of bounded size that can be compared with another such form; `undefined` if it has
 * more than {@link MAX_VALUES} values. Null counts as absent, but what is null is remembered as null.
 */
export function abridged(agent: unknown): JsonObject | undefined {
  if (!isObject(agent)) return undefined;
  let left = MAX_VALUES;
  const copy = (value: unknown, depth: number): unknown => {
    left--;
    if (left < 0) return undefined;
    if (typeof value === 'string') return abridgedText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return '(deeper)';
    if (Array.isArray(value)) return value.slice(0, left + 1).map((item) => copy(item, depth + 1));
    const entries: [string, unknown][] = [];
    for (const [name, item] of Object.entries(value)) {
      if (left < 0) break;
      entries.push([name, copy(item, depth + 1)]);
    }
    return Object.fromEntries(entries);
  };
  const content = copy(
    Object.fromEntries(CONTENT.flatMap((name) => (Object.hasOwn(agent, name) ? [[name, agent[name]]] : []))),
    0,
  );
  return left < 0 || !isObject(content) ? undefined : content;
}
