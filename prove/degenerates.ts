import { endpoints, type EndpointId } from '../spec/index.ts';
import { TransportError, type Transport, type HttpAnswer } from '../conformance/index.ts';

const answer = (status: number, body: string, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: new TextEncoder().encode(body),
});

const always =
  (response: HttpAnswer): Transport =>
  () =>
    Promise.resolve(response);

const fails =
  (
    kind: 'reset' | 'timeout' | 'malformed',
    message: string,
    begun?: Pick<HttpAnswer, 'status' | 'headers'>,
  ): Transport =>
  () =>
    Promise.reject(new TransportError(kind, message, { begun }));

/** How one endpoint can be dead: what comes instead of its answers. */
export const deaths: Readonly<Record<string, Transport>> = {
  'answers 404': always(answer(404, '{}')),
  'answers 405': always(answer(405, '{}')),
  'answers 500': always(answer(500, '{}')),
  'is silent': fails('timeout', 'No answer came in time.'),
  'closes every connection': fails('reset', 'The connection was closed.'),
  'cuts its compressed answers short': fails('malformed', 'The body claims to be gzip, but cannot be unpacked.', {
    status: 200,
    headers: { 'content-encoding': 'gzip' },
  }),
};

/** A server one of whose endpoints is dead to callers with a token. */
export const deadAt =
  (endpoint: EndpointId, death: string) =>
  (transport: Transport): Transport =>
  (request, signal) => {
    const path = new RegExp(`${endpoints[endpoint].path.replace('{agentId}', '(?!import$)[^/]+')}$`);
    const isDead = request.method === endpoints[endpoint].method && path.test(new URL(request.url).pathname);
    return ((isDead ? deaths[death] : undefined) ?? transport)(request, signal);
  };

const loginPage = '<!doctype html><html><title>Log in</title><form action="/login"></form></html>';

/** Servers that implement nothing, each in its own way; none of them may be conformant. */
export const degenerates: Readonly<Record<string, Transport>> = {
  'closes every socket': fails('reset', 'The connection was closed.'),
  'never answers': fails('timeout', 'No answer came in time.'),
  'answers 200 {} to all': always(answer(200, '{}')),
  'answers 200 with an empty body to all': always(answer(200, '')),
  'answers 200 null to all': always(answer(200, 'null')),
  'answers 201 [] to all': always(answer(201, '[]')),
  'answers 204 to all': always(answer(204, '')),
  'answers 401 to all': always(answer(401, '{}')),
  'answers 403 to all': always(answer(403, '{}')),
  'answers 404 to all': always(answer(404, '{}')),
  'answers 500 to all': always(answer(500, '{}')),
  'answers 429 for ever': always(answer(429, '{}', { 'retry-after': '1' })),
  'answers 503 for ever': always(answer(503, '')),
  'redirects to itself for ever': (request) => Promise.resolve(answer(302, '', { location: request.url })),
  'shows a login page': always(answer(200, loginPage, { 'content-type': 'text/html' })),
  'redirects to a login page': always(answer(302, '', { location: 'https://login.example/' })),
  'echoes the body': (request) => Promise.resolve(answer(200, request.body ?? '{}')),
  'echoes the request': (request) =>
    Promise.resolve(
      answer(200, JSON.stringify({ method: request.method, url: request.url, agent: { id: request.url } })),
    ),
  'answers every list with the same empty page': always(
    answer(200, JSON.stringify({ results: [], nextCursor: null, agent: { id: 'a' }, currentUserMode: 'read' })),
  ),
};
