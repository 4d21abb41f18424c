import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFormats } from '../../conformance/reporters/index.ts';
import type { Wire } from '../../mock/index.ts';
import { forEachValue, nasty } from './hostile.ts';
import { mapStrings } from '../../prove/permitted/server.ts';
import { asMock, createTarget, http, withRefusal, serveHttp, serveRaw, tokens, variablesOf } from './serve.ts';
import type { ServedAnswer, ServerBehaviours, Start } from './serve.ts';
import { parseJson } from '../../text/json.ts';
import { literal } from '../../text/literal.ts';

/** Enough if only the transfer of answers is unusual. */
const FEW = ['--only', 'create-agent,get-agent,get-published-agent'];

const rewriting = (change: (wire: Wire) => ServedAnswer): Start =>
  http((mock) => (request) => change(asMock(mock, request)));

const withHeaders = (more: ServedAnswer['headers']): Start =>
  rewriting((wire) => ({ ...wire, headers: { ...wire.headers, ...more } }));

const packed = (coding: string, pack: (body: string) => Uint8Array): Start =>
  rewriting(({ status, headers, body }) => ({
    status,
    headers: { ...headers, 'content-encoding': coding },
    body: pack(body),
  }));

/** Fields with an identifier or a cursor, references included. */
const NAMES = /^(?:id|nextCursor|(?:agent|workspace|outgoingEdge|block|item|group|variable)Id)$/;

/** Adds a prefix to every identifier and cursor, and removes it again. */
const disguised = (before: string): Start =>
  http((mock) => (request) => {
    const bare = (text: string): string => text.replace(new RegExp(`^${literal(before)}`), '');
    const url = new URL(request.target, 'http://x');
    const path = url.pathname.split('/').map((part) => encodeURIComponent(bare(decodeURIComponent(part))));
    const query = new URLSearchParams(
      Array.from(url.searchParams, ([name, value]): [string, string] => [name, bare(value)]),
    );
    const body = request.body.length === 0 ? '' : JSON.stringify(mapStrings(parseJson(request.body.toString()), bare));
    const wire = asMock(mock, {
      ...request,
      target: `${path.join('/')}${query.size > 0 ? `?${query.toString()}` : ''}`,
      body: Buffer.from(body),
    });
    return { ...wire, body: JSON.stringify(mapStrings(parseJson(wire.body), (text) => before + text, NAMES)) };
  });

const busy = (
  status: number,
  headers: Readonly<Record<string, string>>,
  isBusy: (count: number) => boolean,
  waitedMs = 0,
): Start => {
  return async (mock) => {
    let [count, refusedAt, early] = [0, 0, 0];
    const problems: string[] = [];
    const server = await serveHttp((request) => {
      const now = performance.now();
      // Until the client hears of it, other requests are in flight, on a busy machine more than a few; without a bound
      // there would be hundreds.
      if (refusedAt > 0 && now - refusedAt < waitedMs && ++early > 20)
        problems.push(`a request came ${now - refusedAt} ms after another was asked to wait ${waitedMs}`);
      if (!isBusy(++count)) return asMock(mock, request);
      refusedAt = now;
      return { status, headers };
    });
    return { ...server, problems: () => problems };
  };
};

const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toUTCString();

const creatingNothing = (status: number): Start =>
  withRefusal(({ method }) => method === 'POST', { status, body: '{"message":"no"}' });

/** Takes its time for every request; `isWrong` says whether the run went faster or slower than it should. */
const delayed =
  (ms: number, isWrong: (pace: Record<'atOnce' | 'perSecond' | 'requests', number>) => boolean): Start =>
  async (mock) => {
    const { url, close, arrivals, seen } = await serveHttp(async (request) => {
      await sleep(ms);
      return asMock(mock, request);
    });
    const problems = (): readonly string[] => {
      const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1000;
      const pace = { atOnce: seen.atOnce, perSecond: (arrivals.length - 1) / seconds, requests: arrivals.length };
      if (isWrong(pace)) return [`the pace was ${JSON.stringify(pace)}`];
      return [];
    };
    return { url, close, problems };
  };

/** Writes the bytes of each answer by hand: `length` ends a head. Closes the connection after it if `isLast`. */
const raw =
  (write: (wire: Wire, head: string, length: string) => string | Buffer, isLast: boolean): Start =>
  async (mock) =>
    serveRaw((socket, request) => {
      const wire = asMock(mock, request);
      const fields = Object.entries(wire.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const length = `content-length: ${Buffer.byteLength(wire.body)}\r\n\r\n`;
      socket.write(write(wire, `${wire.status} Whatever\r\n${fields.join('')}`, length));
      if (isLast) socket.end();
    });

const ANY = `a /b?c#d%2F%"'<é日本&=+;\\…\u202e👩‍👩‍👧{}[]|^~\`${nasty.slice(0, 60)}`;
const LIMITED = /creations|create|import|agents-share-none|reads|workspace/;

/** Servers that keep the contract and exist in practice, but are unusual. Each name completes "a server that ...". */
export const living: ServerBehaviours = {
  'lives below a path, with a slash at the end of its URL': {
    start: async (mock) => {
      const server = await serveHttp((request) => {
        const [, target] = /^\/deep\/b%20se(\/api\/v1\/.*)/.exec(request.target) ?? [];
        if (target === undefined) return { status: 404 };
        return asMock(mock, { ...request, target });
      });
      return { ...server, url: `${server.url}/deep/b%20se//` };
    },
  },
  ...forEachValue('', (start: Start) => ({ start, arguments: FEW }), {
    'closes the connection after every answer': withHeaders({ connection: 'close' }),
    'closes the connection after every answer without announcing it': raw(
      (wire, head, length) => `HTTP/1.1 ${head}${length}${wire.body}`,
      true,
    ),
    'speaks HTTP/1.0, without any length': raw((wire, head) => `HTTP/1.0 ${head}\r\n${wire.body}`, true),
    'sends 103 Early Hints first': raw(
      (wire, head, length) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 ${head}${length}${wire.body}`,
      false,
    ),
    'sends small chunks with extensions, and a trailer': raw((wire, head) => {
      const body = Buffer.from(wire.body).toString('latin1');
      const chunks = body.match(/[\s\S]{1,500}/g) ?? [];
      const text = chunks.map((chunk) => `${chunk.length.toString(16)};x=1\r\n${chunk}\r\n`).join('');
      const begin = `HTTP/1.1 ${head}transfer-encoding: chunked\r\n\r\n`;
      return Buffer.from(`${begin}${text}0\r\nx-trailer: 1\r\n\r\n`, 'latin1');
    }, false),
    'packs its answers with gzip': packed('gzip', gzipSync),
    'packs its answers with brotli': packed('br', (body) =>
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ),
    'packs its answers with deflate': packed('deflate', deflateSync),
    'packs its answers with bare deflate': packed('deflate', deflateRawSync),
    'packs its answers twice': packed('deflate, GZIP', (body) => gzipSync(deflateSync(body))),
    'begins its bodies with blanks': rewriting((wire) => ({ ...wire, body: ` \n${wire.body}\n` })),
  }),
  'has identifiers and cursors of any character': {
    start: disguised(ANY),
    env: variablesOf(createTarget(), ANY),
    formats: Object.keys(reportFormats).filter((format) => format !== 'text'),
  },
  ...forEachValue('sends ', (date) => ({ start: withHeaders({ date }), arguments: ['--only', 'list-results'] }), {
    'no Date': undefined,
    'the Date yesterday': 'yesterday',
    'a Date of 1970': new Date(0).toUTCString(),
    'a Date of 2001': '1',
    'a Date of the next century': new Date(Date.UTC(2101, 0, 1)).toUTCString(),
    'a Date of forty days ago': inDays(-40),
    'a Date of twenty days ahead': inDays(20),
  }),
  'sends a Date of forty days ago, and creates things today': { start: withHeaders({ date: inDays(-40) }) },
  'requires its own header': {
    start: withRefusal(({ headers }) => headers['x-api-key'] !== 'k3y-of-the-gateway', { status: 403 }),
    arguments: [...FEW, '--header', 'X-Api-Key: k3y-of-the-gateway'],
  },
  'answers every ninth request with 429': { start: busy(429, { 'retry-after': '0' }, (count) => count % 9 === 0) },
  'answers one request with 429 and asks to wait a second': {
    start: busy(429, { 'retry-after': '1' }, (count) => count === 9, 990),
  },
  'answers every seventh request with 503': { start: busy(503, { 'retry-after': '0' }, (count) => count % 7 === 0) },
  'gets at most forty requests a second if that is requested': {
    // The first may arrive late, so that the others seem closer together; without a limit they come by the hundred.
    start: delayed(0, ({ perSecond, requests }) => perSecond > 60 || requests < 8),
    arguments: ['--rps', '40', '--only', 'get-agent,get-published-agent'],
  },
  'gets at most ten requests at once by default': { start: delayed(3, ({ atOnce }) => atOnce < 2 || atOnce > 10) },
  'gets more requests at once if that is requested': {
    start: delayed(3, ({ atOnce }) => atOnce < 5 || atOnce > 16),
    arguments: ['--concurrency', '16'],
  },
  'gets one request at a time if that is requested': {
    start: delayed(0, ({ atOnce }) => atOnce > 1),
    arguments: [...FEW, '--concurrency', '1'],
  },
  'takes the token for one that may only read': {
    start: rewriting((wire) => wire),
    env: { AGENT_CONTRACT_TOKEN: tokens.read },
    notJudged: LIMITED,
  },
  'takes the token for that of a guest': {
    start: rewriting((wire) => wire),
    env: { AGENT_CONTRACT_TOKEN: tokens.guest },
    notJudged: /^(?!get-)|what-was-imported/,
  },
  'answers 402 to every creation': { start: creatingNothing(402), notJudged: LIMITED },
  'answers 403 to every creation': { start: creatingNothing(403), notJudged: LIMITED },
};
