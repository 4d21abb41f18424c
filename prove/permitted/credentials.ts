import {
  answering,
  jsonAnswer,
  readsAgent,
  refusal,
  refusing,
  type PermittedServers,
  type PermittedRequest,
  type PermittedAnswer,
  type Wrap,
} from './server.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Replaces the refusal of credentials. */
const refusingCredentials = (instead: (request: PermittedRequest, answer: PermittedAnswer) => PermittedAnswer): Wrap =>
  answering((answer, request) => (answer.status === 401 ? instead(request, answer) : answer));

/** Refuses everything after this many refusals of credentials. */
const locking =
  (after: number, answer: PermittedAnswer): Wrap =>
  (transport) => {
    let refused = 0;
    return async (request, signal) => {
      if (refused >= after) return answer;
      const given = await transport(request, signal);
      if (given.status === 401) refused++;
      return given;
    };
  };

const isOfLess = ({ headers }: PermittedRequest): boolean =>
  /-(?:read|guest)-token$/.test(headers['authorization'] ?? '');

/** What a server may answer to unknown callers, or to callers with less access. */
export const credentials: PermittedServers = {
  'locks the caller out after three wrong credentials': {
    wrap: locking(3, jsonAnswer(403, { error: 'locked' })),
    notJudged: () => true,
  },
  'locks the caller out after twenty wrong credentials, with a long wait': {
    wrap: locking(20, jsonAnswer(429, { error: 'slow down' }, { 'retry-after': '3600' })),
    notJudged: () => true,
  },
  'refuses credentials with status 200 and an error body': refusingCredentials(() =>
    jsonAnswer(200, { success: false, error: 'unauthorized' }),
  ),
  'refuses credentials with a page to sign in, and status 200': refusingCredentials(() => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: bytes('<!doctype html><title>Sign in</title>'),
  })),
  'redirects to a page to sign in': refusingCredentials(() => ({
    status: 302,
    headers: { location: '/login' },
    body: bytes(''),
  })),
  'repeats in a refusal what was sent, and names the requested thing': refusingCredentials(({ url, body }) =>
    jsonAnswer(401, {
      error: 'unauthorized',
      agent: { id: /agents\/([^/?]+)/.exec(url)?.[1] ?? '', workspaceId: 'unknown' },
      received: JSON.parse(body ?? 'null') as unknown,
      ...(JSON.parse(body ?? '{}') as object),
    }),
  ),
  'hides refused credentials behind 404': refusingCredentials(() => jsonAnswer(404, { message: 'Not found' })),
  'closes the connection on the first wrong credentials of each kind, and answers the next ones': (transport) => {
    const met = new Set<string>();
    return async (request, signal) => {
      const answer = await transport(request, signal);
      const key = `${request.method} ${request.headers['authorization']}`;
      if (answer.status !== 401 || met.has(key)) return answer;
      met.add(key);
      throw new Error('socket hang up');
    };
  },
  'sets a cookie without a meaning': answering((answer) => ({
    ...answer,
    headers: {
      ...answer.headers,
      'set-cookie': 'lb=node-7; Path=/, visit=1; Expires=Wed, 20 May 2026 10:00:00 GMT',
    },
  })),
  ...Object.fromEntries(
    [401, 404].map((status) => [
      `hides agents from weaker tokens behind ${status}`,
      {
        wrap: refusing(status, (request) => readsAgent(request) && isOfLess(request)),
        notJudged: (id) => id.includes('mode') || id.includes('current-user'),
      },
    ]),
  ),
  'locks the caller out for ten requests after every five wrong credentials': {
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
  'closes every connection after thirty wrong credentials': {
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
};
