import { isUtf8 } from 'node:buffer';
import { version } from '../../package.json';
import { mapValues } from '../collections.ts';
import type { HttpAnswer, HttpExchange } from '../../http/exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Personal } from './personal.ts';
import { createGuard } from '../report/guard.ts';
import { cleanJson, cleanTexts, createRedactor, type Secret } from '../report/redact.ts';
import type { TargetOptions } from '../target-options.ts';
import { parseJson } from '../../text/json.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { isSecretName, placeholderFor, withoutPasswords, withoutSecretParameters } from '../../text/secret-names.ts';

export interface HarRecord extends HttpExchange {
  /** Members that our own judge reads back; see own.ts. */
  readonly own?: Readonly<Record<string, unknown>> | undefined;
}

export type HarWriter = ReturnType<typeof createHarWriter>;

/** Settings of our own run that are needed to judge its recording again. */
export interface RecordedRun {
  readonly target: TargetOptions;
  readonly now?: number | undefined;
}

export interface HarWriterOptions {
  readonly run?: RecordedRun | undefined;
  readonly guard?: ((text: string) => string) | undefined;
  /** Replaces personal data. Default: they stay. */
  readonly personal?: Personal | undefined;
}

/**
 * Writes a HAR file (version 1.2) entry by entry, without credentials.
 * @param write takes the text of the file, in chunks.
 * @param secrets appear in no entry; more may be added while writing.
 * @param guard what each entry must pass at last. One that it withholds is left out.
 */
export function createHarWriter(
  write: (text: string) => void,
  secrets: readonly Secret[],
  { run, guard = createGuard(secrets), personal }: HarWriterOptions = {},
) {
  const known = { count: -1, whole: (text: string): string => text };
  const clean = (text: string): string => {
    if (known.count !== secrets.length) Object.assign(known, { count: secrets.length, ...createRedactor(secrets) });
    return known.whole(text);
  };
  const head = { version: '1.2', creator: { name: 'agent-contract', version }, _agentContract: run };
  let separator = '';
  write(`{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`);
  return {
    add(recorded: HarRecord): void {
      const entry = JSON.stringify(entryOf(recorded, clean, personal));
      const guarded = guard(entry);
      if (guarded !== entry && parseJson(guarded) === undefined) return;
      write(`${separator}\n${guarded}`);
      separator = ',';
    },
    end: (): void => write('\n]}}\n'),
  };
}

type Clean = (text: string) => string;

function entryOf(recorded: HarRecord, clean: Clean, personal: Personal | undefined): object {
  const { request, answer, sentAt, answeredAt, own } = recorded;
  const { method, url, body } = request;
  const { status = 0, headers = {} } = answer ?? {};
  const time = Math.max(0, answeredAt - sentAt);
  const query = [...(parseUrl(url)?.searchParams ?? [])];
  const hide: Clean = (text) => {
    const known = withoutPasswords(text);
    return personal?.body(url, known) ?? known;
  };
  const sent = mapValues(request.headers, (value, name) => personal?.header(name, value) ?? value);
  const { 'content-type': mimeType = '' } = request.headers;
  const { location = '' } = headers;
  const text = body && withoutPasswords(cleanJson(body, clean));
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time,
    request: {
      method,
      url: withoutSecretParameters(clean(url)),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(sent, clean),
      queryString: query.map(([name, value]) => namedValue(name, value, clean)),
      headersSize: -1,
      bodySize: Buffer.byteLength(body ?? ''),
      postData: text === undefined ? undefined : { mimeType: clean(mimeType), text },
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(headers, clean),
      content: contentOf(answer ?? {}, clean, hide),
      redirectURL: withoutSecretParameters(clean(location)),
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _agentContract: own && cleanTexts(own, clean),
  };
}

function headersOf(headers: Readonly<Record<string, string>>, clean: Clean): object[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name === 'set-cookie' || name === 'content-encoding' || name === 'content-length') return [];
    if (name === 'authorization' || name === 'cookie') return [{ name, value: credentialOf(clean(value)) }];
    if (name === 'location') return [{ name, value: withoutSecretParameters(clean(value)) }];
    return [namedValue(name, value, clean)];
  });
}

function namedValue(name: string, value: string, clean: Clean): object {
  const shown = clean(name);
  return { name: shown, value: isSecretName(name) ? placeholderFor(shown) : clean(value) };
}

/** Replaces credentials that remain after every known one was replaced: those that are not known. */
function credentialOf(value: string): string {
  // Whatever separates the two stays: a run tries that too.
  const [, scheme = '', credential = ''] = /^(\S+[ \t]+)?(.*)$/s.exec(value) ?? [];
  // A run sends its own token with this word after it.
  const isHarmless = /^(?:|null|undefined|bearer|\$\w+(?: extra)?|agent-contract-unknown-.*)$/i.test(credential);
  return scheme + (isHarmless ? credential : '$TOKEN_OTHER');
}

/** Bytes that are not text are written as base64, so that they are preserved, unless they hold a secret. */
function contentOf({ headers = {}, body }: Partial<HttpAnswer>, clean: Clean, hide: Clean): object {
  const mimeType = clean(headers['content-type'] ?? '');
  if (body === undefined) return { size: -1, mimeType };
  if (!isUtf8(body)) {
    const bytes = Buffer.from(hide(Buffer.from(body).toString('latin1')), 'latin1');
    const text = bytes.toString('base64');
    const plain = bytes.toString('latin1');
    if (clean(text) !== text || clean(plain) !== plain) return { size: -1, mimeType };
    return { size: bytes.length, mimeType, encoding: 'base64', text };
  }
  const text = hide(cleanJson(Buffer.from(body).toString(), clean));
  return { size: Buffer.byteLength(text), mimeType, text };
}

/** What our own judge reads back about an exchange of a run. */
export function ownOf(exchange: Exchange): Record<string, unknown> {
  const { n, begun, caller, endpoint, agentId, open, twin, differs } = exchange;
  return { n, begun, caller, endpoint, agentId, open: open || undefined, twin, differs };
}
