import type { PersonaName } from '../../fixtures/index.ts';
import type { ConversationResult, Profile, Workspace } from '../../spec/index.ts';
import { fraction, seedWord, textWord } from '../../fixtures/universe/hash.ts';
import { answer, httpDate } from '../answer.ts';
import type { Tokens } from '../service/authenticate.ts';
import { refuse, type JsonObject, type Mode, type MockRequest, type Wire } from '../call.ts';
import { chosen } from '../choices/index.ts';
import type { ConnectionFault, Delivery } from '../hosts/broken-connections.ts';
import { createMemory, type Memory } from './circumstances.ts';
import { faultNamed, whyNoFault } from '../faults/index.ts';
import type { Fault } from '../faults/fault.ts';
import { quote } from '../wording/slips.ts';
import { MockError } from '../mock-error.ts';
import { readQuery } from '../service/query.ts';
import { preferenceName, readPreferences, splitFault, type Preferred } from '../on-demand/preferences.ts';
import { fitToStatus, sendable } from '../hosts/sendable.ts';
import { resolveFaults, type NamedFault } from '../faults/resolve.ts';
import { resolveProfile, type ProfileChoice } from '../profiles/resolve.ts';
import { route } from '../service/route.ts';
import { sharedUniverse } from '../store/shared-universe.ts';
import type { Overlay } from '../store/overlay.ts';
import { createStore, type Store } from '../store/store.ts';
import { warningsHeader, warningsOfAnswer, type Warning } from '../teaching/warnings.ts';
import { warningsOfRequest } from '../teaching/request-warnings.ts';
import type { Negotiate } from '../on-demand/wanted-answer.ts';
import { wantedAnswer } from '../on-demand/wanted-answer.ts';
import { createClock, isInstant, parseInstant, type Clock, type ClockState } from './clock.ts';
import type { JournalBudget } from '../journal/journal-budget.ts';
import { createJournal, MOST_ENTRIES, type Journal } from '../journal/journal.ts';
import { createPlans, type Plan, type PlanRequest, type Plans } from '../on-demand/plans.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { noRoom, type Room } from './room.ts';
import { checkSettings, drawDelay, type Settings } from './settings.ts';
import { checkSnapshotName, checkSnapshots, difference, type PatchOperation, type Snapshot } from './snapshots.ts';
import { newResults } from '../store/new-results.ts';
import { targetOf, type MockTarget } from '../store/target.ts';

/** What every session of a mock begins with. */
export interface Beginning {
  readonly seed: number;
  readonly persona: PersonaName;
  /** Epoch milliseconds at which the world is anchored. */
  readonly anchor: number;
  readonly clock: ClockState;
  readonly tokens: Tokens;
  readonly profile: Profile;
  readonly faults: readonly NamedFault[];
  readonly settings: Settings;
  /** What lies over the universe from the start. */
  readonly base: Overlay;
  /** Whether answers are judged by their schemas, and requests looked at for slips. */
  readonly validate: boolean;
  readonly negotiate: Negotiate | undefined;
  readonly journalBudget: JournalBudget;
  readonly room: Room;
}

/** A session at a moment: its data, clock, faults, settings and snapshots, without its journal. Shares what it holds. */
export interface SessionState {
  readonly data: Overlay;
  readonly clock: ClockState;
  readonly profile: Profile;
  readonly faults: readonly string[];
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/** A world of its own: data, clock, faults, latency, plans and journal that no other session sees. */
export interface Session {
  /** Empty for the one that requests without a session belong to. */
  readonly id: string;
  /** Answers one request. Never throws; `delivery` of the answer says what its host has to do beside sending it. */
  handle(request: MockRequest): Wire;
  readonly store: Store;
  readonly target: MockTarget;

  /** What faults under a trigger know of earlier requests. */
  readonly memory: Memory;
  readonly clock: Clock;
  /** Epoch milliseconds of the session's clock. */
  now(): number;

  readonly profile: Profile;
  /** Takes another profile; the data begins anew, since identifiers may look different. @throws MockError */
  setProfile(profile: ProfileChoice, choices?: Partial<Profile>): void;
  /** Ids of the faults that are switched on. */
  readonly faults: readonly string[];
  /** Switches on these faults and no others. @throws MockError for an id that is none. */
  setFaults(ids: readonly string[]): void;
  readonly settings: Settings;
  /** Changes the settings that are given; `undefined` switches one off. @throws MockError */
  setSettings(settings: Settings): void;

  /** Publishes or unpublishes an agent; false where there is no such agent. */
  setPublished(agentId: string, published: boolean): boolean;
  setArchived(agentId: string, archived: boolean): boolean;
  setClosed(agentId: string, closed: boolean): boolean;
  /** Sets the mode that a token has towards one agent. @throws MockError for a token that the mock does not know. */
  setMode(agentId: string, mode: Mode, token: string): boolean;
  setSuspended(workspaceId: string, suspended: boolean): boolean;
  /** Adds results: so many made ones, the newest created now, or those given. @throws MockError @returns their ids. */
  addResults(agentId: string, results: number | readonly Partial<ConversationResult>[]): readonly string[];

  readonly journal: Journal;
  readonly plans: Plans;
  /** Answers the next requests as the steps say, one after the other. @throws MockError */
  plan(on: PlanRequest['on'], steps: PlanRequest['steps']): Plan;

  /** Names of the snapshots, oldest first. */
  readonly snapshots: readonly string[];
  /** Keeps data and clock under a name; a snapshot of that name is replaced. @throws MockError for a name that is none. */
  takeSnapshot(name: string): void;
  /** @throws MockError where there is none of that name. */
  restoreSnapshot(name: string): void;
  deleteSnapshot(name: string): boolean;
  /** What leads from one snapshot to another, or to the present. @throws MockError */
  diff(from: string, to?: string): readonly PatchOperation[];

  /** The session is again as it began: data, clock, profile, faults, settings, plans, journal. Snapshots stay. */
  reset(): void;
  /** Takes up what the mock begins with by now, and a profile where one is given; what was written stays. */
  rebase(profile?: Profile): void;
  state(): SessionState;
  /** Becomes what a state says; plans and journal stay. @throws MockError, and nothing has changed then. */
  restore(state: SessionState): void;
}

export function createSession(beginning: Beginning, id: string, from?: SessionState): Session {
  const { tokens } = beginning;
  const clock = createClock(beginning.clock);
  const journal = createJournal(id, MOST_ENTRIES, beginning.journalBudget);
  const plans = createPlans();
  let limiter = createRateLimiter();
  let { profile, settings } = beginning;
  let { faults } = beginning;
  let requestNumber = 0;
  let memory = createMemory();
  let draws = 0;
  const randomSeed = seedWord(beginning.seed);
  const sessionWord = textWord(id);
  const random = (): number => fraction(randomSeed, sessionWord, ++draws, 0x1a7e);
  let snapshots = new Map<string, Snapshot>();

  const storeWith = (overlay?: Overlay): Store => {
    const identifiers = chosen(profile, 'identifier-format');
    const { seed, persona, anchor, base } = beginning;
    return createStore(sharedUniverse({ seed, now: anchor, identifiers, persona }), identifiers, base, overlay);
  };
  let store = storeWith();

  const restore = (state: SessionState): void => {
    const next = [resolveProfile(state.profile), resolveFaults(state.faults), checkSettings(state.settings)] as const;
    [profile, faults, settings] = next;
    snapshots = new Map(state.snapshots);
    clock.restore(state.clock);
    store = storeWith(state.data);
    beginning.room.cameIn();
  };
  if (from) restore(from);

  const setFlag = (agentId: string, changes: JsonObject): boolean => {
    const stored = store.agent(agentId);
    if (!stored) return false;
    store.putAgent(
      agentId,
      { ...stored.agent, ...changes, updatedAt: new Date(clock.now()).toISOString() },
      stored.origin,
    );
    return true;
  };
  const snapshot = (name: string): Snapshot => {
    const found = snapshots.get(name);
    if (found) return found;
    const known = snapshots.size === 0 ? 'there is none yet' : `there are ${[...snapshots.keys()].join(', ')}`;
    throw new MockError(`There is no snapshot ${JSON.stringify(name)}; ${known}.`);
  };

  function handle(request: MockRequest): Wire {
    const [path = '', ...search] = request.target.split('?');
    const query = search.length === 0 ? [] : readQuery(search.join('?'));
    const found = route(request.method, path);
    const endpoint = 'endpoint' in found ? found.endpoint : undefined;
    const asked = request.headers['x-mock-now'];
    const askedAt = asked === undefined ? undefined : askedInstant(asked);
    const at = askedAt ?? clock.now();
    const preferences = readPreferences(request.headers['prefer'], query);
    const planned = endpoint === undefined ? undefined : plans.take(endpoint, journal.next);
    const wanted: Preferred = planned ? { ...planned.step, ...preferences.wanted } : preferences.wanted;
    const { connection = breakOf(faults), violation } = splitFault(wanted.fault);
    const extra = violation === undefined ? undefined : faultNamed(violation);
    const tooSoon = settings.rateLimit && limiter.admit(settings.rateLimit, at);

    const met = new Set<keyof Preferred>();
    const warnings: Warning[] = preferences.refused.map(({ name, message, location }) =>
      preferenceRefused(name, message, location),
    );
    if (asked !== undefined && askedAt === undefined) warnings.push(nowRefused(asked));
    if (violation !== undefined && !extra)
      warnings.push(preferenceRefused('fault', whyNoFault(violation) ?? `There is no fault ${quote(violation)}.`));
    const { room } = beginning;
    const world = {
      full: request.body === undefined || room.has(id, request.body.length) ? undefined : noRoom(room),
      store,
      tokens,
      profile,
      faults: active(faults, extra),
      now: at,
      requestNumber: ++requestNumber,
      memory,
    };
    const call = { request, found, query };
    let wire: Wire | undefined;
    if (tooSoon !== undefined)
      wire = answer(
        {
          ...call,
          found: {
            ...refuse(
              'rate-limited',
              `The limit is ${settings.rateLimit?.requests ?? 0} requests in ${settings.rateLimit?.seconds ?? 0} seconds.`,
            ),
            headers: { 'retry-after': String(tooSoon) },
          },
        },
        world,
      );
    else if (endpoint !== undefined && asksForAnswer(wanted)) {
      const drawn = wantedAnswer(endpoint, wanted, request.headers['accept'], profile, beginning.negotiate);
      if ('refusal' in drawn) warnings.push(preferenceRefused('prefer', drawn.refusal));
      else if (drawn.wire) {
        wire = { ...drawn.wire, headers: { ...drawn.wire.headers, date: httpDate(at) } };
        for (const key of shapedBy(wanted)) met.add(key);
      }
    }
    if (!wire) {
      wire = answer(call, world);
      if (request.body !== undefined && wire.status < 300) room.take(id, wire.body.length);
      if (endpoint !== undefined && extra && (extra.on === 'every' || extra.on.includes(endpoint))) met.add('fault');
    }
    if (wanted.code !== undefined && wanted.code < 300 && wire.status < 300) {
      wire = { ...wire, status: wanted.code };
      met.add('code');
    }
    if (beginning.validate) {
      // A refusal says all this itself.
      if (endpoint !== undefined && wire.status < 400) warnings.push(...warningsOfRequest(endpoint, request, query));
      if (endpoint !== undefined) warnings.push(...warningsOfAnswer(endpoint, wire));
    }

    const delay = wanted.delay ?? (settings.latency && drawDelay(settings.latency, random));
    const delivery: Delivery | undefined =
      (delay ?? 0) > 0 || wanted.rate !== undefined || connection !== undefined
        ? {
            ...(delay === undefined ? {} : { delay }),
            ...(wanted.rate === undefined ? {} : { rate: wanted.rate }),
            ...(connection === undefined ? {} : { connection }),
          }
        : undefined;
    const { shown: _, ...sent } = wire;
    wire = fitToStatus(sent);
    if (delay !== undefined) met.add('delay');
    if (connection !== undefined) met.add('fault');
    else if (wire.body !== '' && request.method !== 'HEAD') met.add('rate');
    const applied = appliedOf(preferences.wanted, met);
    if (applied.length > 0 || warnings.length > 0 || delivery)
      wire = {
        ...wire,
        headers: {
          ...wire.headers,
          ...(applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {}),
          ...(warnings.length > 0 ? { 'sl-violations': warningsHeader(warnings) } : {}),
        },
        ...(delivery ? { delivery } : {}),
      };
    journal.record({
      request,
      endpoint,
      agentId: 'endpoint' in found ? found.agentId : '',
      wire,
      at,
      warnings,
      applied,
      plan: planned?.plan,
    });
    return wire;
  }

  return {
    id,
    handle: sendable(handle),
    get store() {
      return store;
    },
    get target() {
      return targetOf(store, tokens);
    },
    get memory() {
      return memory;
    },
    clock,
    now: () => clock.now(),
    get profile() {
      return profile;
    },
    setProfile(next, choices) {
      profile = resolveProfile(next, choices);
      store = storeWith();
      beginning.room.forgot();
    },
    get faults() {
      return faults.map((fault) => fault.id);
    },
    setFaults(ids) {
      faults = resolveFaults(ids);
    },
    get settings() {
      return settings;
    },
    setSettings(next) {
      settings = checkSettings({ ...settings, ...next });
    },
    setPublished: (agentId, published) => (published ? store.publish(agentId, clock.now()) : store.unpublish(agentId)),
    setArchived: (agentId, isArchived) => setFlag(agentId, { isArchived }),
    setClosed: (agentId, isClosed) => setFlag(agentId, { isClosed }),
    setMode(agentId, mode, token) {
      if (!tokens.has(token)) throw new MockError('The mock knows no such token; it prints those it knows at start.');
      if (!['guest', 'read', 'write'].includes(mode))
        throw new MockError(`A mode is guest, read or write; this is ${JSON.stringify(mode)}.`);
      if (!store.agent(agentId)) return false;
      store.setMode(token, agentId, mode);
      return true;
    },
    setSuspended(workspaceId, isSuspended) {
      const workspace = store.workspace(workspaceId);
      if (!workspace) return false;
      const changes: Partial<Workspace> = { isSuspended, updatedAt: new Date(clock.now()).toISOString() };
      store.putWorkspace(workspaceId, { ...workspace, ...(changes as JsonObject) });
      return true;
    },
    addResults(agentId, results) {
      const { room } = beginning;
      if (!room.has(id, 0)) throw new MockError(noRoom(room));
      const before = store.overlay().results.get(agentId)?.length ?? 0;
      const added = newResults(store, agentId, results, clock.now());
      for (const result of store.overlay().results.get(agentId)?.slice(before) ?? [])
        room.take(id, JSON.stringify(result).length);
      return added;
    },
    journal,
    plans,
    plan: (on, steps) => plans.add({ on, steps }),
    get snapshots() {
      return [...snapshots.keys()];
    },
    takeSnapshot(name) {
      checkSnapshotName(name);
      const next = new Map(snapshots);
      next.delete(name);
      next.set(name, { overlay: store.overlay(), clock: clock.state });
      checkSnapshots(next);
      snapshots = next;
    },
    restoreSnapshot(name) {
      const { overlay, clock: at } = snapshot(name);
      store = storeWith(overlay);
      beginning.room.forgot();
      clock.restore(at);
    },
    deleteSnapshot(name) {
      beginning.room.forgot();
      return snapshots.delete(name);
    },
    diff: (before, after) =>
      difference(snapshot(before).overlay, after === undefined ? store.overlay() : snapshot(after).overlay, storeWith),
    reset() {
      profile = beginning.profile;
      ({ faults } = beginning);
      settings = beginning.settings;
      limiter = createRateLimiter();
      clock.restore(beginning.clock);
      plans.clear();
      journal.clear();
      requestNumber = 0;
      memory = createMemory();
      draws = 0;
      store = storeWith();
      beginning.room.forgot();
    },
    rebase(next) {
      profile = next ?? profile;
      store = storeWith(store.overlay());
    },
    restore,
    state: () => ({
      data: store.overlay(),
      clock: clock.state,
      profile,
      faults: faults.map((fault) => fault.id),
      settings,
      snapshots: new Map(snapshots),
    }),
  };
}

const NO_FAULTS: readonly Fault[] = [];

function active(faults: readonly NamedFault[], extra: Fault | undefined): readonly Fault[] {
  if (faults.length === 0 && !extra) return NO_FAULTS;
  return [...faults.flatMap(({ fault }) => (typeof fault === 'string' ? [] : [fault])), ...(extra ? [extra] : [])];
}

/** How connections break, by the first fault that says so. */
const breakOf = (faults: readonly NamedFault[]): ConnectionFault | undefined =>
  faults.map(({ fault }) => fault).find((fault) => typeof fault === 'string');

/** Whether the answer is one that is not the mock's own. */
const asksForAnswer = ({ code, example, dynamic }: Preferred): boolean =>
  (code !== undefined && code >= 300) || example !== undefined || dynamic === true;

/** What has a say in an answer that is not the mock's own: an example goes before one that is made up. */
const shapedBy = ({ example, dynamic }: Preferred): readonly (keyof Preferred)[] =>
  example !== undefined ? ['code', 'example'] : dynamic === true ? ['code', 'dynamic', 'seed'] : ['code', 'retryAfter'];

/** The preferences of the client that were met, as its header would have them. */
const appliedOf = (wanted: Preferred, met: ReadonlySet<keyof Preferred>): readonly string[] =>
  (Object.keys(wanted) as (keyof Preferred)[])
    .filter((key) => met.has(key))
    .map((key) => {
      const text = String(wanted[key]);
      return `${preferenceName(key)}=${/^[\w.-]+$/.test(text) ? text : JSON.stringify(text)}`;
    });

const preferenceRefused = (
  name: string,
  message: string,
  location: readonly string[] = ['header', 'prefer'],
): Warning => ({
  location: ['request', ...location],
  severity: 'Warning',
  code: `prefer-${name}`,
  message,
});

const nowRefused = (wanted: string): Warning => ({
  location: ['request', 'header', 'x-mock-now'],
  severity: 'Warning',
  code: 'x-mock-now',
  message: `Must be an instant such as 2026-05-20T15:30:00Z; it is ${JSON.stringify(wanted.slice(0, 60))}.`,
});

/** Epoch milliseconds of RFC 3339, or of epoch milliseconds as they are; only of years that the clock knows. */
function askedInstant(text: string): number | undefined {
  const at = /^\d{1,15}$/.test(text) ? Number(text) : parseInstant(text);
  return isInstant(at) ? at : undefined;
}
