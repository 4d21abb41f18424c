import { show } from '../show.ts';
import { TransportError } from './transport.ts';

/** Headers of an answer that are larger than this are not read. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** Whom a request went to. */
interface Asked {
  readonly origin: string;
  readonly host: string;
}

/** An error in the middle of an answer. */
export class Interrupted extends Error {
  constructor(cause: unknown) {
    super('interrupted', { cause });
  }
}

/** What went wrong, with all that the explanations go by. */
interface Trouble {
  readonly inner: unknown;
  readonly codes: readonly string[];
  readonly text: string;
  readonly target: Asked;
  /** Whether it came in the middle of an answer. */
  readonly isInterrupted: boolean;
  readonly has: (...known: readonly string[]) => boolean;
  readonly as: (failure: TransportError['failure'], message: string) => TransportError;
}

/** What happened to a request, in words and with what to do about it. An error of ours stays what it is. */
export function explain(error: unknown, target: Asked): TransportError {
  if (error instanceof TransportError) return error;
  const isInterrupted = error instanceof Interrupted;
  const inner = isInterrupted ? error.cause : error;
  const codes = codesOf(inner);
  const text = messageOf(inner);
  const trouble: Trouble = {
    inner,
    codes,
    text,
    target,
    isInterrupted,
    has: (...known) => known.some((code) => codes.includes(code)),
    as: (failure, message) => new TransportError(failure, message, { cause: inner }),
  };
  return (
    noWayTo(trouble) ??
    otherProtocol(trouble) ??
    noTls(trouble) ??
    wrongAnswer(trouble) ??
    cutOff(trouble) ??
    trouble.as('other', `The request to ${target.host} failed: ${show(text)}.`)
  );
}

/** Nothing of ours reached a server. */
function noWayTo({ inner, target: { host }, has, as }: Trouble): TransportError | undefined {
  if (has('ECONNREFUSED')) {
    const where = addressOf(inner) ?? host;
    const via = where === host || host.startsWith('localhost') ? '' : ` (asked for ${host})`;
    return as(
      'refused',
      `Nothing accepts connections at ${where}${via}. Is the server running, on this host and port?`,
    );
  }
  if (has('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL')) {
    return as('refused', `There is no way to ${host} from this machine. Check the address, the network and any proxy.`);
  }
  if (has('ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL')) {
    const name = nameOf(inner) ?? host;
    return as('name', `The name ${name} cannot be resolved. Check its spelling and that this machine has DNS.`);
  }
  return undefined;
}

/** A server that speaks something else than was asked in. */
function otherProtocol({ inner, text, target: { host }, has, as }: Trouble): TransportError | undefined {
  if (has('EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER') && /wrong.version.number|packet.length.too.long/i.test(text)) {
    return as('tls', `${host} does not speak TLS on this port. Did you mean http:// in place of https://?`);
  }
  if (has('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') || beginsAsHttp2(inner)) {
    const remedy = 'Let the server accept HTTP/1.1 as well, or name a proxy before it that does.';
    return as('malformed', `${host} speaks HTTP/2 only, and agent-contract speaks HTTP/1.1. ${remedy}`);
  }
  return undefined;
}

function noTls({ codes, text, target: { host }, as }: Trouble): TransportError | undefined {
  const certificate = codes.find((code) => CERTIFICATE_CODES.test(code));
  if (certificate !== undefined) {
    return as('tls', `The certificate of ${host} is not trusted (${certificate}). ${certificateRemedy(certificate)}`);
  }
  if (codes.some((code) => /^(EPROTO$|ERR_SSL_|ERR_TLS_|UND_ERR_PRX_TLS)/.test(code))) {
    return as('tls', `No TLS connection to ${host} came about (${codes[0] ?? text}).`);
  }
  return undefined;
}

/** An answer that is too large, too late, not whole, or not HTTP. */
function wrongAnswer({ inner, text, target: { host, origin }, has, as }: Trouble): TransportError | undefined {
  if (has('UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW')) {
    return as('too-large', `The headers of the answer of ${host} are larger than ${MAX_HEADER_BYTES} bytes.`);
  }
  if (has('UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT')) {
    return as('timeout', `${host} did not answer in time. Check the address, or allow a longer timeout.`);
  }
  if (has('HPE_INVALID_EOF_STATE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')) {
    return as('reset', `${host} closed the connection in the middle of its answer.`);
  }
  if (nameOfError(inner) === 'HTTPParserError') {
    const [, reason = text] = /\(([^()]+)\)$/.exec(text) ?? [];
    const hint = origin.startsWith('http:') ? ' Does this port expect https:// or another protocol?' : '';
    return as('malformed', `What ${host} sent is not HTTP (${reason}).${hint}`);
  }
  if (/bad upgrade/i.test(text)) return as('malformed', `${host} switched protocols although nobody asked it to.`);
  return undefined;
}

/** A proxy that gave no way, or a connection that was closed. */
function cutOff({ isInterrupted, text, target: { host }, has, as }: Trouble): TransportError | undefined {
  const proxy =
    /^Proxy response \((\d+)\)/.exec(text)?.[1] ?? /Proxy Authentication Required \((407)\)/.exec(text)?.[1];
  if (proxy !== undefined) {
    return as('other', `The proxy of the environment answered ${proxy} and gave no way to ${host}. Check HTTP_PROXY.`);
  }
  if (!has('ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET')) return undefined;
  const when = isInterrupted ? 'in the middle of its answer' : 'without an answer';
  return as('reset', `${host} closed the connection ${when}.`);
}

/** Whether the parser stumbled over a frame with which HTTP/2 begins: SETTINGS, or GOAWAY for what it cannot read. */
function beginsAsHttp2(error: unknown): boolean {
  if (nameOfError(error) !== 'HTTPParserError') return false;
  const { data } = error as { data?: unknown };
  // Three bytes of length, one of type, one of flags, four that name the connection as a whole.
  // oxlint-disable-next-line no-control-regex
  return /^[^]{3}(?:\x04[\0\x01]|\x07\0)\0{4}/.test(String(data));
}

const CERTIFICATE_CODES =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

function certificateRemedy(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'It has expired; renew it, or accept any certificate with --insecure.';
  if (code === 'CERT_NOT_YET_VALID') return 'Check the clock of this machine and that of the server.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'It is made out to another name than the one in the base URL.';
  return 'Name the authority that signed it with --ca FILE, or accept any certificate with --insecure.';
}

/** The codes of an error and of all that caused it. */
export function codesOf(error: unknown, depth = 4): string[] {
  if (typeof error !== 'object' || error === null || depth === 0) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...(Array.isArray(errors) ? errors.flatMap((one) => codesOf(one, depth - 1)) : []),
    ...codesOf(cause, depth - 1),
  ];
}

function addressOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { address, port, errors } = error as { address?: unknown; port?: unknown; errors?: unknown };
  if (Array.isArray(errors)) return errors.map(addressOf).find((found) => found !== undefined);
  if (typeof address !== 'string') return undefined;
  return `${address.includes(':') ? `[${address}]` : address}:${String(port)}`;
}

function nameOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { hostname } = error as { hostname?: unknown };
  return typeof hostname === 'string' ? hostname : undefined;
}

export function nameOfError(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
