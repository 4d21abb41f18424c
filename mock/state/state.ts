import type { PersonaName } from '../../fixtures/index.ts';
import type { Json, JsonObject } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import { isInstant } from '../session/clock.ts';
import type { SessionState, Snapshot } from './snapshots.ts';
import { errorsOf } from '../wording/schema-errors.ts';
import { createValidators } from '../wording/validators.ts';
import { overlayFromJson, overlayToJson, type OverlayJson } from '../store/overlay.ts';
import { whyNoWorld, type World } from '../store/world.ts';
import schema from './state.schema.json';

/** Everything that a mock needs to continue from another; plain JSON. */
export interface MockState {
  readonly kind: 'agent-contract-state';
  readonly version: 3;
  readonly seed: number;
  readonly persona: PersonaName;
  /** Epoch milliseconds at which the generated world is anchored. */
  readonly anchor: number;
  /** By name; the session of requests without a name is `""`. */
  readonly sessions: Readonly<Record<string, SessionJson>>;
}

interface SessionJson extends Omit<SessionState, 'data' | 'snapshots'> {
  readonly data: OverlayJson;
  readonly snapshots: Readonly<Record<string, Omit<Snapshot, 'overlay'> & { readonly data: OverlayJson }>>;
}

export function sessionsToJson(sessions: readonly (readonly [id: string, state: SessionState])[]) {
  const written = sessions.map(([id, state]): [string, SessionJson] => {
    const { data, snapshots, ...more } = state;
    const kept = Array.from(
      snapshots,
      ([name, { overlay, ...rest }]) => [name, { data: overlayToJson(overlay), ...rest }] as const,
    );
    return [id, { data: overlayToJson(data), ...more, snapshots: Object.fromEntries(kept) }];
  });
  return Object.fromEntries(written);
}

export function sessionsFromJson(sessions: MockState['sessions']): Readonly<Record<string, SessionState>> {
  const read = Object.entries(sessions).map(([id, { data, snapshots, ...more }]): [string, SessionState] => {
    const kept = Object.entries(snapshots).map(
      ([name, { data: own, ...rest }]) => [name, { overlay: overlayFromJson(own), ...rest }] as const,
    );
    return [id, { ...more, data: overlayFromJson(data), snapshots: new Map(kept) }];
  });
  return Object.fromEntries(read);
}

/** The text of a state, part by part: one string may not be able to hold all of it. */
export function* stateText({ sessions, ...head }: MockState): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "sessions": {`;
  for (const [i, [id, { data, snapshots, ...session }]] of Object.entries(sessions).entries()) {
    yield `${i === 0 ? '' : ','}\n    ${JSON.stringify(id)}: ${JSON.stringify(session).slice(0, -1)},\n      "data": `;
    yield `${JSON.stringify(data)},\n      "snapshots": {`;
    for (const [n, [name, snapshot]] of Object.entries(snapshots).entries())
      yield `${n === 0 ? '' : ','}\n        ${JSON.stringify(name)}: ${JSON.stringify(snapshot)}`;
    yield '}}';
  }
  yield '\n  }\n}\n';
}

function wrong(what: string): never {
  throw new MockError(`This is not a state file of agent-contract: ${what.replace(/\.$/, '')}.`);
}

/** The state in the content of a file. @throws MockError that says what is wrong with it. */
export function readState(value: unknown): MockState {
  const { kind, version } = Object(value) as JsonObject;
  if (kind !== 'agent-contract-state') return wrong('"kind" is not "agent-contract-state"');
  if (version !== 3) return wrong(`its version is ${JSON.stringify(version)}, and this program reads version 3`);
  const [misfit] = errorsOf(value as Json, schema, '', createValidators());
  if (misfit !== undefined) return wrong(misfit);
  const state = value as MockState;
  if (!isInstant(state.anchor)) return wrong('"anchor" is not an instant of the years 1 to 9999');
  checkWorld(state, '');
  for (const [id, session] of Object.entries(state.sessions)) {
    checkMoment(session, `sessions/${JSON.stringify(id)}`);
    for (const [name, snapshot] of Object.entries(session.snapshots))
      checkMoment(snapshot, `sessions/${JSON.stringify(id)}/snapshots/${name}`);
  }
  return state;
}

/** What the schema does not say of the clock and the world of a session, or of a snapshot. */
function checkMoment({ clock, world }: Pick<SessionState, 'clock' | 'world'>, at: string): void {
  // An offset leads to an instant today, and may no longer do so in some thousand years.
  const instant = 'frozenAt' in clock ? clock.frozenAt : Date.now() + clock.offset;
  if (!isInstant(instant))
    wrong(`${at}/clock has neither a "frozenAt" nor an "offset" that lead to one of the years 1 to 9999`);
  if (world) checkWorld(world, `${at}/world: `);
}

function checkWorld(world: World, label: string): void {
  const why = whyNoWorld(world);
  if (why !== undefined) wrong(`${label}${why}`);
}
