import { isConnectionFault, type ConnectionFault } from './delivery.ts';
import { LONGEST_DELAY } from './session/settings.ts';

/** What a client, or a plan, wants of one answer. */
export interface Wanted {
  /** The status. From 400 on the request has no effect. */
  readonly code?: number;
  /** The name of an example of the OpenAPI document. */
  readonly example?: string;
  /** An answer that Prism makes up from the schema. */
  readonly dynamic?: boolean;
  /** What a made-up answer is made from; the same seed gives the same one. */
  readonly seed?: string;
  /** Milliseconds to wait before the answer. */
  readonly delay?: number;
  /** The id of a violation or of a broken shape to commit, or the name of a connection fault. */
  readonly fault?: string;
  /** Bytes of the body a second. */
  readonly rate?: number;
  /** Seconds in `retry-after`. */
  readonly retryAfter?: number;
}

export interface Preferences {
  readonly wanted: Wanted;
  /** What was asked for and cannot be had, and why. */
  readonly refused: readonly { readonly name: string; readonly message: string }[];
}

const NONE: Preferences = { wanted: {}, refused: [] };

interface Reader {
  /** What the value must be, as the end of "must be". */
  readonly is: string;
  readonly read: (value: string) => Wanted | undefined;
}

const whole = (least: number, most: number, keep: (n: number) => Wanted): Reader => ({
  is: `a whole number from ${least} to ${most}`,
  read: (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? keep(number) : undefined;
  },
});

const readers: Readonly<Record<keyof Wanted, Reader>> = {
  code: whole(200, 599, (code) => ({ code })),
  example: { is: 'the name of an example', read: (example) => (example === '' ? undefined : { example }) },
  dynamic: {
    is: 'true or false',
    read: (value) => (value === 'true' || value === '' ? { dynamic: true } : value === 'false' ? {} : undefined),
  },
  seed: { is: 'any text', read: (seed) => (seed === '' ? undefined : { seed }) },
  delay: whole(0, LONGEST_DELAY, (delay) => ({ delay })),
  fault: { is: 'the id of a fault', read: (fault) => (fault === '' ? undefined : { fault }) },
  rate: whole(1, 1_000_000_000, (rate) => ({ rate })),
  retryAfter: whole(0, 86_400, (retryAfter) => ({ retryAfter })),
};

const names: Readonly<Record<string, keyof Wanted>> = {
  code: 'code',
  example: 'example',
  dynamic: 'dynamic',
  seed: 'seed',
  delay: 'delay',
  fault: 'fault',
  rate: 'rate',
  'retry-after': 'retryAfter',
};

/** How a preference is named in a header. */
export const preferenceName = (key: keyof Wanted): string =>
  Object.keys(names).find((name) => names[name] === key) ?? key;

/**
 * Reads the header `Prefer` (RFC 7240) or, where there is none, its twins in the query: `__code=404`, `__delay=200`.
 * Preferences that are not ours are passed over.
 */
export function readPreferences(
  header: string | undefined,
  query: readonly (readonly [name: string, value: string])[],
): Preferences {
  if (header === undefined && query.length === 0) return NONE;
  const pairs =
    header === undefined
      ? query.flatMap(([name, value]) => (name.startsWith('__') ? [[name.slice(2), value] as const] : []))
      : pairsOf(header);
  if (pairs.length === 0) return NONE;
  let wanted: Wanted = {};
  const refused: { name: string; message: string }[] = [];
  for (const [written, value] of pairs) {
    const name = written.toLowerCase();
    const key = Object.hasOwn(names, name) ? names[name] : undefined;
    if (key === undefined) continue;
    const read = readers[key].read(value);
    // RFC 7240: of preferences of one name the first counts.
    if (key in wanted) continue;
    if (read) wanted = { ...wanted, ...read };
    else refused.push({ name, message: `${name} must be ${readers[key].is}; it is ${JSON.stringify(value)}.` });
  }
  return { wanted, refused };
}

/** Preferences end at commas outside of quotes; parameters after a semicolon say nothing to us. */
function pairsOf(header: string): readonly (readonly [name: string, value: string])[] {
  return [...header.matchAll(/([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^,;\s]*)))?[^,]*/g)].map(
    ([, name = '', quoted, plain = '']) => [name, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain] as const,
  );
}

/** The connection fault or the violation that `fault` names, apart. */
export const splitFault = (
  fault: string | undefined,
): { readonly connection?: ConnectionFault; readonly violation?: string } =>
  fault === undefined ? {} : isConnectionFault(fault) ? { connection: fault } : { violation: fault };
