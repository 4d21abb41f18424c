import { LONGEST_DELAY } from '../wire/wire.ts';
import type { Call } from '../call.ts';
import { orMeant, quote, slipOf } from '../wording/slips.ts';

/** What a client, or a plan, wants for one answer. */
export interface Preferred {
  /** The status. From 400 on, the request has no effect. */
  readonly code?: number;
  /** The name of an example in the OpenAPI document. */
  readonly example?: string;
  /** A generated answer: complete, valid and surprising. */
  readonly dynamic?: boolean;
  /** The same seed gives the same generated answer. Default: the number of the request in the journal. */
  readonly seed?: string;
  /** Milliseconds to wait before the answer. */
  readonly delay?: number;
  /** The id of a violation or of a broken shape to commit, or the name of a connection fault. */
  readonly fault?: string;
  /** Bytes of the body per second. */
  readonly rate?: number;
  /** Seconds in `retry-after`. */
  readonly retryAfter?: number;
}

/** A preference that cannot be applied, with its place: `["header", "prefer"]`, `["query", "__code"]`. */
type Refused = Pick<Written, 'name' | 'location'> & { readonly message: string };

/** What the value of a preference must be: a whole number within limits, one of some words, or any text but the empty one. */
interface Kind {
  /** The end of "must be". */
  readonly is: string;
  readonly limits?: readonly [least: number, most: number];
  readonly words?: Readonly<Record<string, boolean>>;
}

const whole = (...limits: readonly [least: number, most: number]): Kind => ({
  is: `a whole number from ${limits.join(' to ')}`,
  limits,
});

const kinds: Readonly<Record<keyof Preferred, Kind>> = {
  code: whole(200, 599),
  example: { is: 'the name of an example' },
  dynamic: { is: 'true or false', words: { true: true, '': true, false: false } },
  seed: { is: 'any text' },
  delay: whole(0, LONGEST_DELAY),
  fault: { is: 'the id of a fault' },
  rate: whole(1, 1_000_000_000),
  retryAfter: whole(0, 86_400),
};

/** `undefined` for a value that is something else. */
function valueOf({ limits, words }: Kind, text: string): Preferred[keyof Preferred] {
  if (words) return new Map(Object.entries(words)).get(text);
  if (!limits) return text || undefined;
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= limits[0] && number <= limits[1]) return number;
  return undefined;
}

export const preferenceName = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const keys: ReadonlyMap<string, keyof Preferred> = new Map(
  (Object.keys(kinds) as (keyof Preferred)[]).map((key) => [preferenceName(key), key]),
);

/** Registered preferences (IANA) of other purposes, which are not mistakes. */
const registered = new Set(['respond-async', 'return', 'wait', 'handling', 'depth-noroot', 'safe']);

const MOST_READ = 50;

interface Written {
  readonly name: string;
  readonly value: string;
  /** Parameters after a semicolon, as written. */
  readonly parameters: string;
  readonly location: readonly string[];
}

/** Reads `Prefer` (RFC 7240) or, without it, its twins in the query: `__code=404`. Misspelt preferences are refused. */
export function readPreferences(header: string | undefined, query: Call['query']) {
  const all = header === undefined ? twinsOf(query) : writtenIn(header);
  let wanted: Preferred = {};
  const refused: Refused[] = [];
  for (const written of all.slice(0, MOST_READ)) {
    const name = written.name.toLowerCase();
    const { value, location } = written;
    const key = keys.get(name);
    const slips = [!key && slipInName(written), slipInParameters(written)];
    for (const message of slips) if (message) refused.push({ name: 'unknown', location, message });
    // RFC 7240: of preferences of one name the first counts.
    if (key === undefined || key in wanted) continue;
    const read = valueOf(kinds[key], value);
    // Not to want something is no preference.
    if (read !== undefined && read !== false) wanted = { ...wanted, [key]: read };
    if (read === undefined)
      refused.push({ name, location, message: `${name} must be ${kinds[key].is}; it is ${quote(value)}.` });
  }
  return { wanted, refused };
}

const twinsOf = (query: Call['query']): readonly Written[] =>
  query
    .filter(([name]) => name.startsWith('__'))
    .map(([name, value]) => ({ name: name.slice(2), value, parameters: '', location: ['query', name.slice(0, 100)] }));

/** Preferences end at commas outside of quotes. */
const writtenIn = (header: string): readonly Written[] =>
  [...header.matchAll(/\s*([^\s=;,"]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^,;\s]*)))?([^,]*)(?:,|$)/gy)]
    .map(([, name = '', quoted, plain = '', parameters = '']) => {
      const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
      return { name, value, parameters, location: ['header', 'prefer'] };
    })
    .filter(({ name }) => name !== '');

/** The preferences in a header that are not for this mock, as they would be forwarded; empty if there are none. */
export const othersPreferred = (header: string): string =>
  writtenIn(header)
    .filter(({ name }) => !keys.has(name.toLowerCase()))
    .map(({ name, value, parameters }) => {
      const quoted = value && `="${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
      return name + quoted + parameters.trimEnd();
    })
    .join(', ');

/** Query twins are for the mock alone. In a header, only a misspelt preference of ours is a mistake. */
function slipInName({ name, value, location }: Written): string | undefined {
  const [before = '', after] = name.split(':', 2);
  if (after !== undefined && keys.has(before.toLowerCase()))
    return `${quote(name)} is not a preference: write = between name and value. Did you mean ${before}=${quote(after || value)}?`;
  const isTwin = location[0] === 'query';
  if (registered.has(name.toLowerCase()) && !isTwin) return undefined;
  const meant = slipOf(name, [...keys.keys()]);
  if (meant !== undefined) return `${quote(name)} is not a preference.${orMeant(isTwin ? `__${meant}` : meant)}`;
  if (isTwin) return `${quote(name)} is not a preference. There are ${[...keys.keys()].join(', ')}.`;
  return undefined;
}

/** A parameter after a semicolon belongs to the preference before it, and has no meaning here. */
function slipInParameters({ name, value, parameters }: Written): string | undefined {
  for (const [, parameter = '', given = ''] of parameters.matchAll(/;\s*([^\s=;,"]+)(?:\s*=\s*([^\s;,]*))?/g)) {
    const meant = slipOf(parameter, [...keys.keys()]);
    if (meant !== undefined)
      return (
        `${quote(parameter)} comes after a semicolon and has no effect. Separate preferences with commas. ` +
        `Did you mean ${quote(`${name}=${value.slice(0, 20)}, ${meant}=${given}`)}?`
      );
  }
  return undefined;
}

/** The preferences that were applied, for the header `Preference-Applied`. */
export const appliedOf = (wanted: Preferred, met: ReadonlySet<keyof Preferred>): readonly string[] =>
  (Object.keys(wanted) as (keyof Preferred)[])
    .filter((key) => met.has(key))
    .map((key) => {
      const text = String(wanted[key]);
      return `${preferenceName(key)}=${/^[\w.-]+$/.test(text) ? text : JSON.stringify(text)}`;
    });
