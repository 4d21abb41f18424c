import type { Session } from '../session/session.ts';
import { ways, type Way } from '../upstream/options.ts';
import { json, member, notFound, object, routesOf, type AdminAnswer } from './admin-route.ts';

const NONE =
  'This mock has no upstream. Start it with --upstream <url>, or createMock({ upstream: { url } }), to let a real server answer what the mock does not.';

/** Answers about the upstream of a session, or that there is none. */
const withUpstream = (
  { upstream }: Session,
  answer: (upstream: NonNullable<Session['upstream']>) => AdminAnswer | void,
): AdminAnswer => {
  if (upstream === undefined) return notFound(NONE);
  return answer(upstream) ?? json({ url: upstream.url, ways: upstream.ways });
};

const way = {
  type: 'string',
  enum: ways,
  description:
    'The mock always answers about ids that it made. About all others: upstream: the upstream. fallback: the same, and the mock ' +
    'where the upstream lacks the route or cannot be reached. mock: the mock.',
};

/** Who answers each endpoint: the mock or its upstream. */
export const upstreamRoutes = routesOf('Upstream', {
  getUpstream: {
    on: 'GET /upstream',
    summary: 'Show where the upstream is, and who answers each endpoint',
    run: ({ session }) => withUpstream(session, () => undefined),
  },
  setWay: {
    on: 'PUT /upstream/{endpoint}',
    summary: 'Change who answers an endpoint, a section, or "every" endpoint: upstream, fallback or mock',
    body: object({ way }, ['way']),
    run: ({ session, parameters, body }) =>
      withUpstream(session, (upstream) => upstream.set(parameters['endpoint'] ?? '', member<Way>(body, 'way'))),
  },
  resetWay: {
    on: 'DELETE /upstream/{endpoint}',
    summary: 'Let an endpoint, a section, or "every" endpoint be answered as at the start of the mock',
    run: ({ session, parameters }) => withUpstream(session, (upstream) => upstream.reset(parameters['endpoint'] ?? '')),
  },
});
