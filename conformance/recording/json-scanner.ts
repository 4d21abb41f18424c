import { createBodyBuffer, type BodyBuffer } from '../../http/body.ts';
import { parseJson } from '../../text/json.ts';

export type ScannedPart =
  | { readonly kind: 'entry'; readonly value: unknown; readonly size: number }
  /** An entry that is too large to keep. */
  | { readonly kind: 'too-large' }
  /** An entry that ends in its middle: the last one of a file, or one that another line breaks off. */
  | { readonly kind: 'cut-short' }
  /** Another member of the log of a HAR file, if it is small. */
  | { readonly kind: 'member'; readonly name: string; readonly value: unknown };

/** The file is no recording, or ends before its entries; `message` says what is wrong and where. */
export class RecordingError extends Error {}

/** Finds the entries of a recording in chunks of bytes, so that a file of any size takes little memory. */
export interface Scanner {
  push(chunk: Uint8Array): readonly ScannedPart[];
  /** Without its end, a file counts up to its last whole entry. @throws RecordingError if no entries have begun. */
  end(): { readonly isWhole: boolean; readonly parts: readonly ScannedPart[] };
}

export const MAX_ENTRY = 32 * 1024 * 1024;
const [LINE_FEED, QUOTE, BACKSLASH, COLON, COMMA] = [0x0a, 0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, LINE_FEED, 0x0d]);

interface Value {
  readonly name: string | undefined;
  /** That of the list or object around it; 0 for a value that nothing is around. */
  readonly depth: number;
  readonly buffer: BodyBuffer;
}

/**
 * Tracks only strings and brackets. A JSON parser reads each entry. Entries are the items of the array `entries` in the member
 * `log` of an object (HAR), those of an array, or objects that follow each other (JSON lines).
 */
export function createJsonScanner(): Scanner {
  /** Bytes in earlier chunks. */
  let offset = 0;
  let depth = 0;
  /** The depth of an entry, which the first characters of the file tell. */
  let layout: 'har' | 'list' | 'lines' | undefined;
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

  const wrong = (what: string, at: number): RecordingError => new RecordingError(`${what} at byte ${offset + at}`);

  function readInString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    else if (depth <= 2 && text.length < 100) text += String.fromCharCode(byte);
  }

  function open(byte: number, at: number): void {
    if (++depth > 10_000) throw wrong('the nesting is too deep', at);
    if (depth === 1 && byte === OPEN_LIST) [layout, inEntries, hasEntries] = ['list', true, true];
    if (depth !== 3 || value || outerName !== 'log' || innerName !== 'entries' || byte !== OPEN_LIST) return;
    [inEntries, hasEntries] = [true, true];
  }

  function close(): void {
    depth--;
    if (depth < entryDepth()) inEntries = false;
    if (depth === 0 && layout === undefined) [layout, hasEntries] = ['lines', true];
    if (depth === 0 && layout !== 'lines') isOver = true;
  }

  const entryDepth = (): number => (layout === 'list' ? 1 : 3);

  function valueAt(byte: number): Value | undefined {
    const isEntry = inEntries && depth === entryDepth() && byte !== COMMA && byte !== CLOSE_LIST;
    if (isEntry || (depth === 0 && byte === OPEN_OBJECT))
      return { name: undefined, depth, buffer: createBodyBuffer(MAX_ENTRY) };
    if (byte !== COLON) return undefined;
    if (depth === 2) innerName = text;
    if (depth !== 2 || outerName !== 'log' || innerName === 'entries') return undefined;
    return { name: innerName, depth, buffer: createBodyBuffer(64 * 1024) };
  }

  /** The first object may be a HAR file: then it is not kept as a whole. */
  function readOuterName(): void {
    outerName = text;
    if (layout !== 'lines' && outerName === 'log') [layout, value] = ['har', undefined];
  }

  /** An entry of a line ends with its line, even if something broke it off in a text. */
  function breakOff(): readonly ScannedPart[] {
    [depth, inString, isEscaped, value] = [0, false, false, undefined];
    return [{ kind: 'cut-short' }];
  }

  return {
    push(bytes) {
      const parts: ScannedPart[] = [];
      let start = 0;
      const isMarked = offset === 0 && BYTE_ORDER_MARK.equals(bytes.subarray(0, 3));
      for (let at = isMarked ? 3 : 0; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0;
        if (inString) {
          if (byte === LINE_FEED && layout === 'lines') parts.push(...breakOff());
          else readInString(byte);
          continue;
        }
        if (BLANK.has(byte)) continue;
        if (isOver) throw wrong('there is text after the end', at);
        const begins = byte === OPEN_OBJECT || (byte === OPEN_LIST && layout === undefined);
        if (depth === 0 && !begins) throw wrong('a recording is JSON, and this is not,', at);
        const isClosing = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
        if (value && value.depth > 0 && value.depth === depth && (byte === COMMA || isClosing)) {
          value.buffer.add(bytes.subarray(start, at));
          parts.push(...partsOf(value));
          value = undefined;
        } else if (byte === COLON && depth === 1 && layout !== 'list') readOuterName();
        else if (!value) {
          value = valueAt(byte);
          start = byte === COLON ? at + 1 : at;
        }
        if (byte === QUOTE) [inString, text] = [true, ''];
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open(byte, at);
        else if (isClosing) close();
        if (depth > 0 || value?.depth !== 0) continue;
        value.buffer.add(bytes.subarray(start, at + 1));
        parts.push(...partsOf(value));
        value = undefined;
      }
      value?.buffer.add(bytes.subarray(start));
      offset += bytes.length;
      return parts;
    },
    end() {
      if (offset === 0) throw new RecordingError('the file is empty');
      if (!isOver && !hasEntries) throw new RecordingError(`the file ends too early, at byte ${offset}`);
      if (!hasEntries) throw new RecordingError('the file has no log with entries, as a HAR file must');
      if (value === undefined || value.name !== undefined) return { isWhole: isOver || depth === 0, parts: [] };
      const isEntry = parseJson(new TextDecoder().decode(value.buffer.bytes())) !== undefined;
      return { isWhole: false, parts: isEntry ? partsOf(value) : [{ kind: 'cut-short' }] };
    },
  };
}

function partsOf({ name, buffer }: Value): readonly ScannedPart[] {
  const bytes = buffer.bytes();
  if (name === undefined)
    return [bytes ? { kind: 'entry', value: jsonOf(bytes), size: bytes.length } : { kind: 'too-large' }];
  if (bytes) return [{ kind: 'member', name, value: jsonOf(bytes) }];
  return [];
}

/** @throws RecordingError if it is not JSON. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new RecordingError(`an entry is not JSON: ${why}`, { cause: error });
  }
}
