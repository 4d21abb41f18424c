import type { MockCore, MockOptions } from './mock-core.ts';
import { personaNames, type PersonaName } from '../fixtures/index.ts';
import type { Profile } from '../spec/index.ts';
import { ADMIN, answerAdmin, findRoute } from './admin/index.ts';
import type { Mode } from './caller.ts';
import type { MockRequest } from './call.ts';
import type { Wire } from './wire/wire.ts';
import { isAdmin, sessionOf } from './access/address.ts';
import { corsHeaders, preflight } from '../http/cors.ts';
import { createCaches } from './caches.ts';
import { MockError } from './mock-error.ts';
import { resolveFaults } from './faults/index.ts';
import { resolveProfile } from './profiles/index.ts';
import { route } from './service/route.ts';
import { sendable } from './wire/sendable.ts';
import { seedOverlay, type Seed } from './store/seed/seed.ts';
import { createJournals, journalLimits } from './journal/journal.ts';
import { createRoom } from './state/room.ts';
import type { Beginning, Upstream } from './session/running.ts';
import { createSession, type Session } from './session/session.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { checkSettings } from './session/settings.ts';
import { packSessions, readState, unpackSessions, type MockState } from './state/state.ts';
import type { Base } from './store/overlay.ts';

export const defaultTokens: Readonly<Record<string, Mode>> = {
  'mock-write-token': 'write',
  'mock-read-token': 'read',
  'mock-guest-token': 'guest',
};

/** The sessions of a mock, and what they begin with. */
interface Common {
  readonly beginning: { -readonly [K in keyof Beginning]: Beginning[K] };
  readonly own: Session;
  readonly sessions: Sessions;
  readonly choices: Partial<Profile> | undefined;
  seedData: Seed | undefined;
  /** The persona beside seed data that is not a complete world. */
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
  const core: Omit<MockCore, Exclude<keyof Session, 'handle' | 'respond'>> = {
    ...answersOf(common, () => core as MockCore),
    get seed() {
      return beginning.seed;
    },
    get persona() {
      return beginning.persona;
    },
    tokens: beginning.tokens,
    room: beginning.room,
    session: (id = ''): Session => (id === '' ? own : sessions.get(id)),
    sessions,
    exportState: (): MockState => exported(common),
    importState: (state: MockState): void => imported(common, state),
    setBeginning: (changes: Changes): void => beginOtherwise(common, changes),
  };
  // A mock has the members of its default session too. Each is read when it is used, since some change.
  for (const name of Object.keys(own) as (keyof Session)[])
    if (!(name in core))
      Object.defineProperty(core, name, { get: () => own[name], enumerable: true, configurable: true });
  return core as MockCore;
}

/** The sessions of a state, or a default session alone. @throws MockError */
function begin(options: MockOptions, upstream: Upstream | undefined): Common {
  const state = options.state && readState(options.state);
  const { seedData, choices } = options;
  const persona = state?.persona ?? options.persona ?? 'demo';
  if (!personaNames.includes(persona))
    throw new MockError(`There is no persona "${persona}". There are ${personaNames.join(', ')}.`);
  const startedAt = Date.now();
  const start = options.now ?? startedAt;
  const profile = resolveProfile(options.profile ?? 'default', choices);
  const caches = options.caches ?? createCaches();
  const anchor = state?.anchor ?? start;
  const world = { seed: state?.seed ?? options.seed ?? 1, persona: personaWith(seedData, persona) };
  const beginning: Beginning = {
    ...world,
    anchor,
    base: baseOf(seedData, { ...world, anchor, caches }, profile),
    baseOf: baseBeside(seedData, { anchor, caches }),
    clock: options.frozen === true ? { frozenAt: start } : { offset: start - startedAt },
    tokens: new Map(Object.entries(options.tokens ?? defaultTokens)),
    profile,
    faults: resolveFaults(options.faults ?? []),
    settings: checkSettings(options.settings ?? {}),
    validate: options.validate === true,
    journals: createJournals({ ...journalLimits, ...options.journalLimits }),
    room: createRoom(options.mostWritten),
    caches,
    upstream,
  };
  const { '': ofOwn, ...others } = state ? unpackSessions(state) : {};
  const own = createSession(beginning, '');
  if (ofOwn) own.restore(ofOwn);
  const sessions = createSessions(beginning, options.sessionLimits);
  for (const [id, from] of Object.entries(others)) sessions.fork(id, from);
  return { beginning, own, sessions, choices, seedData, persona };
}

/** How requests are answered, and who hears that one may have changed something. */
function answersOf(common: Common, core: () => MockCore): Pick<MockCore, 'handle' | 'respond' | 'onChange'> {
  const listeners = new Set<() => void>();
  const learns = common.beginning.upstream?.learns === true;
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
    respond: sendable((request) => {
      const asked = preflight(request);
      if (asked) return asked;
      const wire = dispatch(common, request, core(), (session, inside) => session.respond(inside));
      if ('then' in wire) return wire.then((came) => finished(request, came));
      return finished(request, wire);
    }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function withCors(request: MockRequest, wire: Wire): Wire {
  const { origin } = request.headers;
  if (origin === undefined || wire.headers['access-control-allow-origin'] !== undefined) return wire;
  return { ...wire, headers: { ...wire.headers, ...corsHeaders(origin) } };
}

const all = ({ own, sessions }: Common): readonly Session[] => [own, ...sessions.list()];

/** Answers a request in its session, and creates the session if necessary. */
function dispatch<W extends Wire | Promise<Wire>>(
  { own, sessions }: Common,
  request: MockRequest,
  core: MockCore,
  answer: (session: Session, inside: MockRequest) => W,
): Wire | W {
  const { id, target } = sessionOf(request);
  const isKept = id === '' || sessions.has(id) || makesSession(request.method, target);
  let session = own;
  try {
    if (id !== '') session = isKept ? sessions.get(id) : sessions.glance(id);
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
function imported(common: Common, state: MockState): void {
  const { beginning, own, sessions, seedData } = common;
  const { seed, persona, anchor } = readState(state);
  const wanted = unpackSessions(state);
  const next = { ...beginning, seed, persona, anchor };
  const changed: Beginning = {
    ...next,
    base: baseOf(seedData, next, beginning.profile),
    baseOf: baseBeside(seedData, next),
  };
  // Validates every part before the first takes effect.
  for (const [id, from] of Object.entries(wanted)) createSession(changed, id, from);
  Object.assign(beginning, changed);
  common.persona = persona;
  const { '': ofOwn, ...others } = wanted;
  if (ofOwn) own.restore(ofOwn);
  else own.reset();
  for (const { id } of sessions.list()) if (!Object.hasOwn(others, id)) sessions.end(id);
  for (const [id, from] of Object.entries(others)) {
    if (sessions.has(id)) sessions.get(id).restore(from);
    else sessions.fork(id, from);
  }
}

type Changes = Pick<MockOptions, 'seedData' | 'profile'>;

/** @throws MockError, and then nothing has changed. */
function beginOtherwise(common: Common, changes: Changes): void {
  const { beginning, choices } = common;
  const before = JSON.stringify(beginning.profile);
  const profile = changes.profile === undefined ? beginning.profile : resolveProfile(changes.profile, choices);
  const seedData = 'seedData' in changes ? changes.seedData : common.seedData;
  const persona = personaWith(seedData, common.persona);
  const base = baseOf(seedData, { ...beginning, persona }, profile);
  Object.assign(beginning, { base, baseOf: baseBeside(seedData, beginning), persona, profile });
  common.seedData = seedData;
  for (const session of all(common)) session.rebase(JSON.stringify(session.profile) === before ? profile : undefined);
}

/** Nothing is generated if the data is a complete world. */
const personaWith = (data: Seed | undefined, persona: PersonaName): PersonaName => {
  if (data?.whole === true) return 'empty';
  return persona;
};

/** The data over another world; empty if it is a complete world itself. */
const baseBeside =
  (data: Seed | undefined, { anchor, caches }: Pick<Beginning, 'anchor' | 'caches'>): Beginning['baseOf'] =>
  (world, profile) =>
    baseOf(data?.whole === true ? undefined : data, { ...world, anchor, caches }, profile);

/** The seed data over a universe; missing times become the anchor. @throws MockError */
function baseOf(
  data: Seed | undefined,
  { seed, persona, anchor, caches }: Pick<Beginning, 'seed' | 'persona' | 'anchor' | 'caches'>,
  profile: Profile,
): Base {
  const identifiers = profile['identifier-format'];
  return seedOverlay(data, caches.universe({ seed, now: anchor, identifiers, persona }), identifiers, anchor);
}

/**
 * Whether a request creates a session. A request that any page can send with an image, and that matches no route, does
 * not.
 */
function makesSession(method: string, target: string): boolean {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
  const [path = ''] = target.split('?');
  if (isAdmin(target)) return findRoute(method, path.slice(ADMIN.length)) !== undefined;
  return 'endpoint' in route(method, path);
}

const problem = (status: number, error: string): Wire => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error }),
});
