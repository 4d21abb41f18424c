import { isObject } from './json.ts';
import { quoted, visible } from '../text/visible.ts';

const MAX_SHOWN = 80;

/** A value as a line of printable JSON. Values of answers enter sentences only here: redaction looks between quotes. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return quoted(value, MAX_SHOWN);
  return cutTo(MAX_SHOWN, visible(JSON.stringify(value)));
}

export function cutTo(length: number, text: string): string {
  if (text.length > length) return `${text.slice(0, length)}…`;
  return text;
}

/** A text that is there only if all its values are: without any, or with 0, it is empty. */
export function optional(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | false | undefined)[]
): string {
  return values.every(Boolean) ? String.raw({ raw: texts }, ...values) : '';
}

/** `1,200`. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

/** `< 1 ms`, `12 ms`, `1.2 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 result`, `1,200 results`. */
export const counted = (number: number, noun: string): string => `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;

/** The first names of a list: `a, b, c, and 4 more`. */
export const named = (all: readonly string[], most: number): string =>
  `${all.slice(0, most).join(', ')}${optional`, and ${all.length > most && all.length - most} more`}`;
