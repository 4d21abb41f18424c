import type { HttpAnswer, HttpRequest } from '../../conformance/index.ts';
import type { Permitted, PermittedServers, Wrap } from './server.ts';
import { adding, answering, closed, isHtml, jsonAnswer, jsonOf, readsAgent, refusal, refusing } from './server.ts';

const refusingCredentials = (instead: (request: HttpRequest, answer: HttpAnswer) => HttpAnswer): Wrap =>
  answering((answer, request) => (answer.status === 401 ? instead(request, answer) : answer));

function plainAnswer(status: number, headers: Record<string, string>, text = ''): HttpAnswer {
  return { status, headers, body: new TextEncoder().encode(text) };
}

const closingOn =
  (isClosed: (request: HttpRequest) => boolean): Wrap =>
  (transport) =>
  async (request, signal) => {
    if (!isClosed(request)) return transport(request, signal);
    return closed();
  };

/** After so many refusals of credentials, refuses so many requests, whatever they are. */
const locking = (after: number, requests: number, refuse: () => HttpAnswer): Permitted => ({
  wrap: (transport) => {
    let [wrong, locked] = [0, 0];
    return async (request, signal) => {
      if (locked-- > 0) return refuse();
      const answer = await transport(request, signal);
      if (answer.status === 401 && ++wrong % after === 0) locked = requests;
      return answer;
    };
  },
  notJudged: /^/,
});

const hidingAgents = (status: number): Permitted => ({
  wrap: refusing(
    status,
    (request) => readsAgent(request) && /-(?:read|guest)-token$/.test(request.headers['authorization'] ?? ''),
  ),
  notJudged: /mode|current-user/,
});

/** What a server may answer to unknown callers, or to callers with less access. */
export const credentials: PermittedServers = {
  'locks the caller out after three wrong credentials': locking(3, Infinity, () => refusal(403)),
  'locks the caller out after twenty wrong credentials, with a long wait': locking(20, Infinity, () =>
    jsonAnswer(429, { error: 'slow down' }, { 'retry-after': '3600' }),
  ),
  'locks the caller out for ten requests after every five wrong credentials': locking(5, 10, () => refusal(403)),
  'closes every connection after thirty wrong credentials': locking(30, Infinity, closed),
  'closes the connection on the first wrong credentials of each kind, and answers the next ones': (transport) => {
    const met = new Set<string>();
    return async (request, signal) => {
      const answer = await transport(request, signal);
      const key = `${request.method} ${request.headers['authorization']}`;
      if (answer.status !== 401 || met.has(key)) return answer;
      met.add(key);
      return closed();
    };
  },
  'refuses credentials with status 200 and an error body': refusingCredentials(() =>
    jsonAnswer(200, { success: false, error: 'unauthorized' }),
  ),
  'refuses credentials with a page to sign in, and status 200': refusingCredentials(() =>
    plainAnswer(200, { 'content-type': 'text/html' }, '<!doctype html><title>Sign in</title>'),
  ),
  'answers HEAD and OPTIONS to everybody, and with what a page has': (transport) => async (request, signal) => {
    if (request.method === 'OPTIONS') return plainAnswer(204, { 'access-control-allow-origin': '*' });
    if (request.method === 'HEAD') return plainAnswer(200, { etag: '"page"', 'content-length': '5120' });
    const answer = await transport(request, signal);
    if (answer.status !== 200) return answer;
    const length = String(answer.body.length);
    return { ...answer, headers: { ...answer.headers, etag: `"${length}"`, 'content-length': length } };
  },
  'closes the connection on methods that nobody documented': closingOn(
    ({ method }) => !['GET', 'POST'].includes(method),
  ),
  ...Object.fromEntries(
    [400, 426, 505].map((status) => [
      `answers ${status} to HTTP/1.0`,
      refusing(status, ({ form }) => form?.version === '1.0'),
    ]),
  ),
  'closes the connection on HTTP/1.0': closingOn(({ form }) => form?.version === '1.0'),
  'redirects to a page to sign in': refusingCredentials(() => plainAnswer(302, { location: '/login' })),
  'repeats in a refusal what was sent, and names the requested thing': refusingCredentials(({ url, body }) =>
    jsonAnswer(401, {
      error: 'unauthorized',
      agent: { id: /agents\/([^/?]+)/.exec(url)?.[1] ?? '', workspaceId: 'unknown' },
      received: JSON.parse(body ?? 'null') as unknown,
      ...(JSON.parse(body ?? '{}') as object),
    }),
  ),
  'hides refused credentials behind 404': refusingCredentials(() => refusal(404)),
  'refuses the right token at every fifteenth request': refusing(401, (_, count) => count('all') % 15 === 0),
  'sets a cookie without a meaning': adding({
    'set-cookie': 'lb=node-7; Path=/, visit=1; Expires=Wed, 20 May 2026 10:00:00 GMT',
  }),
  'shows a made-up example in its refusals': refusingCredentials(({ url }, answer) => {
    const of = /[^/]+$/.exec(new URL(url).pathname)?.[0];
    const times = { createdAt: '2024-01-01T00:00:00.000Z', updatedAt: '2024-01-01T00:00:00.000Z' };
    const agent = { id: 'example', name: 'My agent', version: '6', groups: [], edges: [], ...times };
    const result = { id: 'example', agentId: 'example', isCompleted: true, answers: [], ...times };
    const workspace = { id: 'example', name: 'My workspace', plan: 'HOBBY', slug: 'my-workspace', ...times };
    const publicAgent = { ...agent, agentId: 'example' };
    const examples = { results: { results: [result], nextCursor: null }, publishedAgent: { publicAgent } };
    const example = of === 'results' || of === 'publishedAgent' ? examples[of] : { agent, workspace };
    const told = isHtml(answer) ? {} : jsonOf(answer);
    return jsonAnswer(401, { ...told, hint: 'Send a token. An answer then looks like this.', example });
  }),
  ...Object.fromEntries(
    [400, 401, 404, 405, 406, 409, 410, 418, 422, 451].map((status) => [
      `hides agents from weaker tokens behind ${status}`,
      hidingAgents(status),
    ]),
  ),
};
