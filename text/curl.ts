import { attempt } from './errors.ts';
import { UNSEEN } from './visible.ts';
import { literal } from './literal.ts';
import { platform } from './platform.ts';

/** Something that no output may show, and its placeholder. */
export interface Secret {
  readonly value: string;
  /** Default: `$TOKEN`. */
  readonly placeholder?: string;
}

/** A variable of the shell in place of a text: `$BASE_URL`. */
export interface Variable {
  readonly variable: string;
}

/** A text, or its parts. */
export type Text = string | readonly (string | Variable)[];

/** A request for curl to repeat. */
export interface CurlRequest {
  readonly method: string;
  /** An absolute URL; or the target of a request line, if the options have a base. */
  readonly url: string;
  /** A value with only byte-sized characters is sent as these bytes, any other as UTF-8. */
  readonly headers: Readonly<Record<string, Text>>;
  readonly body?: string | Uint8Array;
}

export interface CurlOptions {
  /** Written as `$TOKEN`. */
  readonly token?: string | undefined;
  /** More values to replace with shell variables, each with its placeholder. */
  readonly secrets?: readonly Secret[] | undefined;
  /** The base of the request's URL. */
  readonly base?: Variable | undefined;
  /** The first arguments of curl, instead of `-sS -i`. */
  readonly flags?: readonly string[] | undefined;
}

/** A body longer than this, in bytes, goes through a pipe: the length of one argument is limited. */
const LONGEST_ARGUMENT = 4096;

/**
 * One line that repeats the request in a POSIX-like shell (bash, zsh) where the variables are set. It contains nothing
 * invisible, and expands only the variables, whatever the request contains. It leaves out NUL outside of a body, and
 * headers with invalid names: nobody can send them.
 */
export function toCurl(request: CurlRequest, options: CurlOptions = {}): string {
  const { token = '', flags = ['-sS', '-i'], secrets: others = [] } = options;
  const secrets = [{ value: token }, ...others].filter(({ value }) => value !== '');
  const { method, headers } = request;
  // With -X HEAD, curl would wait for a body. --head waits for none, and sends none.
  const isHead = method === 'HEAD';
  const body = request.body !== undefined && !isHead && bytesOf(request.body);
  const words = ['curl', ...flags.map(shellWord)];
  // Without it, the bytes of a coding would be shown.
  if (headers['accept-encoding'] === 'gzip') words.push('--compressed');
  if (isHead) words.push('--head');
  else if (method !== (body === false ? 'GET' : 'POST')) words.push('-X', shellWord(method));
  words.push(...urlWords(request.url, options.base, secrets));
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue;
    // "Name;" tells curl to send a header without a value.
    if (value === '') words.push('-H', shellWord(`${name};`));
    else words.push('-H', quote([`${name}: `, ...[value].flat()], secrets));
  }
  if (body === false) return words.join(' ');
  // Without it, curl would declare the body as a form.
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) words.push('-H', 'content-type:');
  if (body.length <= LONGEST_ARGUMENT && !body.includes('\0'))
    return `${words.join(' ')} --data-raw ${quoteBytes(split(body, secrets))}`;
  // No argument can contain NUL, so the text between is split into arguments.
  const pieces = body.split('\0');
  const formats = pieces.map(() => '%s').join(String.raw`\0`);
  const printed = pieces.map((piece) => quoteBytes(split(piece, secrets))).join(' ');
  return `printf ${shellWord(formats)} ${printed} | ${words.join(' ')} --data-binary @-`;
}

function urlWords(url: string, base: Variable | undefined, secrets: readonly Secret[]): string[] {
  const words: string[] = [];
  // By default, curl expands brackets and braces, and resolves dot segments.
  if (/[[\]{}]/.test(url.replace(/^\w+:\/\/[^/?#]*/, ''))) words.push('--globoff');
  if (/\/\.\.?(?=[/?#]|$)/.test(url)) words.push('--path-as-is');
  if (base === undefined) return [...words, quote([url], secrets)];
  // curl would refuse characters that no URL may contain, or take them for a fragment.
  const target = onWire(url).replace(/[^!-~]|#/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
  if (target.startsWith('/')) return [...words, quote([base, target], secrets)];
  return [...words, '--request-target', quote([target], secrets), quote([base], [])];
}

/** A text as one word of a POSIX-like shell. */
export function shellWord(text: string): string {
  return quoteBytes([bytesOf(text)]);
}

function quote(text: readonly (string | Variable)[], secrets: readonly Secret[]): string {
  return quoteBytes(text.flatMap((part) => (typeof part === 'string' ? split(onWire(part), secrets) : part)));
}

/** One shell word from variables and bytes (one character each). */
function quoteBytes(all: readonly (string | Variable)[]): string {
  const parts: (string | Variable)[] = [];
  let plain = '';
  for (const part of all) {
    const last = parts.at(-1);
    if (typeof part === 'string') plain += part;
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== '') parts.push(part);
  }
  if (parts.length > 1 && /^[\w :/.,=?&+@%~-]*$/.test(plain)) return `"${parts.map(expanded).join('')}"`;
  const words = parts.map((part) => (typeof part === 'string' ? plainWord(part) : `"${part.variable}"`));
  return words.join('') || "''";
}

/** A part of a word in double quotes. A name ends where the next part cannot go on with it. */
function expanded(part: string | Variable, index: number, parts: readonly (string | Variable)[]): string {
  if (typeof part === 'string') return part;
  const next = parts[index + 1];
  if (typeof next === 'string' && /^\w/.test(next)) return `\${${part.variable.slice(1)}}`;
  return part.variable;
}

function plainWord(bytes: string): string {
  const sent = bytes.replaceAll('\0', '');
  const text = utf8Of(sent);
  if (text !== undefined && /^[\w:/.,=@%+-]+$/.test(text)) return text;
  if (text !== undefined && text.search(UNSEEN) === -1) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const octal = (bytesOfOne: string): string =>
    Array.from(bytesOfOne, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
  const escaped = (text ?? sent)
    .replaceAll('\\', String.raw`\\`)
    // An interactive shell may misjudge the quotes, and expand history.
    .replace(/['!]/g, octal);
  if (text === undefined) return `$'${escaped.replace(/[^ -~]/g, octal)}'`;
  return `$'${escaped.replace(UNSEEN, (character) => octal(bytesOf(character)))}'`;
}

/** Each byte as one character: the given ones, or those of a text in UTF-8. */
export function bytesOf(content: string | Uint8Array): string {
  const read = typeof content === 'string' ? content : new platform.TextDecoder().decode(content);
  // Most content is ASCII, and is its own bytes. A byte order mark is left out of what is read.
  if (read.length === content.length && !/[^\0-\x7f]/.test(read)) return read;
  const bytes = typeof content === 'string' ? new platform.TextEncoder().encode(content) : content;
  let text = '';
  // Spread as arguments they would be read one by one, which takes eight times as long.
  for (let at = 0; at < bytes.length; at += 8192)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + 8192)) as string;
  return text;
}

/** HTTP libraries return the bytes of a line as characters. */
function onWire(text: string): string {
  if (/[^\0-\xff]/.test(text)) return bytesOf(text);
  return text;
}

/** The text that bytes encode in UTF-8, if they are valid. */
export function utf8Of(bytes: string): string | undefined {
  const decoder = new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return attempt(() => decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
}

/** Bytes split at every secret in them, with variables in between. Short ones count only after "Bearer " at the end. */
function split(bytes: string, secrets: readonly Secret[]): (string | Variable)[] {
  const known = secrets
    .map(({ value, placeholder = '$TOKEN' }) => ({ value: bytesOf(value), variable: placeholder }))
    .toSorted((one, other) => other.value.length - one.value.length);
  if (known.length === 0) return [bytes];
  const patterns = known.map(({ value }) => {
    if (value.length >= 4) return literal(value);
    return `(?<=[Bb][Ee][Aa][Rr][Ee][Rr] )${literal(value)}$`;
  });
  // Every second piece is a secret.
  return bytes.split(new RegExp(`(${patterns.join('|')})`)).map((piece, i) => {
    const found = i % 2 === 1 && known.find(({ value }) => value === piece);
    return found || piece;
  });
}
