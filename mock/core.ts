import type { MockCore, MockOptions } from './mock-core.ts';
import { personaNames, type PersonaName } from '../fixtures/index.ts';
import type { Profile } from '../spec/index.ts';
import { ADMIN, answerAdmin, findRoute } from './admin/index.ts';
import type { Mode } from './caller.ts';
import type { MockRequest } from './call.ts';
import type { Wire } from './wire/wire.ts';
import { isAdmin, sessionOf } from './access/address.ts';
import { corsHeaders, preflight } from '../http/cors.ts';
import { MockError } from './mock-error.ts';
import { resolveFaults } from './faults/index.ts';
import { resolveProfile } from './profiles/index.ts';
import { route } from './service/route.ts';
import { sendable, sendableLater } from './wire/sendable.ts';
import { seedOverlay, type Seed } from './store/seed/seed.ts';
import { createJournals, journalLimits } from './journal/journal.ts';
import { createRoom, type Room } from './state/room.ts';
import type { Beginning } from './session/running.ts';
import type { World } from './store/world.ts';
import { createSession, type Session } from './session/session.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { checkSettings } from './session/settings.ts';
import { packSessions, readState, unpackSessions, type MockState } from './state/state.ts';
import type { Overlay } from './store/overlay.ts';
import type { Upstream } from './upstream/upstream.ts';
import { sharedUniverse } from './store/shared-universe.ts';

export const defaultTokens: Readonly<Record<string, Mode>> = {
  'mock-write-token': 'write',
  'mock-read-token': 'read',
  'mock-guest-token': 'guest',
};

/** The initial settings of all sessions, which sessions can change. */
interface Common {
  readonly beginning: { -readonly [K in keyof Beginning]: Beginning[K] };
  readonly own: Session;
  readonly sessions: Sessions;
  seedData: Seed | undefined;
  /** The persona for seed data that is a complete world. */
  persona: PersonaName;
}

/**
 * Creates a mock: the endpoints over a generated world, and `/__admin`.
 * @throws MockError for an unknown persona, profile, gap, choice or fault, a setting out of range, or an invalid state
 * or seed.
 */
export function createCore(options: MockOptions = {}, upstream?: Upstream): MockCore {
  if (options.upstream && !upstream)
    throw new MockError(
      'upstream needs createMock of agent-contract/mock in Node.js. Elsewhere, mock single endpoints with "only".',
    );
  const common = begin(options, upstream);
  const { beginning, own, sessions } = common;
  const members = {
    ...answersOf(common, () => core),
    get seed() {
      return beginning.seed;
    },
    get persona() {
      return beginning.persona;
    },
    tokens: beginning.tokens,
    room: beginning.room,
    session: (id: string): Session => (id === '' ? own : sessions.get(id)),
    sessions,
    exportState: (): MockState => exported(common),
    importState: (given: MockState): void => imported(common, given),
    setBeginning: (changes: Changes): void => beginOtherwise(common, changes, options.choices),
  };
  // A mock has every member of a session: those of its default session.
  const core: MockCore = extended(own, members);
  return core;
}

/** The sessions of a state, or a default session alone. @throws MockError */
function begin(options: MockOptions, upstream: Upstream | undefined): Common {
  const state = options.state && readState(options.state);
  const room = createRoom(options.mostWritten);
  const beginning = { ...beginningOf(options, state, room), upstream };
  const kept = state ? unpackSessions(state) : {};
  const own = createSession(beginning, '', kept['']);
  if (kept['']) room.measure('', kept['']);
  const sessions = createSessions(beginning, options.sessionLimits);
  for (const [id, from] of Object.entries(kept)) if (id !== '') sessions.fork(id, from);
  const persona = state?.persona ?? options.persona ?? 'demo';
  const common: Common = { beginning, own, sessions, seedData: options.seedData, persona };
  return common;
}

/** How requests are answered, and who hears that one may have changed something. */
function answersOf(common: Common, core: () => MockCore): Pick<MockCore, 'handle' | 'respond' | 'onChange'> {
  const listeners = new Set<() => void>();
  const learns = common.beginning.upstream?.plan.learns === true;
  const finished = (request: MockRequest, wire: Wire): Wire => {
    const mayChange = (request.method !== 'GET' && request.method !== 'HEAD') || learns;
    if (mayChange) for (const listener of listeners) listener();
    return withCors(request, wire);
  };
  return {
    handle: sendable(
      (request) =>
        preflight(request) ??
        finished(
          request,
          dispatch(common, request, core(), (session, inside) => session.handle(inside)),
        ),
    ),
    respond: sendableLater((request) => {
      const asked = preflight(request);
      if (asked) return asked;
      const wire = dispatch(common, request, core(), (session, inside) => session.respond(inside));
      return 'then' in wire ? wire.then((came) => finished(request, came)) : finished(request, wire);
    }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function withCors(request: MockRequest, wire: Wire): Wire {
  const { origin } = request.headers;
  return origin === undefined || wire.headers['access-control-allow-origin'] !== undefined
    ? wire
    : { ...wire, headers: { ...wire.headers, ...corsHeaders(origin) } };
}

const all = ({ own, sessions }: Common): readonly Session[] => [own, ...sessions.list()];

/** @throws MockError */
function beginningOf(options: MockOptions, state: MockState | undefined, room: Room): Common['beginning'] {
  const persona = state?.persona ?? options.persona ?? 'demo';
  if (!personaNames.includes(persona))
    throw new MockError(`There is no persona "${persona}". There are ${personaNames.join(', ')}.`);
  const startedAt = Date.now();
  const start = options.now ?? startedAt;
  const profile = resolveProfile(options.profile ?? 'default', options.choices);
  const world = {
    seed: state?.seed ?? options.seed ?? 1,
    persona: personaWith(options.seedData, persona),
    anchor: state?.anchor ?? start,
  };
  return {
    ...world,
    baseOf: baseBeside(options.seedData, world.anchor),
    clock: options.frozen === true ? { frozenAt: start } : { offset: start - startedAt },
    tokens: new Map(Object.entries(options.tokens ?? defaultTokens)),
    profile,
    faults: resolveFaults(options.faults ?? []),
    settings: checkSettings(options.settings ?? {}),
    base: baseOf(options.seedData, world, profile),
    validate: options.validate === true,
    journals: createJournals({ ...journalLimits, ...options.journalLimits }),
    room,
  };
}

/** Answers a request in its session, and creates the session if necessary. */
function dispatch<W extends Wire | Promise<Wire>>(
  { own, sessions }: Common,
  request: MockRequest,
  core: MockCore,
  answer: (session: Session, inside: MockRequest) => W,
): Wire | W {
  const { id, target } = sessionOf(request);
  const isKept = id === '' || sessions.has(id) || makesSession(request.method, target);
  let session: Session;
  try {
    session = id === '' ? own : isKept ? sessions.get(id) : sessions.glance(id);
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    return problem(400, error.message);
  }
  const inside = target === request.target ? request : { ...request, target };
  const forget = (): void => {
    if (!isKept) session.journal.clear();
  };
  try {
    const wire = isAdmin(target) ? answerAdmin(inside, core, session) : answer(session, inside);
    if ('then' in wire) void wire.finally(forget);
    return wire;
  } finally {
    forget();
  }
}

function exported(common: Common): MockState {
  const { seed, persona, anchor } = common.beginning;
  return { kind: 'agent-contract-state', version: 2, seed, persona, anchor, ...packSessions(all(common)) };
}

/** @throws MockError, and then nothing has changed. */
function imported(common: Common, given: MockState): void {
  const { beginning, own, sessions, seedData } = common;
  const read = readState(given);
  const { seed, persona, anchor } = read;
  const wanted = unpackSessions(read);
  const next = { seed, persona, anchor };
  const changed = {
    ...beginning,
    ...next,
    base: baseOf(seedData, next, beginning.profile),
    baseOf: baseBeside(seedData, anchor),
  };
  // Validates every part before the first takes effect.
  for (const [id, one] of Object.entries(wanted)) createSession(changed, id, one);
  Object.assign(beginning, changed);
  common.persona = persona;
  const { '': mine, ...others } = wanted;
  if (mine) own.restore(mine);
  else own.reset();
  for (const { id } of sessions.list()) if (!Object.hasOwn(others, id)) sessions.end(id);
  for (const [id, one] of Object.entries(others)) {
    if (sessions.has(id)) sessions.get(id).restore(one);
    else sessions.fork(id, one);
  }
}

type Changes = Pick<MockOptions, 'seedData' | 'profile'>;

/** @throws MockError, and then nothing has changed. */
function beginOtherwise(common: Common, changes: Changes, choices: Partial<Profile> | undefined): void {
  const { beginning } = common;
  const before = JSON.stringify(beginning.profile);
  const next = changes.profile === undefined ? beginning.profile : resolveProfile(changes.profile, choices);
  const data = 'seedData' in changes ? changes.seedData : common.seedData;
  const persona = personaWith(data, common.persona);
  beginning.base = baseOf(data, { ...beginning, persona }, next);
  beginning.baseOf = baseBeside(data, beginning.anchor);
  beginning.persona = persona;
  beginning.profile = next;
  common.seedData = data;
  for (const one of all(common)) one.rebase(JSON.stringify(one.profile) === before ? next : undefined);
}

/** Nothing is generated if the data is a complete world. */
const personaWith = (data: Seed | undefined, persona: PersonaName): PersonaName =>
  data?.whole === true ? 'empty' : persona;

/** The data over another world; empty if it is a complete world itself. */
const baseBeside =
  (data: Seed | undefined, anchor: number) =>
  (world: World, profile: Profile): Overlay =>
    baseOf(data?.whole === true ? undefined : data, { ...world, anchor }, profile);

/** The seed data over the initial universe; missing times become the anchor. @throws MockError */
function baseOf(
  data: Seed | undefined,
  world: Pick<Beginning, 'seed' | 'persona' | 'anchor'>,
  profile: Profile,
): Overlay {
  const { seed, persona, anchor } = world;
  const identifiers = profile['identifier-format'];
  return seedOverlay(data, sharedUniverse({ seed, now: anchor, identifiers, persona }), identifiers, anchor);
}

/**
 * Whether a request creates a session. A request that any page can send with an image, and that matches no route, does
 * not.
 */
function makesSession(method: string, target: string): boolean {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
  const [path = ''] = target.split('?');
  return isAdmin(target)
    ? findRoute(method, path.slice(ADMIN.length)) !== undefined
    : 'endpoint' in route(method, path);
}

const problem = (status: number, error: string): Wire => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error }),
});

/** An object with the members of both. Members of `base` are read at each access. */
export function extended<B extends object, M extends object>(base: B, members: M): B & M {
  return Object.defineProperties(Object.create(base), Object.getOwnPropertyDescriptors(members)) as B & M;
}
