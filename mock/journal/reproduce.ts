import { bytesOf, decoded, toCurl, type Text } from '../../text/curl.ts';
import { toSource } from '../../text/javascript.ts';
import { platform } from '../../text/platform.ts';
import { withoutPasswords } from '../../text/secret-names.ts';
import { tokenOf, withoutSecrets, type MockExchange } from './journal-entry.ts';

/** How to repeat a request; `null` if the mock read only a part of it, or if the tool cannot send it. */
export interface Reproduction {
  /** A command for a POSIX-like shell, with `$BASE_URL`, `$TOKEN` and `$SECRET` as variables. */
  readonly curl: string | null;
  /** A test for Jest or Vitest that expects the same answer; it uses `baseUrl`, `token` and `secret`. */
  readonly test: string | null;
}

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

/** Methods that `fetch` refuses to send. */
const UNFETCHABLE = new Set(['CONNECT', 'TRACE', 'TRACK']);

const TOKEN = { variable: '$TOKEN' };
const SECRET = { variable: '$SECRET' };

type Reproducible = Pick<MockExchange, 'request'> & {
  readonly wire: Pick<MockExchange['wire'], 'status' | 'delivery' | 'body'>;
};

/** How to repeat an exchange. */
export function reproduce(whole: Reproducible): Reproduction {
  const exchange = { request: { ...whole.request, body: bodyOf(whole.request) }, wire: whole.wire };
  const { method, target, headers, body, oversize } = exchange.request;
  if (oversize === true) return { curl: null, test: null };
  const secrets = [{ value: tokenOf(headers) ?? '' }];
  const request = { method, url: target, headers: Object.fromEntries(sent(headers)), body };
  return { curl: toCurl(request, { base: { variable: '$BASE_URL' }, secrets }), test: testOf(exchange) };
}

/** The body without its passwords. */
function bodyOf({ body }: MockExchange['request']): Uint8Array | undefined {
  const text = body && decoded(bytesOf(body));
  if (text === undefined) return body;
  return new platform.TextEncoder().encode(withoutPasswords(text));
}

/** The relevant headers, without secrets. */
function sent(headers: MockExchange['request']['headers']): readonly (readonly [name: string, value: Text])[] {
  const marks = { token: (scheme: string): Text => [scheme, TOKEN], secret: [SECRET], plain: (value: string) => value };
  return withoutSecrets<Text>(headers, marks).filter(([name]) => !INCIDENTAL.has(name));
}

function testOf({ request, wire }: Reproducible): string | null {
  const { method, target, body } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (UNFETCHABLE.has(method) || !target.startsWith('/') || (isRead && body !== undefined)) return null;
  const secret = { value: tokenOf(request.headers) ?? '', variable: 'token' };
  const source: Source = (value, indent = '') => toSource(value, secret, indent);
  const headers = sent(request.headers).map(([name, value]) => `      ${source(name)}: ${textSource(value, source)},`);
  const lines = [`fetch(baseUrl + ${source(target)}, {`, `    method: ${source(method)},`];
  if (headers.length > 0) lines.push('    headers: {', ...headers, '    },');
  if (body !== undefined) lines.push(`    body: ${bodySource(body, source)},`);
  const call = [...lines, '  })'].join('\n');

  const connection = wire.delivery?.connection;
  const [path = ''] = target.split('?');
  const shown = secret.value === '' ? path : path.replaceAll(secret.value, () => '$TOKEN');
  const title = toSource(`${method} ${shown} answers ${connection ?? wire.status}`);
  // A broken answer may still have sent a part.
  const broken = [
    `  const answer = ${call}.then((response) => response.text());`,
    '  await expect(answer).rejects.toThrow();',
  ];
  const whole = [`  const response = await ${call};`, ...expectations(method, wire, source)];
  return [`test(${title}, async () => {`, ...(connection === undefined ? whole : broken), '});', ''].join('\n');
}

type Source = (value: unknown, indent?: string) => string;

function textSource(text: Text, source: Source): string {
  const names = new Map<unknown, string>([
    [TOKEN, 'token'],
    [SECRET, 'secret'],
  ]);
  return [text]
    .flat()
    .map((part) => names.get(part) ?? source(part))
    .join(' + ');
}

/** As bytes, so that `fetch` adds no content type. */
function bodySource(body: Uint8Array, source: Source): string {
  const bytes = bytesOf(body);
  const text = decoded(bytes);
  if (text === undefined) return `Uint8Array.from(atob(${source(btoa(bytes))}), (byte) => byte.charCodeAt(0))`;
  return `new TextEncoder().encode(${source(text)})`;
}

function expectations(method: string, { status, body }: Reproducible['wire'], source: Source): readonly string[] {
  const lines = [`  expect(response.status).toBe(${status});`];
  if (method === 'HEAD' || body === '' || [204, 205, 304].includes(status)) return lines;
  try {
    return [...lines, `  expect(await response.json()).toEqual(${source(JSON.parse(withoutPasswords(body)), '  ')});`];
  } catch {
    return [...lines, `  expect(await response.text()).toBe(${source(body)});`];
  }
}
