import { UNSEEN, type Secret } from '../report/redact.ts';
import type { WireRequest } from './transport.ts';

export interface CurlOptions {
  /** Written as `$TOKEN`. */
  readonly token?: string | undefined;
  /** More values that are written as a variable of the shell, each with its placeholder. */
  readonly secrets?: readonly Secret[] | undefined;
}

/** A body longer than this, in characters, goes in through a pipe: one argument may hold only so much. */
const LONGEST_ARGUMENT = 4096;

/**
 * One line that repeats the request in a POSIX-like shell (bash, zsh) in which `$TOKEN` is set. Nothing in it is
 * invisible, and nothing but the variables of the secrets is expanded.
 */
export function toCurl(request: WireRequest, options: CurlOptions): string {
  const secrets = [
    ...(options.token === undefined ? [] : [{ value: options.token, placeholder: '$TOKEN' }]),
    ...(options.secrets ?? []),
  ].filter(({ value }) => value !== '');
  const { method, url, headers, body } = request;
  const words = ['curl', '-sS', '-i'];
  if (body === undefined ? method !== 'GET' : method !== 'POST') words.push('-X', quote(method, []));
  // curl takes brackets and braces for patterns, and resolves dot segments.
  if (/[[\]{}]/.test(url.replace(/^\w+:\/\/[^/?#]*/, ''))) words.push('--globoff');
  if (/\/\.\.?(?=[/?#]|$)/.test(url)) words.push('--path-as-is');
  words.push(quote(url, secrets));
  for (const [name, value] of Object.entries(headers)) {
    // "Name;" is how curl is told to send a header without a value.
    words.push('-H', value === '' ? quote(`${name};`, []) : quote(`${name}: ${value}`, secrets));
  }
  if (body === undefined) return words.join(' ');
  // Without it curl would call the body a form.
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) words.push('-H', 'content-type:');
  if (body.includes('\0')) {
    const text = body.replaceAll('\\', String.raw`\\`).replaceAll('\0', String.raw`\0000`);
    return `printf %b ${quote(text, secrets)} | ${words.join(' ')} --data-binary @-`;
  }
  if (body.length > LONGEST_ARGUMENT) {
    return `printf %s ${quote(body, secrets)} | ${words.join(' ')} --data-binary @-`;
  }
  return `${words.join(' ')} --data-raw ${quote(body, secrets)}`;
}

/** A text as one word of a POSIX-like shell. */
export const shellWord = (text: string): string => quote(text, []);

/** One word of the shell, with secrets as variables. */
function quote(text: string, secrets: readonly Secret[]): string {
  const parts = split(text, secrets);
  const plain = parts.map((part) => (typeof part === 'string' ? part : '')).join('');
  if (parts.length > 1 && /^[\w :/.,=?&+@%~-]*$/.test(plain)) {
    return `"${parts.map((part, index) => (typeof part === 'string' ? part : variable(part, parts[index + 1]))).join('')}"`;
  }
  return parts.map((part) => (typeof part === 'string' ? literal(part) : `"${variable(part)}"`)).join('') || "''";
}

function variable({ placeholder = '$TOKEN' }: Secret, next?: string | Secret): string {
  return typeof next === 'string' && /^\w/.test(next) ? `\${${placeholder.slice(1)}}` : placeholder;
}

function literal(text: string): string {
  const wellFormed = Buffer.from(text).toString();
  if (wellFormed.search(UNSEEN) === -1) return /^[\w:/.,=@%+-]+$/.test(wellFormed) ? wellFormed : quoted(wellFormed);
  const escaped = wellFormed
    .replace(/[\\']/g, String.raw`\$&`)
    .replace(UNSEEN, (character) =>
      Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `$'${escaped}'`;
}

/** One word of a POSIX-like shell, whatever it holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text cut at every secret in it, with the secrets themselves between the cuts. */
function split(text: string, secrets: readonly Secret[]): (string | Secret)[] {
  const bySize = [...secrets].toSorted((one, other) => other.value.length - one.value.length);
  const parts: (string | Secret)[] = [];
  let plain = '';
  for (let index = 0; index < text.length;) {
    const found = bySize.find(({ value }) => text.startsWith(value, index) && isWholeEnough(text, index, value));
    if (found === undefined) {
      plain += text[index] ?? '';
      index += 1;
      continue;
    }
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push(found);
    index += found.value.length;
  }
  if (plain !== '') parts.push(plain);
  return parts;
}

/** Secrets of less than four characters stand for themselves only after "Bearer " and to the end. */
function isWholeEnough(text: string, index: number, value: string): boolean {
  if (value.length >= 4) return true;
  return index + value.length === text.length && /bearer $/i.test(text.slice(0, index));
}
