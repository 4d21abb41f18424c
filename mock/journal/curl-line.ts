import { bytesOf, decoded, toCurl, type Text } from '../../text/curl.ts';
import { platform } from '../../text/platform.ts';
import { withoutPasswords } from '../../text/secret-names.ts';
import type { MockRequest } from '../call.ts';
import { tokensOf, withoutSecrets } from './journal-entry.ts';

/** Headers that belong to the connection, or say nothing about the request's intent. */
const INCIDENTAL = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'content-length',
  'transfer-encoding',
  // The journal has bodies before content encoding.
  'content-encoding',
  'accept-encoding',
  'user-agent',
  'accept-language',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-dest',
]);

/**
 * A request as a command for a POSIX-like shell, with `$BASE_URL`, `$TOKEN` and `$SECRET` as variables; `null` if the mock
 * read only a part of it.
 */
export function curlLine({ method, target: url, headers, body, oversize }: MockRequest): string | null {
  if (oversize === true) return null;
  const marks = {
    token: (scheme: string): Text => [scheme, { variable: '$TOKEN' }],
    secret: [{ variable: '$SECRET' }],
    plain: (value: string): Text => value,
  };
  const sent = withoutSecrets<Text>(headers, marks).filter(([name]) => !INCIDENTAL.has(name));
  const text = body && decoded(bytesOf(body));
  const request = {
    method,
    url,
    headers: Object.fromEntries(sent),
    body: text === undefined ? body : new platform.TextEncoder().encode(withoutPasswords(text)),
  };
  return toCurl(request, { base: { variable: '$BASE_URL' }, secrets: tokensOf(headers).map((value) => ({ value })) });
}
