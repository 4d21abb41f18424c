import { createBodyBuffer, type BodyBuffer } from '../../http/body.ts';
import { parseJson } from '../../text/json.ts';

/** A part of a HAR file. */
export type HarPart =
  | { readonly kind: 'entry'; readonly bytes: Uint8Array }
  /** An entry that is too large to keep. */
  | { readonly kind: 'too-large' }
  /** The last entry of a file that ends within it. */
  | { readonly kind: 'cut-short' }
  /** Another member of the log, if it is small. */
  | { readonly kind: 'member'; readonly name: string; readonly bytes: Uint8Array };

/** The file is not HAR, or ends before its entries; `message` says what is wrong and where. */
export class HarError extends Error {}

/** The value that a part of a HAR file holds. @throws HarError if it is not JSON. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new HarError(`an entry is not JSON: ${why}`, { cause: error });
  }
}

/** Finds the entries of a HAR file in chunks of bytes, so that a file of any size takes little memory. */
export interface HarScanner {
  push(chunk: Uint8Array): readonly HarPart[];
  /**
   * Without its end, a file counts up to its last whole entry: it was cut short, or is still being written.
   * @throws HarError if no entries have begun.
   */
  end(): { readonly isWhole: boolean; readonly parts: readonly HarPart[] };
}

const MAX_ENTRY = 32 * 1024 * 1024;
const MAX_MEMBER = 64 * 1024;
const MAX_DEPTH = 10_000;
const MAX_NAME = 100;
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** A value that is being read: a member of the log, or, without a name, an entry. */
interface Value {
  readonly name: string | undefined;
  /** That of the list or object around it. */
  readonly depth: number;
  readonly buffer: BodyBuffer;
}

/**
 * Tracks only strings and brackets. A JSON parser reads each entry. The scanner knows that the log is an object in the
 * outermost one, and that its member `entries` is an array.
 */
export function createHarScanner(): HarScanner {
  /** Bytes in earlier chunks. */
  let offset = 0;
  let depth = 0;
  let isOver = false;
  let inString = false;
  let isEscaped = false;
  /** The current or last string, if it may be a name. */
  let text = '';
  /** The last names of members of the outermost object, and of the log. */
  let outerName = '';
  let innerName = '';
  let inEntries = false;
  let hasEntries = false;
  let value: Value | undefined;

  const wrong = (what: string, at: number): HarError => new HarError(`${what} at byte ${offset + at}`);

  function readInString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    else if (depth <= 2 && text.length < MAX_NAME) text += String.fromCharCode(byte);
  }

  function open(byte: number, at: number): void {
    if (++depth > MAX_DEPTH) throw wrong('the nesting is too deep', at);
    if (depth !== 3 || value || outerName !== 'log' || innerName !== 'entries' || byte !== OPEN_LIST) return;
    inEntries = true;
    hasEntries = true;
  }

  function close(): void {
    depth--;
    if (depth === 2) inEntries = false;
    if (depth === 0) isOver = true;
  }

  /** The value that begins at this byte, or after it. */
  function valueAt(byte: number): Value | undefined {
    if (inEntries && depth === 3 && byte !== COMMA && byte !== CLOSE_LIST)
      return { name: undefined, depth, buffer: createBodyBuffer(MAX_ENTRY) };
    if (byte !== COLON) return undefined;
    if (depth === 1) outerName = text;
    if (depth === 2) innerName = text;
    if (depth !== 2 || outerName !== 'log' || innerName === 'entries') return undefined;
    return { name: innerName, depth, buffer: createBodyBuffer(MAX_MEMBER) };
  }

  return {
    push(bytes) {
      const parts: HarPart[] = [];
      let start = 0;
      for (let at = offset === 0 ? afterByteOrderMark(bytes) : 0; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0;
        if (inString) {
          readInString(byte);
          continue;
        }
        if (BLANK.has(byte)) continue;
        if (isOver) throw wrong('there is text after the end', at);
        if (depth === 0 && byte !== OPEN_OBJECT) throw wrong('a HAR file is a JSON object, and this is not one,', at);
        const isClosing = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
        if (value?.depth === depth && (byte === COMMA || isClosing)) {
          value.buffer.add(bytes.subarray(start, at));
          parts.push(...partsOf(value));
          value = undefined;
        } else if (!value) {
          value = valueAt(byte);
          start = byte === COLON ? at + 1 : at;
        }
        if (byte === QUOTE) {
          inString = true;
          text = '';
        } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open(byte, at);
        else if (isClosing) close();
      }
      value?.buffer.add(bytes.subarray(start));
      offset += bytes.length;
      return parts;
    },
    end() {
      if (offset === 0) throw new HarError('the file is empty');
      if (!isOver && !hasEntries) throw new HarError(`the file ends too early, at byte ${offset}`);
      if (!hasEntries) throw new HarError('the file has no log with entries, as a HAR file must');
      if (value === undefined || value.name !== undefined) return { isWhole: isOver, parts: [] };
      const isEntry = parseJson(new TextDecoder().decode(value.buffer.bytes())) !== undefined;
      return { isWhole: false, parts: isEntry ? partsOf(value) : [{ kind: 'cut-short' }] };
    },
  };
}

function afterByteOrderMark(bytes: Uint8Array): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3;
  return 0;
}

function partsOf({ name, buffer }: Value): readonly HarPart[] {
  const bytes = buffer.bytes();
  if (name === undefined) return [bytes ? { kind: 'entry', bytes } : { kind: 'too-large' }];
  if (bytes) return [{ kind: 'member', name, bytes }];
  return [];
}
