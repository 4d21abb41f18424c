import { Duration } from 'luxon';
import type { Profile } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import type { ProfileChoice } from '../profiles/index.ts';
import { parseInstant, type Clock } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import type { Latency, RateLimit, Settings } from '../session/settings.ts';
import { unseenFaults } from '../session/unseen-faults.ts';
import type { World } from '../store/world.ts';
import type { Way } from '../upstream/options.ts';
import { json, member, notFound, type AdminAnswer, type AdminCall, type Handlers } from './admin-route.ts';

type Run = Handlers['getHealth'];

/** How the session answers: its data, profile, faults, latency, rate limit and clock, and who answers in its place. */
export const behaviourHandlers = {
  setWorld({ session, body }) {
    session.setWorld(body as unknown as Partial<World>);
    return json(session.world);
  },
  getProfile: ({ session }) => json(session.profile),
  setProfile({ session, body }) {
    session.setProfile(
      member<ProfileChoice | undefined>(body, 'profile') ?? session.profile,
      member<Partial<Profile> | undefined>(body, 'choices'),
    );
    return json(session.profile);
  },
  getFaults: ({ session }) => shownFaults(session),
  setFaults({ session, body }) {
    session.setFaults(member<string[]>(body, 'faults'));
    return shownFaults(session);
  },
  clearFaults({ session }) {
    session.setFaults([]);
    return shownFaults(session);
  },
  getSettings: ({ session }) => shownSettings(session),
  setSettings,
  updateSettings: setSettings,
  getClock: changeClock(() => undefined),
  freezeClock: changeClock((clock, body) => {
    const at = member<string | undefined>(body, 'at');
    clock.freeze(at === undefined ? undefined : readInstant(at));
  }),
  setClock: changeClock((clock, body) => clock.set(readInstant(member<string>(body, 'at')))),
  advanceClock: changeClock((clock, body) => clock.advance(readSpan(member<string | number>(body, 'by')))),
  resumeClock: changeClock((clock) => clock.resume()),
  getUpstream: withUpstream(() => undefined),
  setWay: withUpstream((upstream, on, body) => upstream.set(on, member<Way>(body, 'way'))),
  resetWay: withUpstream((upstream, on) => upstream.reset(on)),
} satisfies Partial<Handlers>;

function shownFaults(session: Session): AdminAnswer {
  const notes = unseenFaults(session);
  return json({ faults: session.faults, notes: notes.length === 0 ? undefined : notes });
}

function shownSettings({ settings: { latency, rateLimit } }: Session): AdminAnswer {
  const isFixed = latency?.type === 'fixed';
  return json({
    fixedDelay: isFixed ? latency.milliseconds : null,
    delayDistribution: isFixed ? null : (latency ?? null),
    rateLimit: rateLimit ?? null,
  });
}

function setSettings({ session, body }: AdminCall): AdminAnswer {
  const { fixedDelay, delayDistribution, rateLimit } = body as JsonObject;
  const settings: { -readonly [member in keyof Settings]: Settings[member] } = {};
  if (fixedDelay === null || delayDistribution === null) settings.latency = undefined;
  if (delayDistribution) settings.latency = delayDistribution as unknown as Latency;
  if (typeof fixedDelay === 'number') settings.latency = { type: 'fixed', milliseconds: fixedDelay };
  if (rateLimit !== undefined) settings.rateLimit = (rateLimit ?? undefined) as RateLimit | undefined;
  session.setSettings(settings);
  return shownSettings(session);
}

function changeClock(change: (clock: Clock, body: Json) => void): Run {
  return ({ session: { clock }, body }) => {
    change(clock, body);
    return json({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen });
  };
}

function readInstant(text: string): number {
  const at = parseInstant(text);
  if (Number.isNaN(at))
    throw new MockError(
      `at is ${JSON.stringify(text.slice(0, 60))}; it must be an instant such as 2026-05-20T15:30:00Z.`,
    );
  return at;
}

function readSpan(by: string | number): number {
  const span = typeof by === 'number' ? by : Duration.fromISO(by).toMillis();
  if (!Number.isFinite(span))
    throw new MockError(`by is ${JSON.stringify(by)}; it must be milliseconds or an ISO 8601 duration such as P1D.`);
  return span;
}

/** Changes who answers an endpoint, and then shows who answers each; or says that there is no upstream. */
function withUpstream(change: (upstream: NonNullable<Session['upstream']>, on: string, body: Json) => void): Run {
  return ({ session: { upstream }, parameters, body }) => {
    if (upstream === undefined) return notFound(NO_UPSTREAM);
    change(upstream, parameters['endpoint'] ?? '', body);
    return json({ url: upstream.url, ways: upstream.ways });
  };
}

const NO_UPSTREAM =
  'This mock has no upstream. Start it with --upstream <url>, or createMock({ upstream: { url } }), to let a real server answer what the mock does not.';
