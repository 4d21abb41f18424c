import { isUtf8 } from 'node:buffer';
import { printParseErrorCode, visit } from 'jsonc-parser';
import { attempt } from '../../text/errors.ts';
import { cutTo, show } from '../show.ts';
import errorWords from './parse-errors.json';

/** How many characters of a body are kept for the report. */
export const MAX_KEPT = 2000;

/** What a body holds. */
export interface ReadBody {
  /** Shared by equal bodies; `undefined` if `problem` says what the body is instead. */
  readonly json: unknown;
  /** What the body is instead of JSON. */
  readonly problem: string | undefined;
  /** What is wrong with the bytes, if their JSON can still be read. */
  readonly flaw?: string | undefined;
  /** A name that one object has twice. Only small bodies are searched. */
  readonly repeats?: string | undefined;
}

/** Parsed values may take a hundred times the memory of the body. No agent has nearly as many. */
export const MAX_VALUES = 500_000;
/** A larger body is kept as bytes, and parsed again at every access. */
const MAX_PARSED_BYTES = 256 * 1024;
/** Larger bodies are not searched for duplicate names. */
const MAX_SEARCHED_BYTES = 16 * 1024;
/** Limits of the cache: bodies, and their bytes together. Parsed, they take several times as much. */
const CACHE = { bodies: 24, bytes: 512 * 1024 };

/** Bodies that were read before, by any run: a transport in the same process may share them. Without it, such a run takes a third longer. */
const shared = new WeakMap<Uint8Array, ReadBody>();

/** Caches a few recent bodies, since runs read the same list again and again. Equal bodies share their `json`. */
export function createReader(): (body: Uint8Array) => ReadBody {
  const recent: { readonly own: Uint8Array; readonly read: ReadBody }[] = [];
  let bytes = 0;
  return (body) => {
    const before = shared.get(body);
    if (before) return before;
    // Comparing takes a hundredth of what a key made of the bytes does.
    const known = recent.find(({ own }) => own.length === body.length && Buffer.compare(own, body) === 0);
    if (known) return known.read;
    const own = ownOf(body);
    const read = readJson(own);
    shared.set(own, read);
    if (own.length > CACHE.bytes) return read;
    bytes += own.length;
    recent.unshift({ own, read });
    while (recent.length > CACHE.bodies || bytes > CACHE.bytes) bytes -= recent.pop()?.own.length ?? 0;
    return read;
  };
}

/** The bytes, or a copy of those in memory that another thread writes to. */
function ownOf(body: Uint8Array): Uint8Array {
  if (body.length === 0 || !(body.buffer instanceof SharedArrayBuffer)) return body;
  // Ten times as fast as `from`, which is careful with memory that is shared.
  return Buffer.allocUnsafeSlow(body.length).fill(body);
}

/** The first {@link MAX_KEPT} characters, decoded separately, so that they do not keep the whole body in memory. */
export const beginning = (body: Uint8Array): string => textOf(body.subarray(0, MAX_KEPT * 4)).slice(0, MAX_KEPT);

/** Whether a body holds more than {@link MAX_VALUES} JSON values. */
export function holdsTooMuch(body: Uint8Array): boolean {
  if (body.length < MAX_VALUES) return false;
  let values = 0;
  for (const sign of [',', '[', '{']) {
    const byte = sign.charCodeAt(0);
    for (let index = body.indexOf(byte); index >= 0; index = body.indexOf(byte, index + 1))
      if (++values > MAX_VALUES) return true;
  }
  return false;
}

/** The parser does not recurse, nor does any reader of its result, so deep nesting is harmless. */
export function readJson(body: Uint8Array): ReadBody {
  if (!isUtf8(body)) return { json: undefined, problem: describeNoUtf8(body) };
  const text = textOf(body);
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const flaw = hasMark ? 'JSON after a byte order mark, which must not precede JSON' : undefined;
  try {
    const json: unknown = JSON.parse(text);
    const read = { problem: undefined, flaw, repeats: nameTwice(text, body.length) };
    if (body.length > MAX_PARSED_BYTES && typeof json === 'object' && json !== null) return lazily(json, body, read);
    return { json, ...read };
  } catch {
    return { json: undefined, problem: describeNoJson(text) };
  }
}

function lazily(json: object, body: Uint8Array, read: Omit<ReadBody, 'json'>): ReadBody {
  let parsed = new WeakRef(json);
  return {
    get json() {
      const known = parsed.deref();
      if (known) return known;
      const again = JSON.parse(textOf(body)) as object;
      parsed = new WeakRef(again);
      return again;
    },
    ...read,
  };
}

const decoded = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

const textOf = (bytes: Uint8Array): string => decoded(bytes).replace(/^\ufeff/, '');

function describeNoUtf8(body: Uint8Array): string {
  // The decoder inserts this character for invalid bytes, but a text may also contain it.
  const text = decoded(body);
  let [at, done] = [0, 0];
  for (let index = text.indexOf('\ufffd'); index >= 0; index = text.indexOf('\ufffd', index + 1)) {
    at += Buffer.byteLength(text.slice(done, index));
    if (body[at] !== 0xef || body[at + 1] !== 0xbf || body[at + 2] !== 0xbd) break;
    done = index;
  }
  const byte = (body[at] ?? 0).toString(16).padStart(2, '0');
  const before = show(textOf(body.subarray(Math.max(0, at - 20), at)));
  return `text that is not UTF-8: the byte 0x${byte} at position ${at}, after ${before}`;
}

function describeNoJson(text: string): string {
  if (text.trim() === '') return 'an empty body';
  if (/^\s*<(!doctype\s+html|html)/i.test(text)) return 'an HTML page';
  const start = `text that is not JSON, beginning with ${show(cutTo(40, text))}`;
  const found = whereNoJson(text);
  if (found) return `${start}: ${found.reason}, at position ${found.index}`;
  return start;
}

/** A duplicate name in one object: the parser keeps only the last value, and reports nothing. */
function nameTwice(text: string, bytes: number): string | undefined {
  if (bytes > MAX_SEARCHED_BYTES) return undefined;
  const open: (Set<string> | undefined)[] = [];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name = token.slice(0, token.length - colon.length);
      if (open.at(-1)?.has(name) === true) return JSON.parse(name) as string;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}

const WORD = /[^\s,:[\]{}"]{1,20}/y;

/** The first place where a text is not JSON; `undefined` if there is none, or if it is nested too deeply to tell. */
export function whereNoJson(text: string) {
  let found: { readonly index: number; readonly reason: string } | undefined;
  const onError = (error: number, index: number): void => {
    found ??= { index, reason: reasonOf(text, index, printParseErrorCode(error)) };
  };
  // The parser recurses.
  attempt(() => visit(text, { onError }, { disallowComments: true, allowTrailingComma: false }));
  return found;
}

function reasonOf(text: string, index: number, error: string): string {
  if (index >= text.length) return 'it ends too early';
  const isItemExpected = error === 'ValueExpected' || error === 'PropertyNameExpected';
  if (isItemExpected && /[\]}]/.test(text[index] ?? '')) return `a comma comes before ${text[index]}`;
  WORD.lastIndex = index;
  const words: Readonly<Partial<Record<string, string>>> = errorWords;
  return words[error] ?? `${WORD.exec(text)?.[0] ?? text[index]} is not JSON`;
}
