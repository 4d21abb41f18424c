import { isObject } from './json.ts';
import { quoted, visible } from '../text/visible.ts';

const MAX_SHOWN = 80;

/** A value as a line of printable JSON. Values of answers enter sentences only here: redaction looks between quotes. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return quoted(value, MAX_SHOWN);
  const printable = visible(JSON.stringify(value));
  if (printable.length <= MAX_SHOWN) return printable;
  return `${printable.slice(0, MAX_SHOWN)}…`;
}

/** `1 result`, `1,200 results`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
