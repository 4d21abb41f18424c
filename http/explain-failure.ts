import { isObject, textOf } from '../text/json.ts';
import { quoted } from '../text/visible.ts';
import type { HttpAnswer } from './exchange.ts';
import failures from './failures.json';
import { bracketed } from './local-names.ts';
import { messageOf } from '../text/errors.ts';

export type TransportFailure = 'refused' | 'reset' | 'timeout' | 'too-large' | 'malformed' | 'tls' | 'name' | 'other';

/** The head of an answer. */
export type BegunAnswer = Pick<HttpAnswer, 'status' | 'headers'>;

interface BrokenOptions extends ErrorOptions {
  readonly begun?: BegunAnswer | undefined;
}

/** No complete answer arrived. `message` says what happened, and the remedy if one is known. */
export class TransportError extends Error {
  readonly failure: TransportFailure;
  /** What came of an answer before it broke off, or whose body cannot be unpacked. */
  readonly begun: BegunAnswer | undefined;

  constructor(failure: TransportFailure, message: string, { begun, ...options }: BrokenOptions = {}) {
    super(message, options);
    this.name = 'TransportError';
    this.failure = failure;
    this.begun = begun;
  }
}

export class Interrupted extends Error {
  readonly begun: BegunAnswer;

  constructor(cause: unknown, begun: BegunAnswer) {
    super('interrupted', { cause });
    this.begun = begun;
  }
}

interface Server {
  readonly host: string;
  readonly origin: string;
  readonly maxHeaderBytes: number;
}

interface Row {
  /** Patterns of a code or name of the error, and of its message. */
  readonly code?: string;
  readonly text?: string;
  readonly failure: TransportFailure;
  readonly says: string;
}

/** Explains an error of the HTTP client, with a remedy if one is known. `host` is asked at `origin`. */
export function explain(error: unknown, { host, origin, maxHeaderBytes }: Server): TransportError {
  if (error instanceof TransportError) return error;
  const { cause, begun }: Partial<Interrupted> = error instanceof Interrupted ? error : { cause: error };
  const text = messageOf(cause);
  const { name, hostname, data } = Object(cause) as Readonly<Record<string, unknown>>;
  const codes = [...codesOf(cause), String(name)];
  // Undici knows the code of this error by its words alone.
  if (text.includes('Invalid EOF state')) codes.push('HPE_INVALID_EOF_STATE');
  if (name === 'HTTPParserError' && FRAME_OF_HTTP2.test(String(data))) codes.push('frame of HTTP/2');
  const where = addressOf(cause) ?? host;
  const via = where === host || host.startsWith('localhost') ? '' : ` (asked for ${host})`;
  for (const row of failures as readonly Row[]) {
    const code = codes.find((one) => new RegExp(row.code ?? '').test(one));
    const [met, ...statuses] = new RegExp(row.text ?? '', 'i').exec(text) ?? [];
    if (code === undefined || met === undefined) continue;
    const words: Readonly<Record<string, unknown>> = {
      host,
      where: where + via,
      name: textOf(hostname) || host,
      untrusted: `The certificate of ${host} is not trusted (${code}).`,
      first: codes[0],
      most: maxHeaderBytes,
      reason: /\(([^()]+)\)$/.exec(text)?.[1] ?? text,
      hint: !begun && origin.startsWith('http:') ? ' Does this port expect https:// or another protocol?' : '',
      status: statuses.find(Boolean),
      when: begun ? 'in the middle of its answer' : 'without an answer',
      quoted: quoted(text),
    };
    const message = row.says.replaceAll(/\{(\w+)\}/g, (_, word: string) => String(words[word]));
    return new TransportError(row.failure, message, { cause, begun });
  }
  throw new Error('The last row explains whatever no other does.', { cause });
}

/**
 * The first frame of HTTP/2: SETTINGS, or GOAWAY for a request that it cannot read. Three bytes of length, one of type, one of
 * flags, and four for the connection as a whole.
 */
// oxlint-disable-next-line no-control-regex
const FRAME_OF_HTTP2 = /^[^]{3}(?:\x04[\0\x01]|\x07\0)\0{4}/;

function codesOf(error: unknown, depth = 4): string[] {
  if (!isObject(error) || depth === 0) return [];
  const { code, cause, errors } = error;
  const inner = [errors, cause].flat().flatMap((one) => codesOf(one, depth - 1));
  return [textOf(code), ...inner].filter(Boolean);
}

function addressOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const { address, port, errors }: Readonly<Record<string, unknown>> = error;
  if (Array.isArray(errors)) return errors.map(addressOf).find((found) => found !== undefined);
  if (typeof address !== 'string') return undefined;
  return `${bracketed(address)}:${String(port)}`;
}
