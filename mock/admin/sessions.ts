import type { EndpointId } from '../../spec/index.ts';
import type { PlanRequest } from '../on-demand/plans.ts';
import type { StandingAnswer } from '../on-demand/standing.ts';
import type { Session } from '../session/session.ts';
import { json, member, noneOf, type Handlers } from './admin-route.ts';

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

/** Most characters of a state in one answer. */
const MOST_OF_STATE = 100_000_000;

/** Sessions, and what each holds besides its data: snapshots, standing answers and plans. */
export const sessionHandlers = {
  listSessions: ({ mock }) => json({ sessions: [mock, ...mock.sessions.list()].map(shown), ended: mock.room.ended }),
  createSession({ mock, body }) {
    const id = member<string>(body, 'id');
    const from = member<string | undefined>(body, 'from');
    if (from === undefined) return json(shown(mock.session(id)), 201);
    if (from !== '' && !mock.sessions.has(from)) return noneOf('session', from, mock.sessions.list());
    return json(shown(mock.sessions.fork(id, mock.session(from).state())), 201);
  },
  endSession({ mock, parameters: { sessionId: id = '' } }) {
    if (mock.sessions.end(id)) return json({ id, status: 'ended' });
    return noneOf('session', id, mock.sessions.list());
  },

  listSnapshots: ({ session }) => json({ snapshots: session.snapshots }),
  takeSnapshot({ session, parameters: { name = '' } }) {
    session.takeSnapshot(name);
    return json({ snapshots: session.snapshots }, 201);
  },
  deleteSnapshot({ session, parameters: { name = '' } }) {
    if (session.deleteSnapshot(name)) return json({ snapshots: session.snapshots });
    return noneOf('snapshot', name, session.snapshots);
  },
  restoreSnapshot({ session, parameters: { name = '' } }) {
    if (!session.snapshots.includes(name)) return noneOf('snapshot', name, session.snapshots);
    session.restoreSnapshot(name);
    return json({ status: 'restored', now: new Date(session.clock.now()).toISOString() });
  },
  diffSnapshot({ session, parameters: { name = '' }, query }) {
    if (session.snapshots.includes(name)) return json(session.diff(name, query.get('to') ?? undefined));
    return noneOf('snapshot', name, session.snapshots);
  },
  getState({ mock }) {
    if (mock.room.held <= MOST_OF_STATE) return json(mock.exportState());
    const error = `The state holds more than ${MOST_OF_STATE} characters, which is too much for one answer. Keep it in a file with --state, or end sessions that you no longer need.`;
    return json({ error }, 413);
  },

  listStanding: ({ session }) => json({ standing: session.standing.list() }),
  setStanding({ session, parameters: { endpoint = '' }, body }) {
    const { match, ...answer } = body as unknown as StandingAnswer['answer'] & Pick<StandingAnswer, 'match'>;
    session.standing.set(endpoint as EndpointId, answer, match);
    return json({ standing: session.standing.list() });
  },
  removeStanding({ session: { standing }, parameters: { endpoint = '' } }) {
    if (standing.remove(endpoint as EndpointId)) return json({ standing: standing.list() });
    const others = standing.list().map((one) => one.on);
    return noneOf('standing answer for', endpoint, others);
  },
  clearStanding({ session }) {
    session.standing.clear();
    return json({ standing: [] });
  },

  listPlans: ({ session }) => json({ plans: session.plans.list() }),
  addPlan: ({ session, body }) => json(session.plans.add(body as unknown as PlanRequest), 201),
  clearPlans({ session }) {
    session.plans.clear();
    return json({ plans: [] });
  },
  deletePlan({ session: { plans }, parameters: { planId = '' } }) {
    if (plans.remove(planId)) return json({ plans: plans.list() });
    return noneOf('plan', planId, plans.list());
  },
} satisfies Partial<Handlers>;
