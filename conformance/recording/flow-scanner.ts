import { MAX_ENTRY, RecordingError, type ScannedPart, type Scanner } from './json-scanner.ts';

/**
 * Finds the flows in a file of mitmproxy. It holds one tagged netstring a flow: `length:data}`, where the last character is the
 * type, and dictionaries and lists hold more of them. Texts become strings, and bytes become buffers.
 */
export function createFlowScanner(): Scanner {
  let offset = 0;
  let waiting: Buffer = Buffer.alloc(0);
  /** Bytes of a flow that is too large to keep. */
  let skipped = 0;

  const wrong = (): RecordingError => new RecordingError(`a flow is broken, at byte ${offset - waiting.length}`);

  function next(): ScannedPart | undefined {
    const gone = Math.min(skipped, waiting.length);
    skipped -= gone;
    waiting = waiting.subarray(gone);
    const head = headOf(waiting, 0);
    if (!head && (waiting.length >= MOST_DIGITS || !/^\d*$/.test(waiting.toString('latin1')))) throw wrong();
    const size = head ? head.from + head.length + 1 : Infinity;
    if (head && head.length > MAX_ENTRY) {
      skipped = size;
      return { kind: 'too-large' };
    }
    if (waiting.length < size) return undefined;
    const value = valueAt(waiting, 0, 0)?.value;
    if (value === undefined) throw wrong();
    waiting = waiting.subarray(size);
    return { kind: 'entry', value, size };
  }

  return {
    push(chunk) {
      offset += chunk.length;
      waiting = Buffer.concat([waiting, chunk]);
      const parts: ScannedPart[] = [];
      for (let part = next(); part; part = next()) parts.push(part);
      return parts;
    },
    end() {
      if (waiting.length > 0) return { isWhole: false, parts: [{ kind: 'cut-short' }] };
      return { isWhole: skipped === 0, parts: [] };
    },
  };
}

const MOST_DIGITS = 12;

function headOf(bytes: Buffer, at: number): { readonly from: number; readonly length: number } | undefined {
  const colon = bytes.subarray(at, at + MOST_DIGITS).indexOf(':');
  const digits = bytes.toString('latin1', at, at + Math.max(0, colon));
  if (!/^\d+$/.test(digits)) return undefined;
  return { from: at + colon + 1, length: Number(digits) };
}

function valueAt(bytes: Buffer, at: number, level: number) {
  const head = level < 50 ? headOf(bytes, at) : undefined;
  const to = head && head.from + head.length;
  if (to === undefined || to >= bytes.length) return undefined;
  const value = TYPES[String.fromCharCode(bytes[to] ?? 0)]?.(bytes.subarray(head?.from, to), level + 1);
  return { value, next: to + 1 };
}

function itemsIn(data: Buffer, level: number): readonly unknown[] {
  const items: unknown[] = [];
  for (let at = 0; at < data.length;) {
    const found = valueAt(data, at, level);
    if (!found) return items;
    items.push(found.value);
    at = found.next;
  }
  return items;
}

const TYPES: Readonly<Record<string, (data: Buffer, level: number) => unknown>> = {
  ',': (data) => Buffer.from(data),
  ';': String,
  '#': Number,
  '^': Number,
  '!': (data) => String(data) === 'true',
  '~': () => null,
  ']': itemsIn,
  '}': (data, level) => {
    const items = itemsIn(data, level);
    const names = items.filter((_, index) => index % 2 === 0);
    return Object.fromEntries(names.map((name, index) => [String(name), items[2 * index + 1]]));
  },
};
