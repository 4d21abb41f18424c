import { fold, seedWord, textWord } from '../../fixtures/universe/chance/hash.ts';
import { mapped, type Json, type JsonObject } from '../../text/json.ts';
import type { Seed } from '../../mock/index.ts';

/** Replacements for words, which occur in recordings only by chance. */
const LEXICON = (
  'amber basil cedar delta ember fable grove haven indigo juniper kettle lagoon maple nectar olive pebble quartz ripple ' +
  'saffron timber umber velvet willow yarrow zephyr acorn breeze cobalt drift echo fjord glade'
).split(' ');

/** Members whose text is a reference or is compared, and was not written by a person. */
const KEPT =
  /^(?:id|.*Ids?|version|type|timeZone|createdAt|updatedAt|publishedAt|lastActivityAt|paymentFailedAt|expiresAt|plan|storage|layout|placement|position|roundness|roundeness|shadow|logicalOperator|comparisonOperator|font|.*[cC]olor|columnsOrder|kind|vendor|model|continent)$/;

const WRITTEN =
  /^(?:name|title|text|content|label|value|description|slug|publicId|shareId|icon|password|placeholder|customCss|customHeadCode|tags|ip|city|region|country|latitude|longitude|referer|url|.*Url|.*Urls|customDomain|domain|allowedOrigins|message|.*Text|.*Title|.*Message)$/;

/** Data with other texts, names, addresses and places; the same for the same text and seed. Identifiers stay. */
export function impersonal({ whole, workspaces, agents, publishedAgents, results }: Seed, seed: number): Seed {
  const change = changer(seed);
  const all = (things: Seed['agents']): readonly JsonObject[] => (things ?? []).map((one) => change(one) as JsonObject);
  return {
    whole,
    workspaces: all(workspaces),
    agents: all(agents),
    publishedAgents: Object.fromEntries(
      Object.entries(publishedAgents ?? {}).map(([id, one]) => [id, change(one) as JsonObject]),
    ),
    results: Object.fromEntries(Object.entries(results ?? {}).map(([id, list]) => [id, all(list)])),
  };
}

function changer(seed: number): (value: Json) => Json {
  const word = (text: string, place: number): number => fold(seedWord(seed), textWord(text), place);
  const from = (text: string): string => LEXICON[word(text, 0) % LEXICON.length] ?? '';
  /** A word and a number, joined by a sign. */
  const label = (text: string, sign = '-'): string => `${from(text)}${sign}${word(text, 0x5eed) % 1_000_000}`;
  /** Replaces each word and each digit, and e-mail addresses as a whole. */
  const written = (text: string): string =>
    text
      .slice(0, 100_000)
      .split(/([^\s@<>"',;:()]+@[^\s@<>"',;:()]+)/)
      .map((part, i) =>
        i % 2 === 1
          ? `${label(part, '.')}@example.com`
          : part
              .replaceAll(/\p{L}[\p{L}\p{M}\u2019'-]*/gu, (one) => inCase(from(one.toLowerCase()), one))
              .replaceAll(/\p{N}+/gu, (one) =>
                String(word(one, 1) % 10 ** Math.min(one.length, 9)).padStart(one.length, '0'),
              ),
      )
      .join('');
  /** From minus half of a number of degrees to its half. */
  const degrees = (text: string, place: number, most: number): string =>
    (((word(text, place) % (most * 1000)) - most * 500) / 1000).toFixed(3);
  const changed = (text: string, name: string): string => {
    if (text === '' || KEPT.test(name)) return text;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `https://${label(text)}.example.com/`;
    if (name === 'ip') return `192.0.2.${word(text, 2) % 256}`;
    if (name === 'latitude') return degrees(text, 3, 180);
    if (name === 'longitude') return degrees(text, 4, 360);
    if (/^(?:slug|publicId|shareId)$/.test(name)) return label(text);
    if (/^(?:customDomain|domain)$/.test(name)) return `${label(text)}.example.com`;
    if (WRITTEN.test(name) || /[\s@]/.test(text)) return written(text);
    return text;
  };
  return (value) =>
    mapped(value, (one, name) => {
      if (typeof one === 'string') return changed(one, name);
      return one;
    });
}

/** A text in lower case, written as another one is. */
function inCase(text: string, like: string): string {
  if (like === like.toLowerCase()) return text;
  if (like.length > 1 && like === like.toUpperCase()) return text.toUpperCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
