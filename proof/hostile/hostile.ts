import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { CANARY_HEADER } from '../../conformance/http/canary.ts';
import { mapStrings } from '../../prove/permitted/server.ts';
import { asMock, changed, http, withRefusal, serveHttp, serveRaw } from './serve.ts';
import { cached } from '../../fixtures/universe/cached.ts';
import type { Mock } from '../../mock/index.ts';
import rawAnswers from './raw-answers.json';
import type { Answering, ServerBehaviour, ServerBehaviours, Start } from './serve.ts';

/** Markup, terminal escapes, CI commands, formulas and bidirectional text, for names and identifiers. */
export const nasty = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  `"'><svg/onload=alert(1)> javascript:alert(1) ]]>--><!--`,
  '\u001b[31mred\u001b[2J\u001b]0;title\u0007\u009b31m\u001b]8;;http://evil.test\u0007link\u001b]8;;\u0007',
  '\u202egnp.exe\u2066\u200f\u061c\u200b\ufeff\u2028\u0085',
  '\n::error::forged\n##[error]forged\nok 1 - forged\r\nnot ok 2\u0000',
  '![x](http://evil.test/x.png) [x](javascript:alert(1)) `${x}` | a | b | {{7*7}} @everyone',
  '=HYPERLINK("http://evil.test")',
].join(' ');

const json = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Writes the same bytes after every request. */
const bytes =
  (text: string | Buffer, then: (socket: Socket) => void = () => undefined): Start =>
  () =>
    serveRaw((socket) => {
      socket.write(text);
      then(socket);
    });

/** Writes without end, as fast as it is read or in small pieces. */
const endless =
  (head: string, piece: string | Buffer, everyMs = 0): Start =>
  () =>
    serveRaw((socket) => {
      socket.write(head);
      const more = (): void => {
        if (socket.destroyed) return;
        const flushed = socket.write(piece);
        if (everyMs > 0) setTimeout(more, everyMs).unref();
        else if (flushed) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });

/** The mock, with a change to each accepted answer. */
const twisted = (change: (body: unknown, count: number) => unknown): Start =>
  http((mock) => {
    let count = 0;
    return changed(mock, (body) => change(body, ++count));
  });

/** The mock, with a change to every list of results. */
const listing = (change: (list: ListBody, count: number) => Partial<ListBody>): Start =>
  twisted((body, count) => (isList(body) ? { ...body, ...change(body, count) } : body));

interface ListBody {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

const isList = (body: unknown): body is ListBody => typeof body === 'object' && body !== null && 'results' in body;

/** The mock, with another value for each member of these names. */
const supplanting = (names: string, value: () => string): Start =>
  twisted((body) =>
    JSON.stringify(body).replaceAll(new RegExp(`"(?:${names})":`, 'g'), (member) => `${member}${value()},"x":`),
  );

const emptyObjects = (count: number): string => `[${'{},'.repeat(count - 1)}{}]`;

const compressed = (coding: string, compress: () => Uint8Array): Start =>
  http(() => {
    const body = compress();
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    return () => ({ status: 200, headers, body });
  });

/** Leads every caller to a server that must never get a request. */
const elsewhere =
  (answer: (url: string, mock: Mock) => Answering): Start =>
  async (mock) => {
    const trap = await serveHttp(() => ({ status: 200, body: '{}' }));
    const server = await serveHttp(answer(trap.url, mock));
    return {
      url: server.url,
      problems: () =>
        trap.seen.connections > 0 ? [`${trap.seen.connections} connections went to another origin`] : [],
      close: () => Promise.all([server.close(), trap.close()]),
    };
  };

const echoing = (writing: (sent: string) => string): Start => {
  const write = cached(Infinity, writing);
  return http((mock) => (request) => {
    const { authorization = '', [CANARY_HEADER]: canary = '', accept = '', host = '' } = request.headers;
    const sent = [host, accept, authorization, canary].join(' ');
    const wire = asMock(mock, request);
    if (wire.status >= 300 || request.method === 'POST')
      return { status: 400, headers: { 'content-type': 'application/json' }, body: write(sent) };
    let left = 5;
    const body = JSON.parse(wire.body) as unknown;
    const echoed = mapStrings(body, (text) => (left-- > 0 ? write(sent) : text), /^(?:name|createdAt)$/);
    return { ...wire, body: JSON.stringify(echoed) };
  });
};

/** The credentials within what was sent. */
const tokenIn = (sent: string): string => sent.replace(/^.*Bearer /s, '');
/** A text with each character as its code in hexadecimal digits, between others. */
const spelt = (text: string, before: string, after = ''): string =>
  Array.from(text, (character) => before + character.charCodeAt(0).toString(16) + after).join('');

const MEGABYTE = 1024 * 1024;
const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);
const FIELDS = 'x-filler: abcdefghijklmnop\r\n'.repeat(99);
const year = 365 * 24 * 3600;

/** A behaviour for each of several values, by what completes its name. */
export const forEachValue = <T>(
  name: string,
  behave: (value: T) => Start | ServerBehaviour,
  values: Readonly<Record<string, T>>,
): ServerBehaviours => Object.fromEntries(Object.entries(values).map(([what, value]) => [name + what, behave(value)]));

/** Sends the same body to every request, written anew for each. */
const sending = (write: () => string | Buffer): Start => http(() => () => ({ status: 200, body: write() }));

/** Malicious servers, and those that are broken beyond repair. Each name completes "a server that ...". */
export const hostile: ServerBehaviours = {
  ...forEachValue('', (start: Start) => ({ start, hangs: true }), {
    'accepts connections and never answers': () => serveRaw(() => undefined),
    'sends its status line a byte at a time': endless('HTTP/1.1 200 O', 'K', 40),
    'sends its body a byte at a time': endless('HTTP/1.1 200 OK\r\n\r\n', ' ', 40),
    'sends trailers without end': endless(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n',
      FIELDS,
    ),
    'sends 100 Continue without end': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(999)),
    'sends 103 Early Hints without end': endless(
      '',
      'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'.repeat(99),
    ),
    'promises more than it sends, and waits': bytes(json('{}').replace(/: 2/, ': 20')),
    'lets every second request hang': http((mock) => {
      let count = 0;
      return (request) => (++count % 2 === 0 ? new Promise(() => undefined) : asMock(mock, request));
    }),
  }),
  'resets every connection': () => serveRaw((socket) => void socket.resetAndDestroy()),
  'closes every connection before it gets a request': () =>
    serveRaw(
      () => undefined,
      (socket) => socket.end(),
    ),
  'sends a body without end': endless('HTTP/1.1 200 OK\r\n\r\n[', Buffer.alloc(65_536, '1,')),
  'sends chunks without end': endless(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    `10000\r\n${'0,'.repeat(32_768)}\r\n`.repeat(2),
  ),
  'sends headers without end': endless('HTTP/1.1 200 OK\r\n', FIELDS),
  ...forEachValue('sends ', (text) => bytes(text), {
    'a megabyte of headers': `HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(1000)}\r\n`.repeat(1024)}content-length: 2\r\n\r\n{}`,
    'one header of a megabyte': `HTTP/1.1 200 OK\r\nx-a: ${'y'.repeat(MEGABYTE)}\r\ncontent-length: 2\r\n\r\n{}`,
  }),
  ...forEachValue('sends ', (text) => ({ start: bytes(text), hangs: true }), rawAnswers),
  'resets the connection in mid-body': bytes('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"results": [', (socket) =>
    setTimeout(() => socket.resetAndDestroy(), 5),
  ),
  'promises more than it sends, and closes': bytes(
    'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"results": []}',
    (socket) => socket.end(),
  ),
  'sends more than it promises': bytes(`${json('{}')}{"agent": {"id": "smuggled"}}`),
  'answers every request twice': bytes(json('{"results":[],"nextCursor":null}').repeat(2)),
  'answers each request with the answer to the previous one': http((mock) => {
    let previous: ReturnType<Answering> = { status: 200, body: '{}' };
    return (request) => {
      const answer = previous;
      previous = asMock(mock, request);
      return answer;
    };
  }),
  'answers before it gets a request': () =>
    serveRaw(
      (socket) => socket.write(json('{}')),
      (socket) => socket.write(json('{"agent":{"id":"early"}}')),
    ),
  'answers with random bytes': () =>
    serveRaw((socket, _, number) => {
      socket.end(Buffer.from(Array.from({ length: 999 }, (_byte, i) => (i * i * 31 + number * 7919) % 256)));
    }),
  'sends a gzip bomb': compressed('gzip', () =>
    Buffer.concat(Array<Buffer>(32).fill(gzipSync(Buffer.alloc(32 * MEGABYTE, ' ')))),
  ),
  'sends a brotli bomb': compressed('br', () =>
    brotliCompressSync(Buffer.alloc(24 * MEGABYTE, ' '), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ),
  'sends a deflate bomb': compressed('deflate', () => deflateSync(Buffer.alloc(24 * MEGABYTE, ' '))),
  'sends a bomb within a bomb': compressed('deflate, gzip', () =>
    gzipSync(deflateRawSync(Buffer.alloc(24 * MEGABYTE, ' '))),
  ),
  'claims that it packed its answer a thousand times': compressed(Array<string>(1000).fill('gzip').join(','), () =>
    gzipSync('{}'),
  ),
  'claims gzip and sends something else': compressed('gzip', () => Buffer.from('{"agent": {}}')),
  'cuts its gzip short': compressed('gzip', () => gzipSync('{"agent": {"name": "abcdefghijkl"}}').subarray(0, -12)),
  'uses an encoding that nobody asked for': compressed('\u00ffzstd"<b>', () => Buffer.from('{}')),
  'redirects in a circle': http(() => ({ target }) => ({ status: 302, headers: { location: target } })),
  ...forEachValue(
    'redirects to another origin with ',
    (status) => elsewhere((url) => () => ({ status, headers: { location: `${url}/api/v1/agents` }, body: '{}' })),
    { 301: 301, 302: 302, 303: 303, 307: 307, 308: 308 },
  ),
  'points to another origin in other headers': elsewhere((url) => () => ({
    status: 200,
    headers: {
      location: url,
      'content-location': url,
      refresh: `0; url=${url}`,
      link: `<${url}>; rel=next, <${url}>; rel=preload`,
      'alt-svc': `h2="${url.slice(7)}"`,
      'set-cookie': `a=b; Domain=127.0.0.1`,
    },
    body: '{}',
  })),
  'points to another origin with its cursors': elsewhere((url, mock) =>
    changed(mock, (body) => (isList(body) ? { ...body, nextCursor: `${url}/api/v1/agents` } : body)),
  ),
  ...forEachValue('answers with ', sending, {
    'JSON 100,000 levels deep': () => DEEP,
    'a million numbers in place of results': () => `{"results":[${'1,'.repeat(999_999)}1],"nextCursor":null}`,
    'a string of ten megabytes': () => `{"agent":{"name":"${'a'.repeat(10 * MEGABYTE)}"}}`,
    'nothing but __proto__': () => '{"__proto__":{"agent":{"id":"a"},"results":[],"nextCursor":null}}',
    'invalid UTF-8': () => Buffer.from('{"agent":{"name":"\xff\xfe\xc0\xaf\xed\xa0\x80"}}', 'latin1'),
    'UTF-16': () => Buffer.from('\ufeff{"agent":{}}', 'utf16le'),
    'markup and escapes in field names': () =>
      JSON.stringify({ [nasty]: nasty, agent: { [nasty]: 1, id: 1 }, results: [{ id: { [nasty]: nasty } }] }),
  }),
  'lists a million empty results': supplanting('results', () => emptyObjects(1_000_000)),
  'gives every agent a million blocks': supplanting('groups', () => `[{"blocks":${emptyObjects(1_000_000)}}]`),
  'puts lone surrogates everywhere': twisted((body) =>
    mapStrings(body, (text) => `\ud800${text}\udc00`, /^(?!.*(?:id$|cursor))/i),
  ),
  'repeats in errors what it was sent': echoing((sent) => JSON.stringify({ message: sent, [sent]: sent })),
  ...forEachValue<(sent: string) => string>('repeats it ', echoing, {
    'as plain text': (sent) => `Not allowed: ${sent}`,
    'where texts are cut': (sent) => '.'.repeat(60) + tokenIn(sent),
    'where bodies are cut': (sent) => '.'.repeat(1990) + tokenIn(sent),
    'escaped where bodies are cut': (sent) => `"${'.'.repeat(1950)}${spelt(tokenIn(sent), '\\u00')}"`,
    'in JSON escapes': (sent) => `{"message":"${spelt(sent, '\\u00')}"}`,
    'in base64': (sent) => JSON.stringify({ trace: Buffer.from(sent).toString('base64') }),
    'in hexadecimal': (sent) => JSON.stringify({ trace: Buffer.from(sent).toString('hex') }),
    'percent-encoded': (sent) => JSON.stringify({ trace: spelt(sent, '%') }),
    'in entities': (sent) => `<html>${spelt(sent, '&#x', ';')}</html>`,
    'in upper and lower case': (sent) => JSON.stringify([sent.toUpperCase(), sent.toLowerCase()]),
  }),
  'repeats it in headers': http(() => ({ headers }) => ({
    status: 403,
    headers: {
      'www-authenticate': `Bearer realm="${headers['authorization']}"`,
      'set-cookie': [`t=${encodeURIComponent(headers['authorization'] ?? '')}`],
      'x-echo': Object.values(headers).join(' '),
      'x-echo-64': Buffer.from(Object.values(headers).join(' ')).toString('base64'),
      [`x-${(headers['authorization'] ?? '').replace(/[^\w-]/g, '')}`]: '1',
    },
    body: '{}',
  })),
  'repeats it as identifiers and cursors': http((mock) =>
    changed(mock, (body, { headers }) => {
      const sent = headers['authorization']?.slice(7) ?? '';
      return mapStrings(body, (text) => `${sent}${text}`, /^(?:id|nextCursor)$/);
    }),
  ),
  'writes markup and escapes into everything': twisted((body) =>
    mapStrings(body, (text, name) => (name === 'version' ? '6' : `${nasty}${text}`)),
  ),
  'writes markup and escapes into refusals': http(() => () => ({
    status: 400,
    headers: {
      'content-type': `text/html; ${encodeURI(nasty)}`,
      'x-note': nasty.replace(/[^\t\x20-\x7e\x80-\xff]/g, '\u009b'),
    },
    body: `<html>${nasty}</html>`,
  })),
  'leads through empty pages without end': listing((_, count) => ({ results: [], nextCursor: `c${count}` })),
  'gives cursors of 100 kB': listing((_, count) => ({ nextCursor: String(count).padStart(100_000, 'c') })),
  'gives cursors of markup, escapes and NUL': listing((_, count) => ({ nextCursor: `${nasty}\u0000"'${count}` })),
  ...forEachValue(
    'answers 429 and asks to wait ',
    (wait) => http(() => () => ({ status: 429, headers: { 'retry-after': wait }, body: '{}' })),
    {
      'a year': String(year),
      'until next year': new Date(Date.now() + year * 1000).toUTCString(),
      'twenty seconds': '20',
      'a negative time': '-5',
      'a number of a thousand digits': '9'.repeat(1000),
      nonsense: 'soon; <script>alert(1)</script>',
      'no time': '0',
    },
  ),
  'answers 503 to every list and asks to wait twenty seconds': withRefusal(
    ({ target }) => target.includes('/results'),
    { status: 503, headers: { 'retry-after': '20' } },
  ),
  ...forEachValue('', (start: Start) => ({ start, isHeavy: true }), {
    'answers with objects 100,000 levels deep': sending(() => `${'{"agent":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    'answers with a number of a million digits': sending(
      () => `{"agent":{"id":${'9'.repeat(1_000_000)}},"results":1e99999}`,
    ),
    'hides 100,000 levels in every agent and result': supplanting('icon|groups|variables|answers|metadata', () => DEEP),
    'lists two hundred thousand empty results': supplanting('results', () => emptyObjects(200_000)),
    'gives every agent a hundred thousand blocks': supplanting('groups', () => `[{"blocks":${emptyObjects(100_000)}}]`),
    'lists one result fifty thousand times': listing(({ results: [first] }) => ({
      results: Array.from({ length: first ? 50_000 : 0 }, () => ({ id: first?.['id'] })),
    })),
    'gives every agent two hundred thousand fields': twisted((body) => {
      const fields = Array.from({ length: 200_000 }, (_, i) => `"f${i}":0,`);
      return JSON.stringify(body).replaceAll('"name":', `${fields.join('')}"name":`);
    }),
    'lists results with long names and times': listing(({ results }) => {
      const long = 'Q'.repeat((7 * MEGABYTE) / Math.max(1, results.length));
      return { results: results.map((result) => ({ ...result, createdAt: long, name: long })) };
    }),
    'lists results with long identifiers': listing(({ results }) => ({
      results: results.map((result) => ({ ...result, id: `${String(result['id'])}${'Q'.repeat(65_000)}` })),
    })),
    'refuses with errors of seven megabytes': http(() => {
      const body = JSON.stringify({ message: 'no '.repeat((7 * MEGABYTE) / 3) });
      return () => ({ status: 400, body });
    }),
    'answers with __proto__ and constructor everywhere': twisted((body) =>
      JSON.stringify(body)
        .replaceAll(
          '{',
          '{"__proto__":{"name":1,"polluted":true},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1,"toString":1,"then":1,"length":-1,"toJSON":1,"":0,',
        )
        .replaceAll(',}', '}'),
    ),
    'lists new results with new cursors without end': http((mock) => {
      let count = 0;
      const start = Date.now();
      return changed(mock, (body, { target }) => {
        if (!isList(body)) return body;
        const limit = Number(/[?&]limit=(\d+)/.exec(target)?.[1] ?? 50);
        const results = Array.from({ length: limit }, () => ({
          ...body.results[0],
          id: `r${++count}`,
          createdAt: new Date(start - count * 1000).toISOString(),
        }));
        return { results, nextCursor: `c${count}` };
      });
    }),
  }),
};
