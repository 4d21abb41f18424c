import path from 'node:path';
import { Option, type Command } from 'commander';
import { UsageError } from '../conformance/usage-error.ts';
import { MockError } from '../mock/mock-error.ts';
import { shellWord, type Secret } from '../text/curl.ts';
import { visible } from '../text/visible.ts';
import texts from './flags.json';
import type { Io } from './io.ts';

/** The source of a value, as the beginning of a message. */
export interface ValueOrigin {
  readonly label: string;
  /** Relative paths start here. */
  readonly folder: string;
}

type Read<T> = (text: string, origin: ValueOrigin) => T;

export interface FileOfValues extends ValueOrigin {
  /** Whether the user named it; otherwise it was found in the current folder. */
  readonly isNamed: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

const SEPARATORS: Readonly<Record<string, RegExp>> = { words: /[\s,]+/, lines: /\n+/, blanks: /\s+/ };

interface FlagRow {
  /** What it takes, for the help; without this it is a switch. */
  readonly takes?: string;
  readonly description: string;
  /** It may be repeated, and this separates values that are given as one text: `words`, `lines` or `blanks`. */
  readonly separator?: string;
  /** A switch that is on by default; the help then shows `--no-...` with this description. */
  readonly isOn?: boolean;
  /** No message shows the value. */
  readonly isSecret?: boolean;
  /** Its environment variable, if that of {@link variableName} belongs to another command's flag; `null` for none. */
  readonly variable?: string | null;
  readonly needs?: string;
  /** A flag that says something else about the same. */
  readonly excludes?: string;
}

export type Flag = FlagRow & { readonly read: Read<unknown> };
export type Flags = Readonly<Record<string, Flag>>;

type FlagsOf<F, R> = { readonly [K in keyof F]: F[K] & { readonly read: K extends keyof R ? R[K] : typeof readText } };

/** The values of a table's flags, by their camel-case names. */
export type ValuesOf<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends { readonly takes: string; readonly read: Read<infer T> }
    ? F[K] extends { readonly separator: string }
      ? readonly T[]
      : T | undefined
    : boolean;
};

/** The flags of a table in flags.json, with what reads their values: where nothing is named, {@link readText}. */
export function flagsOf<
  T extends keyof typeof texts,
  R extends { readonly [K in keyof (typeof texts)[T]]?: Read<unknown> },
>(table: T, readers: R): FlagsOf<(typeof texts)[T], R> {
  const flags = Object.entries<FlagRow>(texts[table]).map(([key, row]) => [
    key,
    { ...row, read: row.takes === undefined ? readSwitch : (readers[key as keyof R] ?? readText) },
  ]);
  return Object.fromEntries(flags) as FlagsOf<(typeof texts)[T], R>;
}

/** The same flags, for the command line alone. */
export function typedFlags<F extends Flags>(flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([key, flag]) => [key, { ...flag, variable: null }])) as F;
}

export const jsonFlag = typedFlags(flagsOf('json', {}));

/** An unreadable value; the message says what it should be. */
export class BadValue extends Error {}

/** `readToken` as a flag: `--read-token`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A flag with its value, as words of a shell. */
export const flagWords = (key: string, value: string | true): string =>
  [flagName(key), ...[value].filter((text) => text !== true).map((text) => shellWord(text))].join(' ');

/** `readToken` as an environment variable: `AGENT_CONTRACT_READ_TOKEN`. */
export function variableName(key: string): string {
  return `AGENT_CONTRACT_${flagName(key).slice(2).replaceAll('-', '_').toUpperCase()}`;
}

export function variableOf(key: string, { variable = variableName(key) }: Flag): string | undefined {
  return variable ?? undefined;
}

/** Registers the flags of a table with commander, for parsing and for the help. */
export function addFlags(command: Command, flags: Flags): void {
  for (const [key, flag] of Object.entries(flags)) {
    const name = flagName(key);
    const negated = name.replace('--', '--no-');
    let shown = name;
    if (flag.takes === undefined) {
      if (flag.isOn) shown = negated;
      command.addOption(new Option(shown === name ? negated : name).hideHelp());
    } else shown += ` ${flag.takes}`;
    const option = new Option(shown, flag.description);
    const variable = variableOf(key, flag);
    if (variable !== undefined) option.env(variable);
    if (flag.separator !== undefined)
      option.argParser((value: string, before?: readonly string[]) => (before ?? []).concat(value));
    command.addOption(option);
  }
}

/**
 * The value of each flag: from the command line, or else from its environment variable, or else from the target file.
 * An empty variable counts as unset.
 * @throws UsageError that names the place, the value and what it should be.
 */
export function readFlags<F extends Flags>(
  flags: F,
  command: Command,
  io: Pick<Io, 'env' | 'cwd'>,
  file?: FileOfValues,
): ValuesOf<F> {
  const values = Object.fromEntries(
    Object.entries(flags).map(([key, flag]) => {
      const given = givenFor(key, flag, command, io, file);
      return [key, given === undefined ? emptyValue(flag) : valueOf(flag, given)];
    }),
  );
  checkTogether(flags, values);
  return values as ValuesOf<F>;
}

/** What no output may show of the values of flags, under the names of the flags: `$READ_TOKEN`. */
export function secretsOf(flags: Flags, settings: object): readonly Secret[] {
  const secret = Object.entries(settings).filter(([key]) => flags[key]?.isSecret === true);
  return secret.flatMap(([key, value]) => {
    const placeholder = variableName(key).replace('AGENT_CONTRACT_', '$');
    // Of a header, the last part is the value.
    const values = [value].flat().map((one: unknown) => [one].flat().at(-1));
    return values.filter((one) => typeof one === 'string').map((one) => ({ value: one, placeholder }));
  });
}

function checkTogether(flags: Flags, values: Readonly<Record<string, unknown>>): void {
  const isGiven = (key: string): boolean => {
    const value = values[key];
    if (Array.isArray(value)) return value.length > 0;
    return value !== undefined && value !== false;
  };
  for (const [key, { needs, excludes }] of Object.entries(flags).filter(([name]) => isGiven(name))) {
    if (excludes !== undefined && isGiven(excludes))
      throw new UsageError(`${flagName(key)} and ${flagName(excludes)} exclude each other. Leave one out.`);
    if (needs !== undefined && !isGiven(needs))
      throw new UsageError(`${flagName(key)} has no effect without ${flagName(needs)}.`);
  }
}

export interface Given {
  readonly values: readonly (string | boolean)[];
  readonly source: 'flag' | 'variable' | 'file';
  readonly origin: ValueOrigin;
}

/** The text that {@link readFlags} will read for a flag; `undefined` if it is unset. */
export function givenFor(
  key: string,
  flag: Flag,
  command: Command,
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  file: FileOfValues | undefined,
): Given | undefined {
  // Commander reads the environment too, but takes any value for true.
  if (command.getOptionValueSource(key) === 'cli') {
    const values = [command.getOptionValue(key) as string | boolean | string[]].flat();
    return { values, source: 'flag', origin: { label: flagName(key), folder: cwd } };
  }
  const variable = variableOf(key, flag);
  const text = (variable !== undefined && env[variable]?.trim()) || '';
  if (text !== '') return { values: [text], source: 'variable', origin: { label: variable ?? '', folder: cwd } };
  const value = file?.values[key];
  if (file === undefined || value === undefined) return undefined;
  const values = [value].flat().map((one) => (typeof one === 'boolean' ? one : `${one as string | number}`));
  return { values, source: 'file', origin: { label: `${file.label} /${key}`, folder: file.folder } };
}

function emptyValue({ takes, separator, isOn = false }: Flag): unknown {
  if (takes === undefined) return isOn;
  if (separator !== undefined) return [];
  return undefined;
}

function valueOf(flag: Flag, { values, source, origin }: Given): unknown {
  const read = (value: string | boolean, place = ''): unknown => {
    const text = String(value);
    try {
      return flag.read(text, origin);
    } catch (error) {
      if (!(error instanceof BadValue || error instanceof MockError)) throw error;
      const shown = flag.isSecret === true ? '' : ` ${visible(JSON.stringify(text))}`;
      throw new UsageError(`${origin.label}${place}${shown}: ${error.message}`, { cause: error });
    }
  };
  if (flag.separator === undefined) return read(values[0] ?? '');
  const separator = SEPARATORS[flag.separator] ?? '';
  return values.flatMap((value, index) => {
    const parts = String(value)
      .split(separator)
      .filter((part) => part !== '');
    if (parts.length === 0) parts.push('');
    const place = source === 'file' ? `/${index}` : '';
    return parts.map((part) => read(part, place));
  });
}

function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(value)) return true;
  if (['false', '0', 'no', 'off'].includes(value)) return false;
  throw new BadValue('this must be true or false.');
}

export function readText(text: string): string {
  if (text.trim() === '') throw new BadValue('this must not be empty.');
  return text;
}

export function readPath(text: string, { folder }: ValueOrigin): string {
  return path.resolve(folder, readText(text));
}

/** A name, or a file that holds the same. */
export type NameOrFile = { readonly name: string } | { readonly file: string };

/** A value that looks like a path is a file; any other value is a name. */
export function readNameOrFile(text: string, origin: ValueOrigin): NameOrFile {
  if (/[./\\]/.test(text)) return { file: readPath(text, origin) };
  return { name: readText(text) };
}

export function readOneOf<T extends string>(names: readonly T[]) {
  return (text: string): T => {
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    throw new BadValue(`this must be ${names.length === 1 ? names[0] : `one of ${names.join(', ')}`}.`);
  };
}

const WHOLE = /^\d+$/;
export const DECIMAL = /^\d+(?:\.\d+)?$/;

/** A number between two bounds; `what` names its kind in the message, for example `a whole number of rounds`. */
export function readNumber(what: string, least: number, most: number, example: number, form = WHOLE) {
  return (text: string): number => {
    const number = Number(text);
    if (form.test(text.trim()) && number >= least && number <= most) return number;
    throw new BadValue(`this must be ${what} from ${least} to ${most}, for example ${example}.`);
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function readDuration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (number !== '' && ms > 0) return ms;
  throw new BadValue('this must be a time with a unit (ms, s, m, h), for example 60s.');
}
