/** A part of a HAR file. */
export type HarPart =
  | { readonly kind: 'entry'; readonly bytes: Buffer }
  /** An entry that is too large to keep. */
  | { readonly kind: 'too-large' }
  /** Another member of the log, if it is small. */
  | { readonly kind: 'member'; readonly name: string; readonly bytes: Buffer };

/** The file is not HAR, or ends too early; `message` says what is wrong and where. */
export class HarError extends Error {}

/** The value that a part of a HAR file holds. @throws HarError if it is not JSON. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new HarError(`an entry is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`, {
      cause: error,
    });
  }
}

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

/** How far a file was read. */
interface Scan {
  depth: number;
  isOver: boolean;
  /** Bytes in earlier chunks. */
  offset: number;
  inString: boolean;
  isEscaped: boolean;
  /** The first bytes of the current or last string, since it may be a name. */
  text: string;
  /** The last names at depths 1 and 2. */
  readonly names: [string, string, string];
  isInEntries: boolean;
  hasEntries: boolean;
  capture: Capture | undefined;
  /** The start of the captured part in this chunk. */
  start: number;
}

/**
 * Tracks only strings and brackets. A JSON parser reads each entry. The scanner knows that the log is an object in the
 * outermost one, and that its member `entries` is an array.
 */
export function createHarScanner(): HarScanner {
  const scan: Scan = {
    depth: 0,
    isOver: false,
    offset: 0,
    inString: false,
    isEscaped: false,
    text: '',
    names: ['', '', ''],
    isInEntries: false,
    hasEntries: false,
    capture: undefined,
    start: 0,
  };
  return {
    push(bytes) {
      const parts: HarPart[] = [];
      scan.start = scan.offset === 0 ? afterByteOrderMark(bytes) : 0;
      let at = scan.start;
      while (at < bytes.length) at = scan.inString ? readString(scan, bytes, at) : readByte(scan, bytes, at, parts);
      keep(scan, bytes.subarray(scan.start));
      scan.offset += bytes.length;
      return parts;
    },
    end() {
      if (scan.offset === 0) throw new HarError('the file is empty');
      if (!scan.isOver) throw new HarError(`the file ends too early, at byte ${scan.offset}`);
      if (!scan.hasEntries) throw new HarError('the file has no log with entries, as a HAR file must');
    },
  };
}

const afterByteOrderMark = (bytes: Buffer): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

const wrong = ({ offset }: Scan, what: string, at: number): HarError => new HarError(`${what} at byte ${offset + at}`);

/** Reads on in a string. @returns the index after it, or the end of the chunk */
function readString(scan: Scan, bytes: Buffer, from: number): number {
  const end = afterString(scan, bytes, from);
  if (scan.depth <= 2 && scan.text.length < 100) scan.text += bytes.toString('latin1', from, Math.min(end, from + 100));
  return end;
}

function afterString(scan: Scan, bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    if (scan.isEscaped) {
      scan.isEscaped = false;
      continue;
    }
    const byte = bytes[i];
    if (byte === BACKSLASH) scan.isEscaped = true;
    else if (byte === QUOTE) {
      scan.inString = false;
      return i + 1;
    }
  }
  return bytes.length;
}

/** Reads one byte outside of strings. @returns the index after it */
function readByte(scan: Scan, bytes: Buffer, at: number, parts: HarPart[]): number {
  const byte = bytes[at] ?? 0;
  if (scan.depth === 0 && !OPENING.has(byte) && !BLANK.has(byte)) throw outside(scan, at);
  if (beginsEntry(scan, byte)) begin(scan, { kind: 'entry', name: '' }, at);
  if (byte === QUOTE) {
    scan.inString = true;
    scan.text = '';
  } else if (OPENING.has(byte)) open(scan, byte, at);
  else if (byte === COLON) readName(scan, at);
  else if (byte === COMMA || CLOSING.has(byte)) endValue(scan, bytes, at, parts);
  return at + 1;
}

const outside = (scan: Scan, at: number): HarError =>
  wrong(scan, scan.isOver ? 'there is text after the end' : 'a HAR file is a JSON object, and this is not one,', at);

const beginsEntry = ({ isInEntries, depth, capture }: Scan, byte: number): boolean =>
  isInEntries && depth === 3 && !capture && !BLANK.has(byte) && byte !== COMMA && !CLOSING.has(byte);

function readName(scan: Scan, at: number): void {
  const { depth, names, text } = scan;
  if (depth > 2 || scan.capture) return;
  names[depth] = text.replace(/".*$/s, '');
  if (depth === 2 && names[1] === 'log' && names[2] !== 'entries')
    begin(scan, { kind: 'member', name: names[2] }, at + 1);
}

function endValue(scan: Scan, bytes: Buffer, at: number, parts: HarPart[]): void {
  if (scan.capture && scan.depth === scan.capture.depth) {
    keep(scan, bytes.subarray(scan.start, at));
    finish(scan, parts);
  }
  if (bytes[at] !== COMMA) close(scan, at, parts);
}

function open(scan: Scan, byte: number, at: number): void {
  if (scan.isOver || (scan.depth === 0 && byte !== 0x7b)) throw outside(scan, at);
  if (++scan.depth > MAX_DEPTH) throw wrong(scan, 'the nesting is too deep', at);
  if (scan.depth === 3 && scan.names[1] === 'log' && scan.names[2] === 'entries' && byte === 0x5b) {
    scan.isInEntries = scan.hasEntries = true;
    scan.capture = undefined;
  }
}

function close(scan: Scan, at: number, parts: HarPart[]): void {
  scan.depth--;
  if (scan.depth < 0) throw wrong(scan, 'a closing bracket has no opening one', at);
  if (scan.depth === 2) scan.isInEntries = false;
  if (scan.depth === 0) scan.isOver = true;
  if (scan.capture && scan.depth < scan.capture.depth) finish(scan, parts);
}

function begin(scan: Scan, what: Pick<Capture, 'kind' | 'name'>, at: number): void {
  scan.capture = { ...what, depth: scan.depth, pieces: [], length: 0 };
  scan.start = at;
}

const mostOf = (kind: Capture['kind']): number => (kind === 'entry' ? MAX_ENTRY : MAX_MEMBER);

function keep({ capture }: Scan, piece: Buffer): void {
  if (!capture) return;
  capture.length += piece.length;
  if (capture.length > mostOf(capture.kind)) capture.pieces = [];
  else capture.pieces.push(Buffer.from(piece));
}

function finish(scan: Scan, parts: HarPart[]): void {
  if (!scan.capture) return;
  const { kind, name, pieces, length } = scan.capture;
  const isTooLarge = length > mostOf(kind);
  if (kind === 'entry') parts.push(isTooLarge ? { kind: 'too-large' } : { kind, bytes: Buffer.concat(pieces) });
  else if (!isTooLarge) parts.push({ kind, name, bytes: Buffer.concat(pieces) });
  scan.capture = undefined;
}
