import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { CANARY_HEADER } from '../../conformance/http/canary.ts';
import { createMock, type Mock, type Mode } from '../../mock/index.ts';
import { asMock, changed, mapStrings, serveHttp, serveRaw, withoutLength, type Answer } from './serve.ts';

/** Tokens that none of our texts contains by chance, with every character that some notation escapes. */
export const tokens = {
  write: `Zq3+/x"7<Kw&'Vb%9\\=Jt~4{Hs}`,
  read: 'r5Xc-PmQ8_vLz.W2kYd',
  guest: 'g7Tn-BhR4_sJx.D9fUq',
};

/** A malicious server, or one that is broken beyond repair. */
export interface Hostile {
  /** Completes "a server that ...". */
  readonly name: string;
  readonly start: (mock: Mock) => Promise<Running>;
  /** Some of its answers never end, so that each must be given up. */
  readonly hangs?: true;
  /** Its answers take so long that no run completes: half the time shows as much. */
  readonly isHeavy?: true;
}

export interface Running {
  readonly url: string;
  /** Requests at a place where none may ever arrive. */
  readonly astray?: () => number;
  /** Forbidden things that the server saw. */
  readonly problems?: () => readonly string[];
  readonly close: () => Promise<unknown>;
}

/** The mock behind most hostile servers, with tokens that differ from any other text. */
export const createTarget = (): Mock => createMock({ tokens: { [tokens.write]: 'write', ...others } });
const others: Readonly<Record<string, Mode>> = { [tokens.read]: 'read', [tokens.guest]: 'guest' };

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
  (text: string | Buffer, then: (socket: Socket) => void = () => undefined): Hostile['start'] =>
  () =>
    serveRaw((socket) => {
      socket.write(text);
      then(socket);
    });

/** Writes without end, as fast as it is read or in small pieces. */
const endless =
  (head: string, piece: string | Buffer, everyMs = 0): Hostile['start'] =>
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

const http =
  (answer: (mock: Mock) => Answer): Hostile['start'] =>
  (mock) =>
    serveHttp(answer(mock));

/** The mock, with a change to each accepted answer. */
const twisted = (change: (body: unknown, count: number) => unknown): Hostile['start'] =>
  http((mock) => {
    let count = 0;
    return changed(mock, (body) => change(body, ++count));
  });

/** The mock, with a change to every list of results. */
const listing = (change: (list: ListBody, count: number, target: string) => unknown): Hostile['start'] =>
  http((mock) => {
    let count = 0;
    return changed(mock, (body, { target }) => (isList(body) ? change(body, ++count, target) : body));
  });

interface ListBody {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

const isList = (body: unknown): body is ListBody => typeof body === 'object' && body !== null && 'results' in body;

const compressed = (coding: string, body: () => Uint8Array): Hostile['start'] => {
  let made: Uint8Array | undefined;
  return http(() => () => {
    made ??= body();
    return { status: 200, headers: { 'content-type': 'application/json', 'content-encoding': coding }, body: made };
  });
};

/** Redirects every caller to a server that must never get a request. */
const elsewhere =
  (status: number, headers: (url: string) => Readonly<Record<string, string>>): Hostile['start'] =>
  async () => {
    const trap = await serveHttp(() => ({ status: 200, body: '{}' }));
    const server = await serveHttp(() => ({ status, headers: headers(trap.url), body: '{}' }));
    return { url: server.url, astray: trap.connections, close: () => Promise.all([server.close(), trap.close()]) };
  };

/** Repeats in every answer what the caller sent. */
const echoing = (writing: (sent: string) => string): Hostile['start'] => {
  const known = new Map<string, string>();
  const write = (sent: string): string => known.get(sent) ?? known.set(sent, writing(sent)).get(sent) ?? '';
  return http((mock) => (asked) => {
    const { authorization = '', [CANARY_HEADER]: canary = '', accept = '', host = '' } = asked.headers;
    const sent = [host, accept, authorization, canary].join(' ');
    const wire = asMock(mock, asked);
    if (wire.status >= 300 || asked.method === 'POST')
      return { status: 400, headers: { 'content-type': 'application/json' }, body: write(sent) };
    const body = JSON.parse(wire.body) as unknown;
    let left = 5;
    const echoed = mapStrings(body, (text, name) =>
      (name === 'name' || name === 'createdAt') && left-- > 0 ? write(sent) : text,
    );
    return { status: 200, headers: withoutLength(wire), body: JSON.stringify(echoed) };
  });
};

const each = (text: string, write: (character: string) => string): string => Array.from(text, write).join('');
const hex = (character: string): string => character.charCodeAt(0).toString(16);

const megabytes = (count: number): number => count * 1024 * 1024;
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const year = 365 * 24 * 3600;

const broken: readonly (readonly [what: string, bytes: string])[] = [
  ['an invalid status line', 'HTTP/1.1 two hundred OK\r\n\r\n'],
  ['a status of five digits', 'HTTP/1.1 20000 OK\r\ncontent-length: 2\r\n\r\n{}'],
  ['the status 999', 'HTTP/1.1 999 Denied\r\ncontent-length: 2\r\n\r\n{}'],
  ['HTTP/0.9', '{"results":[]}\n'],
  ['the greeting of an SSH server', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['an alert of TLS', '\u0015\u0003\u0001\u0000\u0002\u0002\u0016'],
  ['an invalid chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of 16 exabytes', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}'],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 2\r\n\r\n{}'],
  ['a header with NUL and escapes', 'HTTP/1.1 200 OK\r\nx-a: \0\u001b[31m\r\ncontent-length: 2\r\n\r\n{}'],
  ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n{}'],
  ['a length of 30 digits', `HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n{}`],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 20\r\n\r\n{}'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ],
  ['101 Switching Protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
];

/** Every hostile server. */
export const hostiles: readonly Hostile[] = [
  { name: 'accepts connections and never answers', hangs: true, start: () => serveRaw(() => undefined) },
  { name: 'resets every connection', start: () => serveRaw((socket) => void socket.resetAndDestroy()) },
  {
    name: 'closes every connection before it gets a request',
    start: () =>
      serveRaw(
        () => undefined,
        (socket) => socket.end(),
      ),
  },
  { name: 'sends its status line a byte at a time', hangs: true, start: endless('HTTP/1.1 200 O', 'K', 40) },
  { name: 'sends its body a byte at a time', hangs: true, start: endless('HTTP/1.1 200 OK\r\n\r\n', ' ', 40) },
  { name: 'sends a body without end', start: endless('HTTP/1.1 200 OK\r\n\r\n[', Buffer.alloc(65_536, '1,')) },
  {
    name: 'sends chunks without end',
    start: endless(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      `10000\r\n${'0,'.repeat(32_768)}\r\n`.repeat(2),
    ),
  },
  {
    name: 'sends headers without end',
    start: endless('HTTP/1.1 200 OK\r\n', 'x-filler: abcdefghijklmnop\r\n'.repeat(99)),
  },
  {
    name: 'sends trailers without end',
    hangs: true,
    start: endless(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n',
      'x-filler: abcdefghijklmnop\r\n'.repeat(99),
    ),
  },
  {
    name: 'sends 100 Continue without end',
    hangs: true,
    start: endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(999)),
  },
  {
    name: 'sends 103 Early Hints without end',
    hangs: true,
    start: endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'.repeat(99)),
  },
  {
    name: 'sends a megabyte of headers',
    start: bytes(`HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(1000)}\r\n`.repeat(1024)}content-length: 2\r\n\r\n{}`),
  },
  {
    name: 'sends one header of a megabyte',
    start: bytes(`HTTP/1.1 200 OK\r\nx-a: ${'y'.repeat(megabytes(1))}\r\ncontent-length: 2\r\n\r\n{}`),
  },
  ...broken.map(([what, text]): Hostile => ({ name: `sends ${what}`, hangs: true, start: bytes(text) })),
  {
    name: 'resets the connection in mid-body',
    start: bytes('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"results": [', (socket) =>
      setTimeout(() => socket.resetAndDestroy(), 5),
    ),
  },
  {
    name: 'promises more than it sends, and closes',
    start: bytes('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"results": []}', (socket) => socket.end()),
  },
  { name: 'promises more than it sends, and waits', hangs: true, start: bytes(json('{}').replace(/: 2/, ': 20')) },
  { name: 'sends more than it promises', start: bytes(`${json('{}')}{"agent": {"id": "smuggled"}}`) },
  { name: 'answers every request twice', start: bytes(json('{"results":[],"nextCursor":null}').repeat(2)) },
  {
    name: 'answers each request with the answer to the previous one',
    start: http((mock) => {
      let previous: ReturnType<Answer> = { status: 200, body: '{}' };
      return (asked) => {
        const answer = previous;
        previous = asMock(mock, asked);
        return answer;
      };
    }),
  },
  {
    name: 'answers before it gets a request',
    start: () =>
      serveRaw(
        (socket) => socket.write(json('{}')),
        (socket) => socket.write(json('{"agent":{"id":"early"}}')),
      ),
  },
  {
    name: 'lets every second request hang',
    hangs: true,
    start: http((mock) => {
      let count = 0;
      return (asked) => (++count % 2 === 0 ? new Promise(() => undefined) : asMock(mock, asked));
    }),
  },
  {
    name: 'answers with random bytes',
    start: () =>
      serveRaw((socket, _, number) => {
        socket.end(Buffer.from(Array.from({ length: 999 }, (_byte, i) => (i * i * 31 + number * 7919) % 256)));
      }),
  },

  {
    name: 'sends a gzip bomb',
    start: compressed('gzip', () => Buffer.concat(Array<Buffer>(32).fill(gzipSync(Buffer.alloc(megabytes(32), ' '))))),
  },
  {
    name: 'sends a brotli bomb',
    start: compressed('br', () =>
      brotliCompressSync(Buffer.alloc(megabytes(24), ' '), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    ),
  },
  {
    name: 'sends a deflate bomb',
    start: compressed('deflate', () => deflateSync(Buffer.alloc(megabytes(24), ' '))),
  },
  {
    name: 'sends a bomb within a bomb',
    start: compressed('deflate, gzip', () => gzipSync(deflateRawSync(Buffer.alloc(megabytes(24), ' ')))),
  },
  {
    name: 'claims that it packed its answer a thousand times',
    start: compressed(Array<string>(1000).fill('gzip').join(','), () => gzipSync('{}')),
  },
  { name: 'claims gzip and sends something else', start: compressed('gzip', () => Buffer.from('{"agent": {}}')) },
  {
    name: 'cuts its gzip short',
    start: compressed('gzip', () => gzipSync('{"agent": {"name": "abcdefghijkl"}}').subarray(0, -12)),
  },
  { name: 'uses an encoding that nobody asked for', start: compressed('\u00ffzstd"<b>', () => Buffer.from('{}')) },

  {
    name: 'redirects in a circle',
    start: http(() => ({ target }) => ({ status: 302, headers: { location: target } })),
  },
  ...[301, 302, 303, 307, 308].map((status): Hostile => ({
    name: `redirects to another origin with ${status}`,
    start: elsewhere(status, (url) => ({ location: `${url}/api/v1/agents` })),
  })),
  {
    name: 'points to another origin in other headers',
    start: elsewhere(200, (url) => ({
      location: url,
      'content-location': url,
      refresh: `0; url=${url}`,
      link: `<${url}>; rel=next, <${url}>; rel=preload`,
      'alt-svc': `h2="${url.slice(7)}"`,
      'set-cookie': `a=b; Domain=127.0.0.1`,
    })),
  },
  {
    name: 'points to another origin with its cursors',
    start: async (mock) => {
      const trap = await serveHttp(() => ({ status: 200, body: '{}' }));
      const cursor = `${trap.url}/api/v1/agents`;
      const server = await serveHttp(changed(mock, (body) => (isList(body) ? { ...body, nextCursor: cursor } : body)));
      return { url: server.url, astray: trap.connections, close: () => Promise.all([server.close(), trap.close()]) };
    },
  },

  { name: 'answers with JSON 100,000 levels deep', start: http(() => () => ({ status: 200, body: deep(100_000) })) },
  {
    name: 'answers with objects 100,000 levels deep',
    isHeavy: true,
    start: http(() => () => ({ status: 200, body: '{"agent":'.repeat(100_000) + '1' + '}'.repeat(100_000) })),
  },
  {
    name: 'hides 100,000 levels in every agent and result',
    isHeavy: true,
    start: twisted((body) =>
      JSON.stringify(body).replaceAll(
        /"(icon|groups|variables|answers|metadata)":/g,
        (name) => `${name}${deep(100_000)},"x":`,
      ),
    ),
  },
  {
    name: 'answers with a million numbers in place of results',
    start: http(() => () => ({ status: 200, body: `{"results":[${'1,'.repeat(999_999)}1],"nextCursor":null}` })),
  },
  {
    name: 'lists a million empty results',
    start: listing(
      (list) => `{"results":[${'{},'.repeat(999_999)}{}],"nextCursor":${JSON.stringify(list.nextCursor)}}`,
    ),
  },
  {
    name: 'lists two hundred thousand empty results',
    isHeavy: true,
    start: listing(
      (list) => `{"results":[${'{},'.repeat(199_999)}{}],"nextCursor":${JSON.stringify(list.nextCursor)}}`,
    ),
  },
  {
    name: 'gives every agent a hundred thousand blocks',
    isHeavy: true,
    start: twisted((body) =>
      JSON.stringify(body).replaceAll('"groups":', `"groups":[{"blocks":[${'{},'.repeat(99_999)}{}]}],"x":`),
    ),
  },
  {
    name: 'lists one result fifty thousand times',
    isHeavy: true,
    start: listing(({ results, nextCursor }) => ({
      results: results.length === 0 ? [] : Array.from({ length: 50_000 }, () => ({ id: results[0]?.['id'] })),
      nextCursor,
    })),
  },
  {
    name: 'gives every agent a million blocks',
    start: twisted((body) =>
      JSON.stringify(body).replaceAll('"groups":', `"groups":[{"blocks":[${'{},'.repeat(999_999)}{}]}],"x":`),
    ),
  },
  {
    name: 'gives every agent two hundred thousand fields',
    isHeavy: true,
    start: twisted((body) =>
      JSON.stringify(body).replaceAll(
        '"name":',
        `${Array.from({ length: 200_000 }, (_, i) => `"f${i}":0`).join(',')},"name":`,
      ),
    ),
  },
  {
    name: 'sends a string of ten megabytes',
    start: http(() => () => ({ status: 200, body: `{"agent":{"name":"${'a'.repeat(megabytes(10))}"}}` })),
  },
  {
    name: 'lists results with long names and times',
    isHeavy: true,
    start: listing(({ results, nextCursor }) => {
      const long = 'Q'.repeat(megabytes(7) / Math.max(1, results.length));
      return { results: results.map((result) => ({ ...result, createdAt: long, name: long })), nextCursor };
    }),
  },
  {
    name: 'lists results with long identifiers',
    isHeavy: true,
    start: listing(({ results, nextCursor }) => ({
      results: results.map((result) => ({ ...result, id: `${String(result['id'])}${'Q'.repeat(65_000)}` })),
      nextCursor,
    })),
  },
  {
    name: 'refuses with errors of seven megabytes',
    isHeavy: true,
    start: http(() => {
      const body = JSON.stringify({ message: 'no '.repeat(megabytes(7) / 3) });
      return () => ({ status: 400, body });
    }),
  },
  {
    name: 'answers with a number of a million digits',
    isHeavy: true,
    start: http(() => () => ({ status: 200, body: `{"agent":{"id":${'9'.repeat(1_000_000)}},"results":1e99999}` })),
  },
  {
    name: 'answers with __proto__ and constructor everywhere',
    isHeavy: true,
    start: twisted((body) =>
      JSON.stringify(body)
        .replaceAll(
          '{',
          '{"__proto__":{"name":1,"polluted":true},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1,"toString":1,"then":1,"length":-1,"toJSON":1,"":0,',
        )
        .replaceAll(',}', '}'),
    ),
  },
  {
    name: 'answers with nothing but __proto__',
    start: http(() => () => ({
      status: 200,
      body: '{"__proto__":{"agent":{"id":"a"},"results":[],"nextCursor":null}}',
    })),
  },
  {
    name: 'answers with invalid UTF-8',
    start: http(() => () => ({
      status: 200,
      body: Buffer.from('{"agent":{"name":"\xff\xfe\xc0\xaf\xed\xa0\x80"}}', 'latin1'),
    })),
  },
  {
    name: 'answers in UTF-16',
    start: http(() => () => ({ status: 200, body: Buffer.from('\ufeff{"agent":{}}', 'utf16le') })),
  },
  {
    name: 'puts lone surrogates everywhere',
    start: twisted((body) =>
      mapStrings(body, (text, name) => (/id$|cursor/i.test(name) ? text : `\ud800${text}\udc00`)),
    ),
  },

  {
    name: 'repeats in errors what it was sent',
    start: echoing((sent) => JSON.stringify({ message: sent, [sent]: sent })),
  },
  { name: 'repeats it as plain text', start: echoing((sent) => `Not allowed: ${sent}`) },
  {
    name: 'repeats it where texts are cut',
    start: echoing((sent) => '.'.repeat(60) + sent.replace(/^.*Bearer /s, '')),
  },
  {
    name: 'repeats it where bodies are cut',
    start: echoing((sent) => '.'.repeat(1990) + sent.replace(/^.*Bearer /s, '')),
  },
  {
    name: 'repeats it escaped where bodies are cut',
    start: echoing((sent) => `"${'.'.repeat(1950)}${each(sent.replace(/^.*Bearer /s, ''), (c) => `\\u00${hex(c)}`)}"`),
  },
  {
    name: 'repeats it in JSON escapes',
    start: echoing((sent) => `{"message":"${each(sent, (c) => `\\u00${hex(c)}`)}"}`),
  },
  {
    name: 'repeats it in base64',
    start: echoing((sent) => JSON.stringify({ trace: Buffer.from(sent).toString('base64') })),
  },
  {
    name: 'repeats it in hexadecimal',
    start: echoing((sent) => JSON.stringify({ trace: Buffer.from(sent).toString('hex') })),
  },
  {
    name: 'repeats it percent-encoded',
    start: echoing((sent) => JSON.stringify({ trace: each(sent, (c) => `%${hex(c)}`) })),
  },
  { name: 'repeats it in entities', start: echoing((sent) => `<html>${each(sent, (c) => `&#x${hex(c)};`)}</html>`) },
  {
    name: 'repeats it in upper and lower case',
    start: echoing((sent) => JSON.stringify([sent.toUpperCase(), sent.toLowerCase()])),
  },
  {
    name: 'repeats it in headers',
    start: http(() => ({ headers }) => ({
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
  },
  {
    name: 'repeats it as identifiers and cursors',
    start: http((mock) => (asked) => {
      const wire = asMock(mock, asked);
      if (wire.status >= 300) return wire;
      const sent = asked.headers['authorization']?.slice(7) ?? '';
      const body = mapStrings(JSON.parse(wire.body), (text, name) =>
        /^(id|nextCursor)$/.test(name) ? `${sent}${text}` : text,
      );
      return { ...wire, headers: withoutLength(wire), body: JSON.stringify(body) };
    }),
  },
  {
    name: 'writes markup and escapes into everything',
    start: twisted((body) => mapStrings(body, (text, name) => (name === 'version' ? '6' : `${nasty}${text}`))),
  },
  {
    name: 'writes markup and escapes into refusals',
    start: http(() => () => ({
      status: 400,
      headers: {
        'content-type': `text/html; ${encodeURI(nasty)}`,
        'x-note': nasty.replace(/[^\t\x20-\x7e\x80-\xff]/g, '\u009b'),
      },
      body: `<html>${nasty}</html>`,
    })),
  },
  {
    name: 'writes markup and escapes into field names',
    start: http(() => () => ({
      status: 200,
      body: JSON.stringify({ [nasty]: nasty, agent: { [nasty]: 1, id: 1 }, results: [{ id: { [nasty]: nasty } }] }),
    })),
  },

  {
    name: 'lists new results with new cursors without end',
    isHeavy: true,
    start: http((mock) => {
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
  },
  {
    name: 'leads through empty pages without end',
    start: listing((_, count) => ({ results: [], nextCursor: `c${count}` })),
  },
  {
    name: 'gives cursors of 100 kB',
    start: listing(({ results }, count) => ({ results, nextCursor: String(count).padStart(100_000, 'c') })),
  },
  {
    name: 'gives cursors of markup, escapes and NUL',
    start: listing(({ results }, count) => ({ results, nextCursor: `${nasty}\u0000"'${count}` })),
  },

  ...[
    ['a year', String(year)],
    ['until next year', new Date(Date.now() + year * 1000).toUTCString()],
    ['twenty seconds', '20'],
    ['a negative time', '-5'],
    ['a number of a thousand digits', '9'.repeat(1000)],
    ['nonsense', 'soon; <script>alert(1)</script>'],
    ['no time', '0'],
  ].map(([what = '', value = '']): Hostile => ({
    name: `answers 429 and asks to wait ${what}`,
    start: http(() => () => ({ status: 429, headers: { 'retry-after': value }, body: '{}' })),
  })),
  {
    name: 'answers 503 to every list and asks to wait twenty seconds',
    start: http(
      (mock) => (asked) =>
        asked.target.includes('/results') ? { status: 503, headers: { 'retry-after': '20' } } : asMock(mock, asked),
    ),
  },
];
