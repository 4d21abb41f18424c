import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../json.ts';

/** Fields that a server sets or replaces: they show what was sent or not, but every answer shows the same. */
export const ASSIGNED = new Set(['createdAt', 'publicId', 'shareId', 'sharing', 'selectedThemeTemplateId']);

/** Fields of an agent that hold what was sent, and that a server has no reason to change; and those that it assigns. */
const CONTENT = [
  ...'name icon description tags events groups edges variables theme settings'.split(' '),
  'resultsTablePreferences',
  'isPublished',
  ...ASSIGNED,
];

/** The most values of one agent that are kept. A larger agent is compared with nothing. */
const MAX_VALUES = 6000;
/** Deeper nesting than any block needs. */
const MAX_DEPTH = 40;
/** A longer text is kept as its beginning, its length and a digest. */
const MAX_TEXT = 200;
/** Longer texts are compared by their beginning alone. */
const MAX_DIGESTED = 100_000;

const LONG = /…\[(\d+) characters, [0-9a-z]+\]$/;

/** A short form of a text: equal for equal texts, and almost never for others. */
export const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex');

/** The length of a text before it was abridged. */
export const lengthOf = (text: string): number => Number(LONG.exec(text)?.[1] ?? text.length);

/** What is known of a text: all, or its beginning. */
export const startOf = (text: string): string => text.replace(LONG, '');

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

function abridgedText(text: string, isOfBlock: boolean): string {
  let whole = text.slice(0, MAX_DIGESTED);
  // A server may trim and compose (NFC) a text: both forms count as equal. What blocks hold is nobody's but the sender's.
  if (!isOfBlock && !PLAIN.test(whole)) whole = whole.normalize('NFC').replaceAll('\r\n', '\n').trim();
  if (whole.length <= MAX_TEXT) return whole;
  return `${whole.slice(0, MAX_TEXT)}…[${whole.length} characters, ${digestOf(whole)}]`;
}

/** An agent in a comparable form; `undefined` above {@link MAX_VALUES}. Null counts as absent, but is remembered. */
export function abridgedAgent(agent: JsonObject): JsonObject | undefined {
  let left = MAX_VALUES;
  const copy = (value: unknown, depth: number, isOfBlock = false): unknown => {
    left--;
    if (left < 0) return undefined;
    if (typeof value === 'string') return abridgedText(value, isOfBlock);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return '(deeper)';
    if (Array.isArray(value)) return value.slice(0, left + 1).map((item) => copy(item, depth + 1, isOfBlock));
    const kept: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
      if (left < 0) break;
      const copied = copy(item, depth + 1, isOfBlock || name === 'blocks');
      if (name === '__proto__') Object.defineProperty(kept, name, { value: copied, enumerable: true });
      else kept[name] = copied;
    }
    return kept;
  };
  const content = copy(
    Object.fromEntries(CONTENT.filter((name) => Object.hasOwn(agent, name)).map((name) => [name, agent[name]])),
    0,
  );
  if (left < 0 || !isObject(content)) return undefined;
  return content;
}
