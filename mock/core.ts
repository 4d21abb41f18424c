import type { MockCore, MockOptions } from './mock-core.ts';
import { gapIds } from '../spec/index.ts';
import { ADMIN, answerAdmin, findRoute } from './admin/index.ts';
import type { Mode, MockRequest } from './call.ts';
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
import { nothingBehind } from './session/behind.ts';
import type { Beginning, Behind } from './session/running.ts';
import { createSession, showMembers, type Session } from './session/session.ts';
import { createSessions } from './session/sessions.ts';
import { checkSettings } from './session/settings.ts';
import { readState, sessionsFromJson, sessionsToJson, type MockState } from './state/state.ts';
import { optionsInRun, steeredBy } from './steering/steering.ts';
import { checkWorld, worldOf, type World } from './store/world.ts';

export const defaultTokens: Readonly<Record<string, Mode>> = {
  'mock-write-token': 'write',
  'mock-read-token': 'read',
  'mock-guest-token': 'guest',
};

/**
 * Creates a mock: the endpoints over a generated world, and `/__admin`.
 * @throws MockError for an unknown persona, profile, gap, choice or fault, a setting out of range, or an invalid state
 * or seed.
 */
export function createCore(options: MockOptions = {}, behindOf: (of: MockOptions) => Behind = nothingBehind): MockCore {
  const common = begin(options, behindOf);
  const { beginning, own, sessions } = common;
  const listeners = new Set<() => void>();
  /** Says that a request may have changed something, and lets pages of other origins read its answer. */
  const finished = (request: MockRequest, wire: Wire): Wire => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || beginning.behind.learns) for (const listener of listeners) listener();
    const { origin } = request.headers;
    if (origin === undefined || wire.headers['access-control-allow-origin'] !== undefined) return wire;
    return { ...wire, headers: { ...wire.headers, ...corsHeaders(origin) } };
  };
  const core: Omit<MockCore, Exclude<keyof Session, 'handle' | 'respond'> | (typeof passed)[number]> = {
    handle: sendable(
      (request) => preflight(request) ?? finished(request, dispatch(common, request, core as MockCore, 'handle')),
    ),
    respond: sendable((request) => {
      const allowed = preflight(request);
      if (allowed) return allowed;
      const wire = dispatch(common, request, core as MockCore, 'respond');
      if ('then' in wire) return wire.then((came) => finished(request, came));
      return finished(request, wire);
    }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    session: (id = ''): Session => (id === '' ? own : sessions.get(id)),
    sessions,
    exportState() {
      const { seed, persona, anchor } = beginning;
      const all = sessionsToJson([own, ...sessions.list()].map((session) => [session.id, session.state()] as const));
      return { kind: 'agent-contract-state', version: 3, seed, persona, anchor, sessions: all };
    },
    importState: importState.bind(undefined, common),
    setBeginning: beginOtherwise.bind(undefined, common),
  };
  showMembers<Pick<MockCore, (typeof passed)[number]>>(core, beginning, passed);
  // A mock has the members of its default session too.
  const others = (Object.keys(own) as (keyof Session)[]).filter((name) => !(name in core));
  showMembers(core, own, others);
  return core as MockCore;
}

const passed = ['seed', 'persona', 'tokens', 'room'] as const;

/** The sessions of a mock, and what they begin with; `world` is beside seed data that is not a complete world itself. */
type Common = ReturnType<typeof begin>;

/** Reads and checks the options. The sessions are those of a state, or the default session alone. @throws MockError */
function begin(given: MockOptions, behindOf: (of: MockOptions) => Behind) {
  const options = optionsInRun(given);
  const startedAt = Date.now();
  const { seed = 1, persona = 'demo', now = startedAt, seedData, choices, caches = createCaches() } = options;
  const state = options.state && readState(options.state);
  const world = checkWorld(worldOf(state ?? { seed, persona }));
  const anchor = state?.anchor ?? now;
  const steered = steeredBy(options, () => ({
    ...worldOf(beginning),
    anchor,
    profile,
    tokens: Object.fromEntries(beginning.tokens),
    seedData,
    held: gapIds.filter((gap) => choices && gap in choices),
  }));
  const profile = resolveProfile(options.profile ?? 'default', steered?.choices ?? choices);
  const beginning: Beginning = {
    ...dataWith(seedData, world, { anchor, caches, profile }),
    anchor,
    clock: options.frozen === true ? { frozenAt: now } : { offset: now - startedAt },
    tokens: new Map(Object.entries(options.tokens ?? defaultTokens)),
    profile,
    faults: resolveFaults(options.faults ?? []),
    settings: checkSettings(options.settings ?? {}),
    validate: options.validate === true,
    journals: createJournals({ ...journalLimits, ...options.journalLimits }, options.onExchange),
    room: createRoom(options.mostWritten),
    caches,
    behind: behindOf(options),
    steered,
  };
  const { '': ofOwn, ...others } = sessionsFromJson(state?.sessions ?? {});
  const own = createSession(beginning, '');
  if (ofOwn) own.restore(ofOwn);
  const sessions = createSessions(beginning, options.sessionLimits);
  for (const [id, from] of Object.entries(others)) sessions.fork(id, from);
  return { beginning, own, sessions, choices, seedData, world };
}

function dispatch<By extends 'handle' | 'respond'>(
  { own, sessions, beginning }: Common,
  request: MockRequest,
  core: MockCore,
  by: By,
): Wire | ReturnType<Session[By]> {
  const { id, target } = sessionOf(request);
  const isKept = id === '' || sessions.has(id) || makesSession(request.method, target);
  let session = own;
  try {
    if (id !== '') session = isKept ? sessions.get(id) : sessions.glance(id);
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return { status: 400, headers, body: JSON.stringify({ error: error.message }) };
  }
  const inside = target === request.target ? request : { ...request, target };
  const forget = (): void => {
    if (!isKept) session.journal.clear();
  };
  try {
    const wire = isAdmin(target)
      ? answerAdmin(inside, core, session, beginning.caches.validators)
      : (session[by](inside) as ReturnType<Session[By]>);
    if ('then' in wire) void wire.finally(forget);
    return wire;
  } finally {
    forget();
  }
}

/** A request that any page can send with an image, and that matches no route, creates no session. */
function makesSession(method: string, target: string): boolean {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
  const [path = ''] = target.split('?');
  if (isAdmin(target)) return findRoute(method, path.slice(ADMIN.length)) !== undefined;
  return 'endpoint' in route(method, path);
}

/** @throws MockError, and then nothing has changed. */
function importState(common: Common, state: MockState): void {
  const { beginning, own, sessions, seedData } = common;
  const { anchor, ...read } = readState(state);
  const { '': ofOwn, ...others } = sessionsFromJson(state.sessions);
  const world = worldOf(read);
  const changed: Beginning = { ...beginning, ...dataWith(seedData, world, { ...beginning, anchor }), anchor };
  // Validates every part before the first takes effect.
  for (const [id, from] of Object.entries({ '': ofOwn, ...others })) createSession(changed, id, from);
  Object.assign(beginning, changed);
  common.world = world;
  if (ofOwn) own.restore(ofOwn);
  else own.reset();
  for (const { id } of sessions.list()) if (!Object.hasOwn(others, id)) sessions.end(id);
  for (const [id, from] of Object.entries(others)) {
    if (sessions.has(id)) sessions.get(id).restore(from);
    else sessions.fork(id, from);
  }
}

/** @throws MockError, and then nothing has changed. */
function beginOtherwise(common: Common, changes: Pick<MockOptions, 'seedData' | 'profile'>): void {
  const { beginning, own, sessions, choices, world } = common;
  const before = JSON.stringify(beginning.profile);
  const profile = changes.profile === undefined ? beginning.profile : resolveProfile(changes.profile, choices);
  const { seedData } = { ...common, ...changes };
  Object.assign(beginning, { ...dataWith(seedData, world, { ...beginning, profile }), profile });
  common.seedData = seedData;
  for (const session of [own, ...sessions.list()])
    session.rebase(JSON.stringify(session.profile) === before ? profile : undefined);
}

/** Your own data over that of a world. Nothing is generated if it is a complete world. @throws MockError */
function dataWith(
  seedData: Seed | undefined,
  world: World,
  { anchor, caches, profile }: Pick<Beginning, 'anchor' | 'caches' | 'profile'>,
): World & Pick<Beginning, 'base' | 'baseOf'> {
  const isWhole = seedData?.whole === true;
  const over =
    (data: Seed | undefined): Beginning['baseOf'] =>
    (generated, { 'identifier-format': identifiers }) =>
      seedOverlay(data, caches.universe({ ...worldOf(generated), now: anchor, identifiers }), identifiers, anchor);
  const own: World = isWhole ? { seed: world.seed, persona: 'empty' } : world;
  return { ...own, base: over(seedData)(own, profile), baseOf: over(isWhole ? undefined : seedData) };
}
