import type { EndpointId } from '../../spec/index.ts';
import type { PlanRequest } from '../on-demand/plans.ts';
import type { StandingAnswer } from '../on-demand/standing.ts';
import type { Session } from '../session/session.ts';
import { json, member, noneOf, showing, shows, type Handlers } from './admin-route.ts';

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

const snapshots = showing(({ session }) => ({ snapshots: session.snapshots.list() }));
const standing = showing(({ session }) => ({ standing: session.standing.list() }));
const plans = showing(({ session }) => ({ plans: session.plans.list() }));

/** Most characters of a state in one answer. */
const MOST_OF_STATE = 100_000_000;

/** Sessions, and what each holds besides its data: snapshots, standing answers and plans. */
export const sessionHandlers = {
  listSessions: shows(({ mock }) => ({ sessions: [mock, ...mock.sessions.list()].map(shown), ended: mock.room.ended })),
  createSession({ mock, body }) {
    const id = member<string>(body, 'id');
    const from = member<string | undefined>(body, 'from');
    if (from === undefined) return json(shown(mock.session(id)), 201);
    if (from !== '' && !mock.sessions.has(from)) return noneOf('session', from, mock.sessions.list());
    return json(shown(mock.sessions.fork(id, mock.session(from).state())), 201);
  },
  endSession({ mock, parameters: { sessionId: id = '' } }) {
    mock.sessions.end(id);
    return json({ id, status: 'ended' });
  },

  listSnapshots: snapshots(),
  takeSnapshot: snapshots(({ session, parameters: { name = '' } }) => session.snapshots.take(name), 201),
  deleteSnapshot: snapshots(({ session, parameters: { name = '' } }) => session.snapshots.remove(name)),
  restoreSnapshot({ session, parameters: { name = '' } }) {
    session.snapshots.restore(name);
    return json({ status: 'restored', now: new Date(session.clock.now()).toISOString() });
  },
  diffSnapshot: ({ session, parameters: { name = '' }, query }) =>
    json(session.snapshots.diff(name, query.get('to') ?? undefined)),
  getState({ mock }) {
    if (mock.room.held <= MOST_OF_STATE) return json(mock.exportState());
    const error = `The state holds more than ${MOST_OF_STATE} characters, which is too much for one answer. Keep it in a file with --state, or end sessions that you no longer need.`;
    return json({ error }, 413);
  },

  listStanding: standing(),
  setStanding: standing(({ session, parameters: { endpoint = '' }, body }) => {
    const { match, ...answer } = body as unknown as StandingAnswer['answer'] & Pick<StandingAnswer, 'match'>;
    session.standing.set(endpoint as EndpointId, answer, match);
  }),
  removeStanding({ session, parameters: { endpoint = '' } }) {
    if (session.standing.remove(endpoint as EndpointId)) return json({ standing: session.standing.list() });
    return noneOf(
      'standing answer for',
      endpoint,
      session.standing.list().map((one) => one.on),
    );
  },
  clearStanding: standing(({ session }) => session.standing.clear()),

  listPlans: plans(),
  addPlan: shows(({ session, body }) => session.plans.add(body as unknown as PlanRequest), 201),
  clearPlans: plans(({ session }) => session.plans.clear()),
  deletePlan: plans(({ session, parameters: { planId = '' } }) => session.plans.remove(planId)),
} satisfies Partial<Handlers>;
