/** A part of a HAR file. */
export type HarPart =
  | { readonly kind: 'entry'; readonly bytes: Buffer }
  /** An entry that is too large to keep. */
  | { readonly kind: 'too-large' }
  /** Another member of the log, if it is small. */
  | { readonly kind: 'member'; readonly name: string; readonly bytes: Buffer };

/** The file is not HAR, or ends too early; `message` says what is wrong and where. */
export class HarError extends Error {}

/** Finds the entries of a HAR file in chunks of bytes, so that a file of any size takes little memory. */
export interface HarScanner {
  push(chunk: Buffer): readonly HarPart[];
  /** @throws HarError if the file is incomplete. */
  end(): void;
}

const MAX_ENTRY = 32 * 1024 * 1024;
const MAX_MEMBER = 64 * 1024;
const MAX_DEPTH = 10_000;
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The part that is being read: the value of a member of the log, or an entry. */
interface Capture {
  readonly kind: 'entry' | 'member';
  readonly name: string;
  readonly depth: number;
  pieces: Buffer[];
  length: number;
}

/**
 * Tracks only strings and brackets. A JSON parser reads each entry. The scanner knows that the log is an object in the
 * outermost one, and that its member `entries` is an array.
 */
export function createHarScanner(): HarScanner {
  let depth = 0;
  let isOver = false;
  let offset = 0;
  /** Set inside a string. Its first bytes are kept, since it may be a name. */
  let inString = false;
  let isEscaped = false;
  let text = '';
  /** The last names at depths 1 and 2. */
  const names = ['', '', ''];
  let isInEntries = false;
  let capture: Capture | undefined;
  let hasEntries = false;

  const wrong = (what: string, at: number): HarError => new HarError(`${what} at byte ${offset + at}`);

  function begin(kind: Capture['kind'], name: string): void {
    capture = { kind, name, depth, pieces: [], length: 0 };
  }

  function keep(piece: Buffer): void {
    if (!capture) return;
    capture.length += piece.length;
    const most = capture.kind === 'entry' ? MAX_ENTRY : MAX_MEMBER;
    if (capture.length > most) capture.pieces = [];
    else capture.pieces.push(Buffer.from(piece));
  }

  function finish(parts: HarPart[]): void {
    if (!capture) return;
    const { kind, name, pieces, length } = capture;
    const isTooLarge = length > (kind === 'entry' ? MAX_ENTRY : MAX_MEMBER);
    if (kind === 'entry') parts.push(isTooLarge ? { kind: 'too-large' } : { kind, bytes: Buffer.concat(pieces) });
    else if (!isTooLarge) parts.push({ kind, name, bytes: Buffer.concat(pieces) });
    capture = undefined;
  }

  /** The index after the current string, or the end of the chunk. */
  function afterString(bytes: Buffer, from: number): number {
    for (let i = from; i < bytes.length; i++) {
      if (isEscaped) {
        isEscaped = false;
        continue;
      }
      const byte = bytes[i];
      if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        inString = false;
        return i + 1;
      }
    }
    return bytes.length;
  }

  const isMember = (): boolean => depth === 2 && names[1] === 'log';

  function open(byte: number, at: number): void {
    if (isOver) throw wrong('there is text after the end', at);
    if (depth === 0 && byte !== 0x7b) throw wrong('a HAR file is a JSON object, and this is not one,', at);
    if (++depth > MAX_DEPTH) throw wrong('the nesting is too deep', at);
    if (depth === 3 && names[1] === 'log' && names[2] === 'entries' && byte === 0x5b) {
      isInEntries = hasEntries = true;
      capture = undefined;
    }
  }

  function close(at: number, parts: HarPart[]): void {
    depth--;
    if (depth < 0) throw wrong('a closing bracket has no opening one', at);
    if (depth === 2) isInEntries = false;
    if (depth === 0) isOver = true;
    if (capture && depth < capture.depth) finish(parts);
  }

  return {
    push(bytes) {
      const parts: HarPart[] = [];
      /** The start of the captured part in this chunk. */
      let start = 0;
      let i = 0;
      if (offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) i = start = 3;
      while (i < bytes.length) {
        if (inString) {
          const end = afterString(bytes, i);
          if (depth <= 2 && text.length < 100) text += bytes.toString('latin1', i, Math.min(end, i + 100));
          i = end;
          continue;
        }
        const byte = bytes[i] ?? 0;
        if (depth === 0 && !OPENING.has(byte) && !BLANK.has(byte))
          throw wrong(isOver ? 'there is text after the end' : 'a HAR file is a JSON object, and this is not one,', i);
        if (isInEntries && depth === 3 && !capture && !BLANK.has(byte) && byte !== COMMA && !CLOSING.has(byte)) {
          begin('entry', '');
          start = i;
        }
        if (byte === QUOTE) {
          inString = true;
          text = '';
        } else if (OPENING.has(byte)) open(byte, i);
        else if (byte === COLON && depth <= 2 && !capture) {
          names[depth] = text.replace(/".*$/s, '');
          if (isMember() && names[2] !== 'entries') {
            begin('member', names[2] ?? '');
            start = i + 1;
          }
        } else if (CLOSING.has(byte) || (byte === COMMA && capture && depth === capture.depth)) {
          if (capture && depth === capture.depth) {
            keep(bytes.subarray(start, i));
            finish(parts);
          }
          if (CLOSING.has(byte)) close(i, parts);
        }
        i++;
      }
      if (capture) keep(bytes.subarray(start));
      offset += bytes.length;
      return parts;
    },
    end() {
      if (offset === 0) throw new HarError('the file is empty');
      if (!isOver) throw new HarError(`the file ends too early, at byte ${offset}`);
      if (!hasEntries) throw new HarError('the file has no log with entries, as a HAR file must');
    },
  };
}
