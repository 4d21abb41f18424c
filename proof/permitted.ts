import type { Transport } from '../conformance/index.ts';

type Request = Parameters<Transport>[0];
type Response = Awaited<ReturnType<Transport>>;

/** A server that a reasonable reader calls compliant, made from another by what lies between. */
export interface Permitted {
  /** Follows "a server that". */
  readonly does: string;
  readonly wrap: (transport: Transport) => Transport;
  /** Whether a check may say that it cannot judge it. None may fail. */
  readonly notJudged?: (checkId: string) => boolean;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = ({ body }: Response): string => new TextDecoder().decode(body);
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: bytes(JSON.stringify(body)),
});

/** Another answer to what is refused for its credentials; `undefined` leaves the answer as it is. */
const refusing =
  (instead: (request: Request, answer: Response) => Response | undefined): Permitted['wrap'] =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    return answer.status === 401 ? (instead(request, answer) ?? answer) : answer;
  };

/** Refuses everything once so many requests were refused for their credentials. */
const locking =
  (after: number, refusal: Response): Permitted['wrap'] =>
  (transport) => {
    let refused = 0;
    return async (request, signal) => {
      if (refused >= after) return refusal;
      const answer = await transport(request, signal);
      if (answer.status === 401) refused++;
      return answer;
    };
  };

/** Changes the text of accepted answers. */
const written =
  (change: (text: string) => string): Permitted['wrap'] =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    return answer.status < 300 ? { ...answer, body: bytes(change(textOf(answer))) } : answer;
  };

/** What a compliant server may do that has blamed one, or may. Nothing fails on any of them. */
export const permitted: readonly Permitted[] = [
  {
    does: 'locks the caller out after three wrong credentials',
    wrap: locking(3, json(403, { error: 'locked' })),
    notJudged: () => true,
  },
  {
    does: 'locks the caller out after twenty wrong credentials, with a long wait',
    wrap: locking(20, json(429, { error: 'slow down' }, { 'retry-after': '3600' })),
    notJudged: () => true,
  },
  {
    does: 'refuses credentials with status 200 and an error body',
    wrap: refusing(() => json(200, { success: false, error: 'unauthorized' })),
  },
  {
    does: 'refuses credentials with a page to sign in, and status 200',
    wrap: refusing(() => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: bytes('<!doctype html><title>Sign in</title>'),
    })),
  },
  {
    does: 'redirects to a page to sign in',
    wrap: refusing(() => ({ status: 302, headers: { location: '/login' }, body: bytes('') })),
  },
  {
    does: 'repeats in a refusal what it was sent, and names what it is about',
    wrap: refusing(({ url, body }) =>
      json(401, {
        error: 'unauthorized',
        agent: { id: /agents\/([^/?]+)/.exec(url)?.[1] ?? '', workspaceId: 'unknown' },
        received: body === undefined ? null : (JSON.parse(body) as unknown),
        ...(body === undefined ? {} : (JSON.parse(body) as object)),
      }),
    ),
  },
  {
    does: 'hides refusals for credentials behind 404',
    wrap: refusing(() => json(404, { message: 'Not found' })),
  },
  {
    does: 'closes the connection on the first wrong credentials of each kind, and answers the next',
    wrap: (transport) => {
      const met = new Set<string>();
      return async (request, signal) => {
        const answer = await transport(request, signal);
        const key = `${request.method} ${request.headers['authorization']}`;
        if (answer.status !== 401 || met.has(key)) return answer;
        met.add(key);
        throw new Error('socket hang up');
      };
    },
  },
  {
    does: 'sets a cookie that stands for nothing',
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      return {
        ...answer,
        headers: {
          ...answer.headers,
          'set-cookie': 'lb=node-7; Path=/, visit=1; Expires=Wed, 20 May 2026 10:00:00 GMT',
        },
      };
    },
  },
  {
    does: 'gives public ids and slugs of its own',
    wrap: written((text) => text.replace(/"(publicId|slug)":"([^"]*)"/g, '"$1":"own-$2"')),
  },
  { does: 'writes every character beyond ASCII as an escape', wrap: written(escaped) },
  { does: 'writes spaces and line feeds around its JSON', wrap: written((text) => `\r\n  ${text}\n\n`) },
  { does: 'repeats a name within an object', wrap: written((text) => text.replace(/^\{/, '{"_v":1,"_v":2,')) },
  {
    does: 'declares its answers as plain text',
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      return { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } };
    },
  },
];

function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
