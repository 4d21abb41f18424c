import { setImmediate } from 'node:timers/promises';
import { grouping, oncePer, valueFor } from '../conformance/collections.ts';
import { gapIds, type EndpointId } from '../spec/index.ts';
import { createCaches, createCore, type Caches } from '../mock/index.ts';
import type { MetExchange, MockBeginning, Steering } from '../mock/index.ts';
import { TELLING } from '../mock/steering/telling.ts';
import { sessionsFromJson } from '../mock/state/state.ts';
import type { Wire } from '../mock/wire/wire.ts';

/** The exchanges of one session in the first run. */
export interface RecordedSession {
  readonly began: MockBeginning;
  readonly exchanges: readonly MetExchange[];
  /** Those of the sessions just like it, itself among them. */
  readonly alike: (readonly MetExchange[])[];
  readonly endpoints: ReadonlySet<EndpointId>;
}

/** An answer of a twin; `undefined` if no twin can give it. */
export type TwinAnswer = Pick<Wire, 'status' | 'body' | 'encoding'> & Readonly<Record<'type' | 'warnings', string>>;

export type Twins = ReturnType<typeof createTwins>;
export type AnswerDifference = ReturnType<Twins['differences']>[number];

/** More exchanges of one session than this are not answered again. */
const MOST_OF_SESSION = 300;

/** Answers recorded requests again, those that `isAsked` or all, as mocks in this process do that are steered otherwise. */
export function createTwins(exchanges: readonly MetExchange[], isAsked: (met: MetExchange) => boolean = () => true) {
  const caches = createCaches();
  const sessions = sessionsOf(exchanges, isAsked);
  const plainly = oncePer((session: RecordedSession) => answered(session, {}, caches));
  const answers = (session: RecordedSession, steering?: Steering) =>
    steering ? answered(session, steering, caches) : plainly(session);
  return {
    sessions,
    /** What a session was answered, or would be. */
    answers,
    /** The answers that differ under a steering: of these endpoints, or of all. */
    differences: (steering: Steering, at?: readonly EndpointId[]) =>
      sessions
        .filter(({ endpoints }) => !at || at.some((endpoint) => endpoints.has(endpoint)))
        .flatMap((session) => {
          const before = plainly(session);
          return answers(session, steering).flatMap((is, index) => {
            const was = before[index];
            if (!was || !is || (was.status === is.status && was.type === is.type && was.body === is.body)) return [];
            return session.alike.flatMap((copy) =>
              copy.slice(index, index + 1).map((exchange) => ({ exchange, was, is })),
            );
          });
        }),
  };
}

/** Looks at one after the other. In between this process answers tests that run meanwhile, and hears that the user stops it. */
export async function oneByOne<T, R>(items: readonly T[], look: (item: T) => R): Promise<readonly R[]> {
  const seen: R[] = [];
  for (const item of items) {
    await setImmediate();
    seen.push(look(item));
  }
  return seen;
}

/** Equal sessions, as of tests that begin alike, are answered once. */
function sessionsOf(exchanges: readonly MetExchange[], isAsked: (met: MetExchange) => boolean) {
  const began = new Map(exchanges.flatMap((one) => (one.began ? [[one.mock, one.began] as const] : [])));
  const groups = grouping(exchanges.filter(isAsked), ({ mock, session }) => `${mock}\n${session}`);
  const distinct = new Map<string, RecordedSession>();
  for (const all of groups.values()) {
    const beginning = began.get(all[0]?.mock ?? '');
    if (!beginning) continue;
    const some = all.slice(0, MOST_OF_SESSION);
    const mark = JSON.stringify(
      some.map(({ request: { method, target, body, headers }, status, state }) => [
        [method, target, body, headers['authorization'], headers['prefer'], status],
        state?.sessions['']?.data,
      ]),
    );
    const endpoints = new Set(some.flatMap(({ endpoint }) => endpoint ?? []));
    valueFor(distinct, mark, () => ({ began: beginning, exchanges: some, alike: [], endpoints })).alike.push(some);
  }
  return [...distinct.values()];
}

function answered(
  { began, exchanges }: RecordedSession,
  { choices, faults }: Steering,
  caches: Caches,
): readonly (TwinAnswer | undefined)[] {
  const { held, anchor: now, ...options } = began;
  const free = Object.entries(choices ?? {}).filter(([gap]) => !held.some((one) => one === gap));
  const steering = { choices: Object.fromEntries(free) as Steering['choices'], faults };
  const twin = createCore({ ...options, now, frozen: true, caches, steering, validate: true });
  return exchanges.map(({ request, at, state, prepared, test, file }) => {
    if (state) {
      const { '': found } = sessionsFromJson(state.sessions);
      // What a test has chosen itself stays chosen.
      const own = gapIds.filter((gap) => found?.profile[gap] !== began.profile[gap]);
      const kept = Object.fromEntries(own.map((gap) => [gap, found?.profile[gap]]));
      if (found) twin.restore({ ...found, profile: { ...found.profile, ...steering.choices, ...kept } });
    }
    twin.clock.freeze(at);
    const body = request.body === undefined ? undefined : Buffer.from(request.body, 'latin1');
    const headers = { ...request.headers, [TELLING]: JSON.stringify({ test, file }) };
    const wire = twin.handle({ ...request, headers, body });
    if (prepared !== undefined || wire.delivery?.connection !== undefined) return undefined;
    const { 'content-type': type = '', 'sl-violations': warnings = '' } = wire.headers;
    return { status: wire.status, type, warnings, body: wire.body, encoding: wire.encoding };
  });
}
