import { bytesOf, decoded, toCurl, type Secret, type Text } from '../../text/curl.ts';
import { toSource } from '../../text/javascript.ts';
import { SECRET_HEADERS, tokenOf, type Exchange } from './journal-entry.ts';

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

/** How to repeat an exchange. */
export function reproduce(exchange: Reproducible): Reproduction {
  if (exchange.request.oversize === true) return { curl: null, test: null };
  return { curl: curlOf(exchange.request), test: testOf(exchange) };
}

interface Reproducible {
  readonly request: Exchange['request'];
  readonly wire: Pick<Exchange['wire'], 'status' | 'delivery' | 'body'>;
}

function curlOf({ method, target, headers, body }: Exchange['request']): string {
  return toCurl(
    {
      method,
      url: target,
      headers: Object.fromEntries(sent(headers)),
      body,
    },
    { base: { variable: '$BASE_URL' }, secrets: [secretOf(headers)] },
  );
}

/** The relevant headers, without secrets. */
function sent(headers: Exchange['request']['headers']): readonly (readonly [name: string, value: Text])[] {
  return Object.entries(headers).flatMap(([name, value]): readonly (readonly [string, Text])[] => {
    if (value === undefined || INCIDENTAL.has(name)) return [];
    if (!SECRET_HEADERS.has(name)) return [[name, value]];
    const scheme = /^\S+ /.exec(value)?.[0];
    return [[name, name === 'authorization' && scheme !== undefined ? [scheme, TOKEN] : [SECRET]]];
  });
}

const secretOf = (headers: Exchange['request']['headers']): Secret => ({ value: tokenOf(headers) ?? '' });

function testOf({ request, wire }: Reproducible): string | null {
  const { method, target, body } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (UNFETCHABLE.has(method) || !target.startsWith('/') || (isRead && body !== undefined)) return null;
  const secret = { ...secretOf(request.headers), variable: 'token' };
  const source = (value: unknown, indent = ''): string => toSource(value, secret, indent);
  const headers = sent(request.headers).map(([name, value]) => `      ${source(name)}: ${textSource(value, source)},`);
  const lines = [`fetch(baseUrl + ${source(target)}, {`, `    method: ${source(method)},`];
  if (headers.length > 0) lines.push('    headers: {', ...headers, '    },');
  if (body !== undefined) lines.push(`    body: ${bodySource(body, source)},`);
  const call = [...lines, '  })'].join('\n');

  const connection = wire.delivery?.connection;
  const title = toSource(`${method} ${titleOf(target, secret.value)} answers ${connection ?? wire.status}`);
  // A broken answer may still have sent a part.
  const broken = [
    `  const answer = ${call}.then((response) => response.text());`,
    '  await expect(answer).rejects.toThrow();',
  ];
  const whole = [`  const response = await ${call};`, ...expectations(method, wire, source)];
  return [`test(${title}, async () => {`, ...(connection === undefined ? whole : broken), '});', ''].join('\n');
}

type Source = (value: unknown, indent?: string) => string;

const titleOf = (target: string, token: string): string => {
  const [path = ''] = target.split('?');
  if (token === '') return path;
  return path.replaceAll(token, () => '$TOKEN');
};

const textSource = (text: Text, source: Source): string =>
  [text]
    .flat()
    .map((part) => {
      if (typeof part === 'string') return source(part);
      if (part === TOKEN) return 'token';
      return 'secret';
    })
    .join(' + ');

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
    return [...lines, `  expect(await response.json()).toEqual(${source(JSON.parse(body), '  ')});`];
  } catch {
    return [...lines, `  expect(await response.text()).toBe(${source(body)});`];
  }
}
