import { Duration } from 'luxon';
import type { Profile } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import type { ProfileChoice } from '../profiles/index.ts';
import { parseInstant } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import type { Latency, RateLimit, Settings } from '../session/settings.ts';
import { unseenFaults } from '../session/unseen-faults.ts';
import type { World } from '../store/world.ts';
import type { Way } from '../upstream/options.ts';
import { json, member, showing, type AdminAnswer, type AdminCall, type Handlers } from './admin-route.ts';

const faults = showing(({ session }) => {
  const notes = unseenFaults(session);
  return { faults: session.faults, notes: notes.length === 0 ? undefined : notes };
});

const profile = showing(({ session }) => session.profile);

const settings = showing(({ session }) => {
  const { latency = null, rateLimit = null } = session.settings;
  if (latency?.type === 'fixed') return { fixedDelay: latency.milliseconds, delayDistribution: null, rateLimit };
  return { fixedDelay: null, delayDistribution: latency, rateLimit };
});

const clock = showing(({ session }) => ({
  now: new Date(session.clock.now()).toISOString(),
  frozen: session.clock.isFrozen,
}));

/** How the session answers: its data, profile, faults, latency, rate limit and clock, and who answers in its place. */
export const behaviourHandlers = {
  setWorld: showing(({ session }) => session.world)(({ session, body }) =>
    session.setWorld(body as unknown as Partial<World>),
  ),
  getProfile: profile(),
  setProfile: profile(({ session, body }) => {
    const named = member<ProfileChoice | undefined>(body, 'profile') ?? session.profile;
    session.setProfile(named, member<Partial<Profile> | undefined>(body, 'choices'));
  }),
  getFaults: faults(),
  setFaults: faults(({ session, body }) => session.setFaults(member<string[]>(body, 'faults'))),
  clearFaults: faults(({ session }) => session.setFaults([])),
  getSettings: settings(),
  setSettings: settings(changeSettings),
  updateSettings: settings(changeSettings),
  getClock: clock(),
  freezeClock: clock(({ session, body }) => {
    const at = member<string | undefined>(body, 'at');
    session.clock.freeze(at === undefined ? undefined : readInstant(at));
  }),
  setClock: clock(({ session, body }) => session.clock.set(readInstant(member<string>(body, 'at')))),
  advanceClock: clock(({ session, body }) => session.clock.advance(readSpan(member<string | number>(body, 'by')))),
  resumeClock: clock(({ session }) => session.clock.resume()),
  getUpstream: withUpstream(() => undefined),
  setWay: withUpstream((upstream, on, body) => upstream.set(on, member<Way>(body, 'way'))),
  resetWay: withUpstream((upstream, on) => upstream.reset(on)),
} satisfies Partial<Handlers>;

function changeSettings({ session, body }: AdminCall): void {
  const { fixedDelay, delayDistribution, rateLimit } = body as JsonObject;
  const changed: { -readonly [member in keyof Settings]: Settings[member] } = {};
  if (fixedDelay === null || delayDistribution === null) changed.latency = undefined;
  if (delayDistribution) changed.latency = delayDistribution as unknown as Latency;
  if (typeof fixedDelay === 'number') changed.latency = { type: 'fixed', milliseconds: fixedDelay };
  if (rateLimit !== undefined) changed.rateLimit = (rateLimit ?? undefined) as RateLimit | undefined;
  session.setSettings(changed);
}

function readInstant(text: string): number {
  const at = parseInstant(text);
  if (!Number.isNaN(at)) return at;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new MockError(`at is ${shown}; it must be an instant such as 2026-05-20T15:30:00Z.`);
}

function readSpan(by: string | number): number {
  const span = typeof by === 'number' ? by : Duration.fromISO(by).toMillis();
  if (!Number.isFinite(span))
    throw new MockError(`by is ${JSON.stringify(by)}; it must be milliseconds or an ISO 8601 duration such as P1D.`);
  return span;
}

/** Changes who answers an endpoint, and then shows who answers each; or says that there is no upstream. */
function withUpstream(change: (upstream: NonNullable<Session['upstream']>, on: string, body: Json) => void) {
  return ({ session: { upstream }, parameters, body }: AdminCall): AdminAnswer => {
    if (upstream === undefined) return json({ error: NO_UPSTREAM }, 404);
    change(upstream, parameters['endpoint'] ?? '', body);
    return json({ url: upstream.url, ways: upstream.ways });
  };
}

const NO_UPSTREAM =
  'This mock has no upstream. Start it with --upstream <url>, or createMock({ upstream: { url } }), to let a real server answer what the mock does not.';
