import type { Exchange } from './answer.ts';
import { visible } from './redact.ts';

/** What was expected in one place, and what was met there instead. */
export interface Finding {
  /** What the requirement demands here, in words. */
  readonly expected: string;
  /** What was met instead. */
  readonly actual: string;
  /** JSON Pointer into the body of the decisive answer. */
  readonly at?: string;
}

/** Thrown by a check: the target breaks a requirement. */
export class Violation extends Error {
  readonly finding: Finding;
  /** The exchanges that show it, the decisive one last. */
  readonly exchanges: readonly Exchange[];
  readonly more: readonly Finding[];

  constructor(finding: Finding, exchanges: readonly Exchange[], more: readonly Finding[] = []) {
    super(`expected ${finding.expected}, met ${finding.actual}`);
    this.name = 'Violation';
    this.finding = finding;
    this.exchanges = exchanges;
    this.more = more;
  }
}

/** Thrown by a check: the means to judge are missing. Never held against the target. */
export class CannotJudge extends Error {
  /** What the user can supply so that it is judged. */
  readonly supply: string | undefined;

  constructor(reason: string, supply?: string) {
    super(reason);
    this.name = 'CannotJudge';
    this.supply = supply;
  }
}

/** A request of the run got no complete answer. */
export class NoAnswer extends CannotJudge {
  readonly exchange: Exchange;

  constructor(reason: string, exchange: Exchange) {
    super(reason);
    this.name = 'NoAnswer';
    this.exchange = exchange;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own property of an object, or `undefined`; null counts as absent (section 2.12). */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found ?? undefined;
}

/** The string at `path`, or `undefined` where there is none or something else. */
export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = field(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

const MAX_SHOWN = 80;

/**
 * A value as one short line of JSON in printable characters. Whatever an answer holds gets into a sentence by this alone:
 * secrets are looked for in what stands in quotation marks.
 */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN + 1) : value);
  const printable = visible(text);
  if (printable.length <= MAX_SHOWN) return printable;
  return `${printable.slice(0, MAX_SHOWN)}…${typeof value === 'string' ? '"' : ''}`;
}

/** `1 result`, `3 results`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
