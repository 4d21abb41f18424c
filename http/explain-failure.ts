import { quoted } from '../text/visible.ts';
import type { HttpAnswer } from './exchange.ts';

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
  readonly begun: BegunAnswer | undefined;

  constructor(cause: unknown, begun?: BegunAnswer) {
    super('interrupted', { cause });
    this.begun = begun;
  }
}

interface Server {
  readonly host: string;
  readonly origin: string;
  readonly maxHeaderBytes: number;
}

interface Symptoms {
  readonly error: unknown;
  readonly text: string;
  readonly codes: readonly string[];
  readonly isInterrupted: boolean;
}

type Explanation = readonly [TransportError['failure'], string];

/** Explains an error of the HTTP client, with a remedy if one is known. `host` is asked at `origin`. */
export function explain(error: unknown, server: Server): TransportError {
  if (error instanceof TransportError) return error;
  const isInterrupted = error instanceof Interrupted;
  const inner = isInterrupted ? error.cause : error;
  const symptoms: Symptoms = { error: inner, text: messageOf(inner), codes: codesOf(inner), isInterrupted };
  const [failure, message] = ofConnecting(symptoms, server) ??
    ofTls(symptoms, server) ??
    ofReading(symptoms, server) ?? ['other', `The request to ${server.host} failed: ${quoted(symptoms.text)}.`];
  return new TransportError(failure, message, { cause: inner, begun: isInterrupted ? error.begun : undefined });
}

function has({ codes }: Symptoms, ...known: readonly string[]): boolean {
  return known.some((code) => codes.includes(code));
}

function ofConnecting(symptoms: Symptoms, { host }: Server): Explanation | undefined {
  const { error } = symptoms;
  if (has(symptoms, 'ECONNREFUSED')) {
    const where = addressOf(error) ?? host;
    const via = where === host || host.startsWith('localhost') ? '' : ` (asked for ${host})`;
    return ['refused', `Nothing accepts connections at ${where}${via}. Is the server running, on this host and port?`];
  }
  if (has(symptoms, 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'))
    return ['refused', `This machine cannot reach ${host}. Check the address, the network and any proxy.`];
  if (has(symptoms, 'ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL')) {
    const name = nameOf(error) ?? host;
    return ['name', `The name ${name} cannot be resolved. Check its spelling, and that this machine has DNS.`];
  }
  return undefined;
}

function ofTls(symptoms: Symptoms, { host }: Server): Explanation | undefined {
  const { error, text, codes } = symptoms;
  if (
    has(symptoms, 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER') &&
    /wrong.version.number|packet.length.too.long/i.test(text)
  )
    return ['tls', `${host} does not speak TLS on this port. Did you mean http:// instead of https://?`];
  if (has(symptoms, 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') || beginsAsHttp2(error)) {
    const remedy = 'Let the server accept HTTP/1.1 too, or use a proxy in front of it that does.';
    return ['malformed', `${host} speaks only HTTP/2, and agent-contract speaks HTTP/1.1. ${remedy}`];
  }
  const certificate = codes.find((code) => CERTIFICATE_CODES.test(code));
  if (certificate !== undefined)
    return ['tls', `The certificate of ${host} is not trusted (${certificate}). ${certificateRemedy(certificate)}`];
  if (codes.some((code) => /^(EPROTO$|ERR_SSL_|ERR_TLS_|UND_ERR_PRX_TLS)/.test(code)))
    return ['tls', `The TLS connection to ${host} failed (${codes[0] ?? text}).`];
  return undefined;
}

function ofReading(symptoms: Symptoms, { host, origin, maxHeaderBytes }: Server): Explanation | undefined {
  const { error, text, isInterrupted } = symptoms;
  if (has(symptoms, 'UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'))
    return ['too-large', `The headers of the answer of ${host} are larger than ${maxHeaderBytes} bytes.`];
  if (has(symptoms, 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'))
    return ['timeout', `${host} did not answer in time. Check the address, or allow a longer timeout.`];
  if (has(symptoms, 'HPE_INVALID_EOF_STATE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'))
    return ['reset', `${host} closed the connection in the middle of its answer.`];
  if (nameOfError(error) === 'HTTPParserError' || symptoms.codes.some((code) => code.startsWith('HPE_'))) {
    const [, reason = text] = /\(([^()]+)\)$/.exec(text) ?? [];
    const hint = origin.startsWith('http:') ? ' Does this port expect https:// or another protocol?' : '';
    return ['malformed', `What ${host} sent is not HTTP (${reason}).${hint}`];
  }
  if (/bad upgrade/i.test(text))
    return ['malformed', `${host} switched protocols, although the request did not ask for that.`];
  const proxy =
    /^Proxy response \((\d+)\)/.exec(text)?.[1] ?? /Proxy Authentication Required \((407)\)/.exec(text)?.[1];
  if (proxy !== undefined)
    return [
      'other',
      `The proxy from the environment answered ${proxy}, and did not connect to ${host}. Check HTTP_PROXY.`,
    ];
  if (has(symptoms, 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET')) {
    const when = isInterrupted ? 'in the middle of its answer' : 'without an answer';
    return ['reset', `${host} closed the connection ${when}.`];
  }
  return undefined;
}

/** Whether the parser met the first frame of HTTP/2: SETTINGS, or GOAWAY for a request that it cannot read. */
function beginsAsHttp2(error: unknown): boolean {
  if (nameOfError(error) !== 'HTTPParserError') return false;
  const { data } = error as { data?: unknown };
  // Three bytes of length, one of type, one of flags, and four for the connection as a whole.
  // oxlint-disable-next-line no-control-regex
  return /^[^]{3}(?:\x04[\0\x01]|\x07\0)\0{4}/.test(String(data));
}

const CERTIFICATE_CODES =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

function certificateRemedy(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'It has expired. Renew it, or accept any certificate with --insecure.';
  if (code === 'CERT_NOT_YET_VALID') return 'Check the clock of this machine and that of the server.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'It is for a name other than the one in the base URL.';
  return 'Name the authority that signed it with --ca FILE, or accept any certificate with --insecure.';
}

export function codesOf(error: unknown, depth = 4): string[] {
  if (!isObject(error) || depth === 0) return [];
  const { code, cause, errors } = error;
  const codes = typeof code === 'string' ? [code] : [];
  for (const inner of [...(Array.isArray(errors) ? errors : []), cause]) codes.push(...codesOf(inner, depth - 1));
  return codes;
}

function addressOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const { address, port, errors } = error;
  if (Array.isArray(errors)) return errors.map(addressOf).find((found) => found !== undefined);
  if (typeof address !== 'string') return undefined;
  return `${address.includes(':') ? `[${address}]` : address}:${String(port)}`;
}

function nameOf(error: unknown): string | undefined {
  const hostname = isObject(error) ? error['hostname'] : undefined;
  if (typeof hostname === 'string') return hostname;
  return undefined;
}

export function nameOfError(error: unknown): unknown {
  if (isObject(error)) return error['name'];
  return undefined;
}

function messageOf(error: unknown): string {
  if (isObject(error) && 'message' in error) return String(error['message']);
  return String(error);
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
