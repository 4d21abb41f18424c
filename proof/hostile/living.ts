import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { reportFormats } from '../../conformance/reporters/formats.ts';
import type { Mock, Wire } from '../../mock/index.ts';
import { createTarget, nasty, tokens, type Running } from './hostile.ts';
import { asMock, mapStrings, serveHttp, serveRaw, withoutLength, type Answer, type Asked } from './serve.ts';

/** A server that keeps the contract and exists in practice, but is unusual. */
export interface Living {
  /** Completes "a server that ...". */
  readonly name: string;
  readonly start: (mock: Mock) => Promise<Running>;
  readonly arguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is not judged there; nothing fails anywhere. Default: nothing. */
  readonly notJudged?: RegExp;
  /** Reports to write. Usually none, since they would not differ from those of other servers. */
  readonly formats?: readonly string[];
}

const http =
  (answer: (mock: Mock) => Answer): Living['start'] =>
  (mock) =>
    serveHttp(answer(mock));

/** Enough if only the transfer of answers is unusual. */
const FEW = ['--only', 'create-agent,get-agent,get-published-agent'];

const packed = (coding: string, pack: (body: string) => Uint8Array): Living['start'] =>
  http((mock) => (asked) => {
    const wire = asMock(mock, asked);
    return { ...wire, headers: { ...withoutLength(wire), 'content-encoding': coding }, body: pack(wire.body) };
  });

/** Fields with an identifier or a cursor, references included. */
const NAMES: ReadonlySet<string> = new Set(
  'id agentId workspaceId nextCursor outgoingEdgeId blockId itemId groupId variableId'.split(' '),
);

/** Adds a prefix to every identifier and cursor, and removes it again. */
const disguised = (before: string): Living['start'] =>
  http((mock) => (asked) => {
    const bare = (text: string): string => (text.startsWith(before) ? text.slice(before.length) : text);
    const url = new URL(asked.target, 'http://x');
    const path = url.pathname.split('/').map((part) => encodeURIComponent(bare(decodeURIComponent(part))));
    const query = new URLSearchParams(
      Array.from(url.searchParams, ([name, value]): [string, string] => [name, bare(value)]),
    );
    const body = asked.body.length === 0 ? '' : JSON.stringify(mapStrings(parsed(asked.body), bare));
    const wire = asMock(mock, {
      ...asked,
      target: `${path.join('/')}${query.size > 0 ? `?${query.toString()}` : ''}`,
      body: Buffer.from(body),
    });
    const isName = (name: string): boolean => NAMES.has(name);
    const shown = mapStrings(parsed(wire.body), (text, name) => (isName(name) ? before + text : text));
    return { ...wire, headers: withoutLength(wire), body: JSON.stringify(shown) };
  });

/** The mock's identifiers in the form of such a server. */
const namesOf = (before: string): Readonly<Record<string, string>> => {
  const { workspaceId, agentId, publishedAgentId, v5AgentId } = createTarget().target;
  return {
    AGENT_CONTRACT_WORKSPACE_ID: before + workspaceId,
    AGENT_CONTRACT_AGENT_ID: before + agentId,
    AGENT_CONTRACT_PUBLISHED_AGENT_ID: before + publishedAgentId,
    AGENT_CONTRACT_V5_AGENT_ID: before + v5AgentId,
  };
};

function parsed(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** Refuses some requests temporarily, before they are processed. */
const busy = (
  status: number,
  headers: Readonly<Record<string, string>>,
  isBusy: (count: number) => boolean,
  waitedMs = 0,
): Living['start'] => {
  return async (mock) => {
    let count = 0;
    let refusedAt = 0;
    let early = 0;
    const problems: string[] = [];
    const server = await serveHttp((asked) => {
      const now = performance.now();
      // Until the client hears of it, other requests are in flight, on a busy machine more than a few; without a bound
      // there would be hundreds.
      if (refusedAt > 0 && now - refusedAt < waitedMs && ++early > 20)
        problems.push(`a request came ${now - refusedAt} ms after another was asked to wait ${waitedMs}`);
      if (!isBusy(++count)) return asMock(mock, asked);
      refusedAt = now;
      return { status, headers };
    });
    return { url: server.url, close: server.close, problems: () => problems };
  };
};

/** Sends another `Date` with every answer, or none. */
const dated = (date: string | undefined): Living['start'] =>
  raw((wire) => {
    const { date: _, ...headers } = wire.headers;
    const length = Buffer.byteLength(wire.body);
    const more = `${date === undefined ? '' : `date: ${date}\r\n`}content-length: ${length}\r\n`;
    return `HTTP/1.1 ${head({ ...wire, headers }, more)}${wire.body}`;
  }, false);

const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toUTCString();

/** Refuses to create anything. */
const creatingNothing = (status: number): Living['start'] =>
  http((mock) => (asked) => (asked.method === 'POST' ? { status, body: '{"message":"no"}' } : asMock(mock, asked)));

const delayed =
  (ms: number, problemsOf: (served: { atOnce: number; perSecond: number; requests: number }) => readonly string[]) =>
  async (mock: Mock): Promise<Running> => {
    const server = await serveHttp(async (asked) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return asMock(mock, asked);
    });
    const perSecond = (): number => {
      const [first = 0, last = 0] = [server.arrivals[0], server.arrivals.at(-1)];
      return (server.arrivals.length - 1) / ((last - first) / 1000);
    };
    return {
      url: server.url,
      close: server.close,
      problems: () => problemsOf({ atOnce: server.atOnce(), perSecond: perSecond(), requests: server.requests() }),
    };
  };

const raw = (write: (wire: Wire) => string | Buffer, isLast: boolean): Living['start'] => {
  return async (mock) =>
    serveRaw((socket, request) => {
      const wire = asMock(mock, askedBy(request));
      socket.write(write(wire));
      if (isLast) socket.end();
    });
};

function askedBy(request: string): Asked {
  const [head = '', body = ''] = request.split('\r\n\r\n', 2);
  const [line = '', ...fields] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = fields.map((field): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(field) ?? [];
    return [name.toLowerCase(), value];
  });
  return { method, target, headers: Object.fromEntries(headers), body: Buffer.from(body, 'latin1') };
}

const head = ({ status, headers }: Wire, more: string): string =>
  `${status} Whatever\r\n${Object.entries(headers)
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}${more}\r\n`;

const ANY = `a /b?c#d%2F%"'<é日本&=+;\\…\u202e👩‍👩‍👧{}[]|^~\`${nasty.slice(0, 60)}`;
const LIMITED = /^(?:create|import)|create|import|agents-share-none|reads|workspace/;

/** Every such server. */
export const living: readonly Living[] = [
  {
    name: 'lives below a path, with a slash at the end of its URL',
    start: async (mock) => {
      const server = await serveHttp((asked) =>
        asked.target.startsWith('/deep/b%20se/api/v1/')
          ? asMock(mock, { ...asked, target: asked.target.slice('/deep/b%20se'.length) })
          : { status: 404 },
      );
      return { url: `${server.url}/deep/b%20se//`, close: server.close };
    },
  },
  {
    name: 'closes the connection after every answer',
    arguments: FEW,
    start: http((mock) => (asked) => {
      const wire = asMock(mock, asked);
      return { ...wire, headers: { ...wire.headers, connection: 'close' } };
    }),
  },
  {
    name: 'closes the connection after every answer without announcing it',
    arguments: FEW,
    start: raw(
      (wire) => `HTTP/1.1 ${head(wire, `content-length: ${Buffer.byteLength(wire.body)}\r\n`)}${wire.body}`,
      true,
    ),
  },
  {
    name: 'speaks HTTP/1.0, without any length',
    arguments: FEW,
    start: raw((wire) => `HTTP/1.0 ${head(wire, '')}${wire.body}`, true),
  },
  {
    name: 'sends 103 Early Hints first',
    arguments: FEW,
    start: raw(
      (wire) =>
        `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 ${head(wire, `content-length: ${Buffer.byteLength(wire.body)}\r\n`)}${wire.body}`,
      false,
    ),
  },
  {
    name: 'sends small chunks with extensions, and a trailer',
    arguments: FEW,
    start: raw((wire) => {
      const body = Buffer.from(wire.body).toString('latin1');
      const chunks = body.match(/[\s\S]{1,500}/g) ?? [];
      const text = chunks.map((chunk) => `${chunk.length.toString(16)};x=1\r\n${chunk}\r\n`).join('');
      return Buffer.from(
        `HTTP/1.1 ${head(wire, 'transfer-encoding: chunked\r\n')}${text}0\r\nx-trailer: 1\r\n\r\n`,
        'latin1',
      );
    }, false),
  },
  { name: 'packs its answers with gzip', arguments: FEW, start: packed('gzip', gzipSync) },
  {
    name: 'packs its answers with brotli',
    arguments: FEW,
    start: packed('br', (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  },
  { name: 'packs its answers with deflate', arguments: FEW, start: packed('deflate', deflateSync) },
  { name: 'packs its answers with bare deflate', arguments: FEW, start: packed('deflate', deflateRawSync) },
  {
    name: 'packs its answers twice',
    arguments: FEW,
    start: packed('deflate, GZIP', (body) => gzipSync(deflateSync(body))),
  },
  {
    name: 'begins its bodies with blanks',
    arguments: FEW,
    start: http((mock) => (asked) => {
      const wire = asMock(mock, asked);
      return { ...wire, headers: withoutLength(wire), body: ` \n${wire.body}\n` };
    }),
  },
  {
    name: 'has identifiers and cursors of any character',
    start: disguised(ANY),
    env: namesOf(ANY),
    formats: Object.keys(reportFormats).filter((format) => format !== 'text'),
  },
  ...[
    ['no Date', undefined],
    ['the Date yesterday', 'yesterday'],
    ['a Date of 1970', new Date(0).toUTCString()],
    ['a Date of 2001', '1'],
    ['a Date of the next century', new Date(Date.UTC(2101, 0, 1)).toUTCString()],
    ['a Date of forty days ago', inDays(-40)],
    ['a Date of twenty days ahead', inDays(20)],
  ].map(([what = '', date]): Living => ({
    name: `sends ${what}`,
    arguments: ['--only', 'list-results'],
    start: dated(date),
  })),
  { name: 'sends a Date of forty days ago, and creates things today', start: dated(inDays(-40)) },
  {
    name: 'requires its own header',
    arguments: [...FEW, '--header', 'X-Api-Key: k3y-of-the-gateway'],
    start: http(
      (mock) => (asked) =>
        asked.headers['x-api-key'] === 'k3y-of-the-gateway' ? asMock(mock, asked) : { status: 403 },
    ),
  },
  {
    name: 'answers every fifth request with 429',
    start: busy(429, { 'retry-after': '0' }, (count) => count % 5 === 0),
  },
  {
    name: 'answers one request with 429 and asks to wait a second',
    start: busy(429, { 'retry-after': '1' }, (count) => count === 9, 990),
  },
  {
    name: 'answers every seventh request with 503',
    start: busy(503, { 'retry-after': '0' }, (count) => count % 7 === 0),
  },
  {
    name: 'gets at most forty requests a second if that is requested',
    arguments: ['--rps', '40', '--only', 'get-agent,get-published-agent'],
    start: delayed(0, ({ perSecond, requests }) => [
      // The first may arrive late, so that the others seem closer together; without a limit they come by the hundred.
      ...(perSecond > 60 ? [`${perSecond} requests came in a second`] : []),
      ...(requests < 8 ? [`only ${requests} requests came`] : []),
    ]),
  },
  {
    name: 'gets at most four requests at once by default',
    start: delayed(3, ({ atOnce }) => (atOnce < 2 || atOnce > 4 ? [`${atOnce} requests came at once`] : [])),
  },
  {
    name: 'gets more requests at once if that is requested',
    arguments: ['--concurrency', '16'],
    start: delayed(3, ({ atOnce }) => (atOnce < 5 || atOnce > 16 ? [`${atOnce} requests came at once`] : [])),
  },
  {
    name: 'gets one request at a time if that is requested',
    arguments: [...FEW, '--concurrency', '1'],
    start: delayed(0, ({ atOnce }) => (atOnce > 1 ? [`${atOnce} requests came at once`] : [])),
  },
  {
    name: 'takes the token for one that may only read',
    start: http((mock) => (asked) => asMock(mock, asked)),
    env: { AGENT_CONTRACT_TOKEN: tokens.read },
    notJudged: LIMITED,
  },
  {
    name: 'takes the token for that of a guest',
    start: http((mock) => (asked) => asMock(mock, asked)),
    env: { AGENT_CONTRACT_TOKEN: tokens.guest },
    notJudged: /^(?!get-)/,
  },
  { name: 'answers 402 to every creation', start: creatingNothing(402), notJudged: LIMITED },
  { name: 'answers 403 to every creation', start: creatingNothing(403), notJudged: LIMITED },
];
