import { endpoints, type EndpointId } from '../spec/index.ts';
import { TransportError, type Transport, type HttpAnswer } from '../conformance/index.ts';
import sameToAll from './degenerates.json';
import { withText } from './permitted/server.ts';

const answer = (status: number, body: string, headers: Record<string, string> = {}): HttpAnswer =>
  withText({ status, headers: { 'content-type': 'application/json', ...headers } }, body);

function always(response: HttpAnswer): Transport {
  return () => Promise.resolve(response);
}

function fails(...error: ConstructorParameters<typeof TransportError>): Transport {
  return () => Promise.reject(new TransportError(...error));
}

/** How one endpoint can be dead: what comes instead of its answers. */
export const deaths: Readonly<Record<string, Transport>> = {
  'answers 404': always(answer(404, '{}')),
  'answers 405': always(answer(405, '{}')),
  'answers 500': always(answer(500, '{}')),
  'is silent': fails('timeout', 'No answer came in time.'),
  'closes every connection': fails('reset', 'The connection was closed.'),
  'cuts its compressed answers short': fails('malformed', 'The body claims to be gzip, but cannot be unpacked.', {
    begun: { status: 200, headers: { 'content-encoding': 'gzip' } },
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

const fixed = Object.entries<{ status: number; body: string; headers?: Record<string, string> }>(sameToAll);

/** Servers that implement nothing, each in its own way; none of them may be conformant. */
export const degenerates: Readonly<Record<string, Transport>> = {
  'closes every socket': fails('reset', 'The connection was closed.'),
  'never answers': fails('timeout', 'No answer came in time.'),
  ...Object.fromEntries(
    fixed.map(([does, { status, body, headers }]) => [does, always(answer(status, body, headers))]),
  ),
  'redirects to itself for ever': (request) => Promise.resolve(answer(302, '', { location: request.url })),
  'echoes the body': (request) => Promise.resolve(answer(200, request.body ?? '{}')),
  'echoes the request': ({ method, url }) =>
    Promise.resolve(answer(200, JSON.stringify({ method, url, agent: { id: url } }))),
};
