import {
  json,
  readsAgent,
  refusal,
  refusing,
  type Permitted,
  type Request,
  type Response,
  type Wrap,
} from './server.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Replaces the refusal of credentials; `undefined` leaves it. */
const refusingCredentials =
  (instead: (request: Request, answer: Response) => Response | undefined): Wrap =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    return answer.status === 401 ? (instead(request, answer) ?? answer) : answer;
  };

/** Refuses everything after this many refusals of credentials. */
const locking =
  (after: number, answer: Response): Wrap =>
  (transport) => {
    let refused = 0;
    return async (request, signal) => {
      if (refused >= after) return answer;
      const given = await transport(request, signal);
      if (given.status === 401) refused++;
      return given;
    };
  };

const isOfLess = ({ headers }: Request): boolean => /-(?:read|guest)-token$/.test(headers['authorization'] ?? '');

/** What a server may answer to unknown callers, or to callers with less access. */
export const credentials: readonly Permitted[] = [
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
    wrap: refusingCredentials(() => json(200, { success: false, error: 'unauthorized' })),
  },
  {
    does: 'refuses credentials with a page to sign in, and status 200',
    wrap: refusingCredentials(() => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: bytes('<!doctype html><title>Sign in</title>'),
    })),
  },
  {
    does: 'redirects to a page to sign in',
    wrap: refusingCredentials(() => ({ status: 302, headers: { location: '/login' }, body: bytes('') })),
  },
  {
    does: 'repeats in a refusal what was sent, and names the requested thing',
    wrap: refusingCredentials(({ url, body }) =>
      json(401, {
        error: 'unauthorized',
        agent: { id: /agents\/([^/?]+)/.exec(url)?.[1] ?? '', workspaceId: 'unknown' },
        received: body === undefined ? null : (JSON.parse(body) as unknown),
        ...(body === undefined ? {} : (JSON.parse(body) as object)),
      }),
    ),
  },
  {
    does: 'hides refused credentials behind 404',
    wrap: refusingCredentials(() => json(404, { message: 'Not found' })),
  },
  {
    does: 'closes the connection on the first wrong credentials of each kind, and answers the next ones',
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
    does: 'sets a cookie without a meaning',
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

  ...[401, 404].map((status): Permitted => ({
    does: `hides agents from weaker tokens behind ${status}`,
    wrap: refusing(status, (request) => readsAgent(request) && isOfLess(request)),
    // The mode of a caller is then not visible.
    notJudged: (id) => id.includes('mode') || id.includes('current-user'),
  })),
  {
    does: 'locks the caller out for ten requests after every five wrong credentials',
    wrap: (transport) => {
      let [wrong, closed] = [0, 0];
      return async (request, signal) => {
        if (closed > 0) {
          closed--;
          return refusal(403);
        }
        const answer = await transport(request, signal);
        if (answer.status === 401 && ++wrong % 5 === 0) closed = 10;
        return answer;
      };
    },
    notJudged: () => true,
  },
  {
    does: 'closes every connection after thirty wrong credentials',
    wrap: (transport) => {
      let wrong = 0;
      return async (request, signal) => {
        if (wrong >= 30) throw new Error('read ECONNRESET');
        const answer = await transport(request, signal);
        if (answer.status === 401) wrong++;
        return answer;
      };
    },
    notJudged: () => true,
  },
];
