import type { EndpointId } from '../../spec/index.ts';
import type { PlanRequest } from '../on-demand/plans.ts';
import type { StandingAnswer } from '../on-demand/standing.ts';
import type { Session } from '../session/session.ts';
import { json, member, noneOf, object, routesOf } from './admin-route.ts';
import { connectionFaults } from '../wire/broken-connections.ts';

function shown(session: Session): object {
  const { agents, workspaces } = session.store.created();
  return {
    id: session.id,
    now: new Date(session.clock.now()).toISOString(),
    frozen: session.clock.isFrozen,
    faults: session.faults,
    requests: session.journal.count(),
    created: agents.length + workspaces.length,
  };
}

const answer = {
  code: { type: 'integer', minimum: 200, maximum: 599 },
  example: { type: 'string' },
  dynamic: { type: 'boolean' },
  seed: { type: 'string' },
  delay: { type: 'integer', minimum: 0, description: 'Milliseconds.' },
  fault: {
    type: 'string',
    description: `The id of a violation, or a broken connection: ${connectionFaults.join(', ')}.`,
  },
  rate: { type: 'integer', minimum: 1, description: 'Bytes of the body per second.' },
  retryAfter: { type: 'integer', minimum: 0, description: 'Seconds in retry-after.' },
};
const match = object({
  agentId: { type: 'string', title: 'Only for the agent' },
  page: { enum: ['first', 'later'], title: 'Only for the page', description: 'Of a list: without or with a cursor.' },
  header: { type: 'string', title: 'Only with the header', description: 'A name, or "name: value".' },
});
const standingAnswer = object({ ...answer, match }, [], { minProperties: 1 });
const step = object({
  ...answer,
  times: { type: 'integer', minimum: 1, description: 'How many requests this step answers (default: 1).' },
});

/** Most characters of a state in one answer. */
const MOST_OF_STATE = 100_000_000;

export const sessionRoutes = routesOf('Sessions', {
  listSessions: {
    on: 'GET /sessions',
    summary: 'List the sessions in use, and how many ended unasked; that of requests without one has an empty id',
    run: ({ mock }) => json({ sessions: [mock, ...mock.sessions.list()].map(shown), ended: mock.room.ended }),
  },
  createSession: {
    on: 'POST /sessions',
    summary: 'Create a session, at its beginning or as a copy of another',
    body: object({ id: { type: 'string' }, from: { type: 'string', description: 'The id of the session to copy.' } }, [
      'id',
    ]),
    run: ({ mock, body }) => {
      const id = member<string>(body, 'id');
      const from = member<string | undefined>(body, 'from');
      if (from === undefined) return json(shown(mock.session(id)), 201);
      if (from !== '' && !mock.sessions.has(from)) return noneOf('session', from, mock.sessions.list());
      return json(shown(mock.sessions.fork(id, mock.session(from).state())), 201);
    },
  },
  endSession: {
    on: 'DELETE /sessions/{sessionId}',
    summary: 'End a session and forget everything in it',
    run: ({ mock, parameters }) => {
      const id = parameters['sessionId'] ?? '';
      if (mock.sessions.end(id)) return json({ id, status: 'ended' });
      return noneOf('session', id, mock.sessions.list());
    },
  },
});

export const snapshotRoutes = routesOf('Snapshots', {
  listSnapshots: {
    on: 'GET /snapshots',
    summary: 'List the names of the snapshots, oldest first',
    run: ({ session }) => json({ snapshots: session.snapshots }),
  },
  takeSnapshot: {
    on: 'PUT /snapshots/{name}',
    summary: 'Save data and clock under a name',
    run: ({ session, parameters }) => {
      session.takeSnapshot(parameters['name'] ?? '');
      return json({ snapshots: session.snapshots }, 201);
    },
  },
  deleteSnapshot: {
    on: 'DELETE /snapshots/{name}',
    summary: 'Forget a snapshot',
    run: ({ session, parameters }) => {
      if (session.deleteSnapshot(parameters['name'] ?? '')) return json({ snapshots: session.snapshots });
      return noneOf('snapshot', parameters['name'] ?? '', session.snapshots);
    },
  },
  restoreSnapshot: {
    on: 'POST /snapshots/{name}/restore',
    summary: 'Restore data and clock from a snapshot',
    run: ({ session, parameters }) => {
      const { name = '' } = parameters;
      if (!session.snapshots.includes(name)) return noneOf('snapshot', name, session.snapshots);
      session.restoreSnapshot(name);
      return json({ status: 'restored', now: new Date(session.clock.now()).toISOString() });
    },
  },
  diffSnapshot: {
    on: 'GET /snapshots/{name}/diff',
    summary: 'Show the changes from one snapshot to another, or to the present, as JSON Patch',
    query: { to: 'The name of the other snapshot (default: the present state).' },
    run: ({ session, parameters, query }) => {
      const { name = '' } = parameters;
      if (session.snapshots.includes(name)) return json(session.diff(name, query.get('to') ?? undefined));
      return noneOf('snapshot', name, session.snapshots);
    },
  },
  getState: {
    on: 'GET /state',
    summary: 'Show all data of every session, as --state keeps it in its file',
    run: ({ mock }) => {
      if (mock.room.held <= MOST_OF_STATE) return json(mock.exportState());
      return json(
        {
          error: `The state holds more than ${MOST_OF_STATE} characters, which is too much for one answer. Keep it in a file with --state, or end sessions that you no longer need.`,
        },
        413,
      );
    },
  },
});

export const standingRoutes = routesOf('Standing answers', {
  listStanding: {
    on: 'GET /standing',
    summary: 'List the endpoints with a standing answer',
    run: ({ session }) => json({ standing: session.standing.list() }),
  },
  setStanding: {
    on: 'PUT /standing/{endpoint}',
    summary: 'Answer every request to an endpoint, or to "every", like this from now on',
    body: standingAnswer,
    run: ({ session, parameters, body }) => {
      const { match: wanted, ...rest } = body as unknown as StandingAnswer['answer'] & Pick<StandingAnswer, 'match'>;
      session.standing.set((parameters['endpoint'] ?? '') as EndpointId, rest, wanted);
      return json({ standing: session.standing.list() });
    },
  },
  removeStanding: {
    on: 'DELETE /standing/{endpoint}',
    summary: 'Answer an endpoint, or "every", as usual again',
    run: ({ session, parameters }) => {
      const on = parameters['endpoint'] ?? '';
      if (session.standing.remove(on as EndpointId)) return json({ standing: session.standing.list() });
      const others = session.standing.list().map((one) => one.on);
      return noneOf('standing answer for', on, others);
    },
  },
  clearStanding: {
    on: 'DELETE /standing',
    summary: 'Answer all endpoints as usual again',
    run: ({ session }) => {
      session.standing.clear();
      return json({ standing: [] });
    },
  },
});

export const planRoutes = routesOf('Plans', {
  listPlans: {
    on: 'GET /plans',
    summary: 'List the plans, and the requests that they answered',
    run: ({ session }) => json({ plans: session.plans.list() }),
  },
  addPlan: {
    on: 'POST /plans',
    summary: 'Answer the next requests as the steps say, one after another',
    body: object(
      {
        on: { type: 'string', description: 'The id of an endpoint, or "every".' },
        match,
        steps: { type: 'array', minItems: 1, maxItems: 1000, items: step },
      },
      ['on', 'steps'],
    ),
    run: ({ session, body }) => json(session.plans.add(body as unknown as PlanRequest), 201),
  },
  clearPlans: {
    on: 'DELETE /plans',
    summary: 'Forget all plans',
    run: ({ session }) => {
      session.plans.clear();
      return json({ plans: [] });
    },
  },
  deletePlan: {
    on: 'DELETE /plans/{planId}',
    summary: 'Forget a plan',
    run: ({ session, parameters }) => {
      const { planId = '' } = parameters;
      if (session.plans.remove(planId)) return json({ plans: session.plans.list() });
      return noneOf('plan', planId, session.plans.list());
    },
  },
});
