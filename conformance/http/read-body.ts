import { MAX_KEPT } from '../history/exchange.ts';

export interface ReadBody {
  readonly json: unknown;
  /** What the body is instead of JSON. */
  readonly problem: string | undefined;
}

/** Parsed, a value may take a hundred times the room that it takes in the body. No agent has nearly as many. */
export const MAX_VALUES = 500_000;
/** Larger ones are kept as bytes and parsed again whenever they are looked at. */
const MAX_PARSED_BYTES = 256 * 1024;
/** Bodies that are remembered, and their bytes together: parsed, they take several times as much. */
const MAX_REMEMBERED = 24;
const MAX_REMEMBERED_BYTES = 512 * 1024;

/** Reads each of a few recent bodies once, since the same list is asked for again and again; `json` is then the same. */
export function createReader(): (body: Uint8Array) => ReadBody {
  const recent: { readonly body: Uint8Array; readonly read: ReadBody }[] = [];
  let bytes = 0;
  return (body) => {
    const known = recent.find((one) => one.body.length === body.length && Buffer.compare(one.body, body) === 0);
    if (known) return known.read;
    const read = readJson(body);
    if (body.length > MAX_REMEMBERED_BYTES) return read;
    recent.unshift({ body, read });
    bytes += body.length;
    while (recent.length > MAX_REMEMBERED || bytes > MAX_REMEMBERED_BYTES) bytes -= recent.pop()?.body.length ?? 0;
    return read;
  };
}

/** The first {@link MAX_KEPT} characters, decoded apart from the whole body, so that nothing keeps that in memory. */
export const beginning = (body: Uint8Array): string => textOf(body.subarray(0, MAX_KEPT * 4)).slice(0, MAX_KEPT);

/** Whether a body holds more than {@link MAX_VALUES} values of JSON. */
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

/** The parser does not recurse, and nobody who reads the outcome does: nesting of any depth is harmless. */
function readJson(body: Uint8Array): ReadBody {
  const text = textOf(body);
  try {
    const json: unknown = JSON.parse(text);
    return body.length > MAX_PARSED_BYTES && typeof json === 'object' && json !== null
      ? lazily(json, body)
      : { json, problem: undefined };
  } catch {
    return { json: undefined, problem: describeNoJson(text) };
  }
}

function lazily(json: object, body: Uint8Array): ReadBody {
  let parsed = new WeakRef(json);
  return {
    get json() {
      const known = parsed.deref();
      if (known) return known;
      const again = JSON.parse(textOf(body)) as object;
      parsed = new WeakRef(again);
      return again;
    },
    problem: undefined,
  };
}

const textOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
};

function describeNoJson(text: string): string {
  if (text.trim() === '') return 'an empty body';
  if (/^\s*<(!doctype\s+html|html)/i.test(text)) return 'an HTML page';
  return `text that is not JSON, beginning with ${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)}`;
}
