import { personaNames, type PersonaName } from '../../fixtures/index.ts';
import { isObject, type JsonObject } from '../json.ts';
import { MockError } from '../mock-error.ts';
import type { SessionState } from './session-state.ts';
import type { Snapshot } from './snapshots.ts';
import { overlayFromJson, type OverlayJson } from '../store/overlay.ts';
import { createPacking, unpacking, type PackedOverlay, type Piece } from './pieces.ts';

/** Everything that a mock needs to continue from another; plain JSON. */
export interface MockState {
  readonly kind: 'agent-contract-state';
  readonly version: 2;
  readonly seed: number;
  readonly persona: PersonaName;
  /** Epoch milliseconds at which the generated world is anchored. */
  readonly anchor: number;
  /** The pieces of the data of sessions and snapshots; each piece is stored once. */
  readonly pieces: readonly Piece[];
  /** By name; the session of requests without a name is `""`. */
  readonly sessions: Readonly<Record<string, PackedSession>>;
}

/** A session as JSON. */
interface PackedSession extends Omit<SessionState, 'data' | 'snapshots'> {
  readonly data: PackedOverlay;
  readonly snapshots: Readonly<Record<string, PackedSnapshot>>;
}

interface PackedSnapshot extends Omit<Snapshot, 'overlay'> {
  readonly data: PackedOverlay;
}

/** Packs sessions, each by its name. */
export function packSessions(
  sessions: readonly { readonly id: string; state(): SessionState }[],
): Pick<MockState, 'pieces' | 'sessions'> {
  const { pieces, pack } = createPacking();
  const packed = sessions.map((session): [string, PackedSession] => {
    const { data, snapshots, ...more } = session.state();
    const kept = Array.from(
      snapshots,
      ([name, { overlay, ...rest }]) => [name, { data: pack(overlay), ...rest }] as const,
    );
    return [session.id, { data: pack(data), ...more, snapshots: Object.fromEntries(kept) }];
  });
  return { pieces, sessions: Object.fromEntries(packed) };
}

/** The sessions of a state that was read. */
export function unpackSessions({ pieces, sessions }: MockState): Readonly<Record<string, SessionState>> {
  const unpack = unpacking(pieces, wrong);
  const overlay = (packed: PackedOverlay) => overlayFromJson(unpack(packed));
  return Object.fromEntries(
    Object.entries(sessions).map(([id, { data, snapshots, ...more }]) => [
      id,
      {
        ...more,
        data: overlay(data),
        snapshots: new Map(
          Object.entries(snapshots).map(([name, { data: kept, ...rest }]) => [
            name,
            { overlay: overlay(kept), ...rest },
          ]),
        ),
      },
    ]),
  );
}

/** The text of a state, piece by piece: one string may not be able to hold all of it. */
export function* stateText({ pieces, sessions, ...head }: MockState): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "pieces": [`;
  for (const [i, piece] of pieces.entries()) yield `${i === 0 ? '' : ','}\n    ${JSON.stringify(piece)}`;
  yield '\n  ],\n  "sessions": {';
  for (const [i, [id, session]] of Object.entries(sessions).entries())
    yield `${i === 0 ? '' : ','}\n    ${JSON.stringify(id)}: ${JSON.stringify(session, null, 2)}`;
  yield '\n  }\n}\n';
}

function wrong(what: string): never {
  throw new MockError(`This is not a state file of agent-contract: ${what}.`);
}

/**
 * The state in the content of a file.
 * @throws MockError that says what is wrong with it.
 */
export function readState(value: unknown): MockState {
  if (!isObject(value)) return wrong('it is not an object');
  const { kind, version, seed, persona, anchor, pieces, sessions } = value;
  if (kind !== 'agent-contract-state') return wrong('"kind" is not "agent-contract-state"');
  if (version !== 2) return wrong(`its version is ${JSON.stringify(version)}, and this program reads version 2`);
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0) return wrong('"seed" is not a whole number');
  if (typeof anchor !== 'number' || !Number.isFinite(anchor)) return wrong('"anchor" is not an instant');
  if (!personaNames.some((name) => name === persona))
    return wrong(`"persona" is not one of ${personaNames.join(', ')}`);
  if (!Array.isArray(pieces) || !pieces.every((piece) => Array.isArray(piece)))
    return wrong('"pieces" is not a list of lists');
  const unpack = unpacking(pieces as readonly Piece[], wrong);
  if (!isObject(sessions)) return wrong('"sessions" is not an object');
  for (const [id, session] of Object.entries(sessions)) {
    const at = `sessions/${JSON.stringify(id)}`;
    if (!isObject(session)) return wrong(`${at} is not an object`);
    checkData(session['data'], `${at}/data`, unpack);
    checkClock(session['clock'], `${at}/clock`);
    checkWorld(session['world'], `${at}/world`);
    for (const name of ['profile', 'settings', 'snapshots'])
      if (!isObject(session[name])) wrong(`${at}/${name} is not an object`);
    if (!Array.isArray(session['faults'])) wrong(`${at}/faults is not a list`);
    for (const [name, snapshot] of Object.entries(session['snapshots'] as object)) {
      if (!isObject(snapshot)) return wrong(`${at}/snapshots/${name} is not an object`);
      checkData(snapshot['data'], `${at}/snapshots/${name}/data`, unpack);
      checkClock(snapshot['clock'], `${at}/snapshots/${name}/clock`);
      checkWorld(snapshot['world'], `${at}/snapshots/${name}/world`);
    }
  }
  return value as unknown as MockState;
}

function checkData(packed: unknown, at: string, unpack: (packed: PackedOverlay) => OverlayJson): void {
  if (!isObject(packed)) return wrong(`${at} is not an object`);
  if (!isObject(packed['results'])) return wrong(`${at}/results is not an object`);
  const data = unpack(packed as unknown as PackedOverlay) as unknown as JsonObject;
  const { learned = [] } = data;
  if (!Array.isArray(learned) || !learned.every((id) => typeof id === 'string'))
    return wrong(`${at}/learned is not a list of identifiers`);
  for (const name of ['agents', 'published', 'results', 'removedResults', 'workspaces', 'modes', 'counters']) {
    const part = data[name];
    if (!isObject(part)) return wrong(`${at}/${name} is not an object`);
    for (const [key, item] of Object.entries(part)) {
      const fits =
        (name === 'agents' && item === null) ||
        (name === 'agents' && isObject(item) && isObject(item['agent']) && typeof item['origin'] === 'string') ||
        (name === 'published' && (item === null || isObject(item))) ||
        (name === 'results' && Array.isArray(item) && item.every(isObject)) ||
        (name === 'removedResults' && Array.isArray(item) && item.every((id) => typeof id === 'string')) ||
        (name === 'workspaces' && (item === null || isObject(item))) ||
        (name === 'modes' && (item === 'guest' || item === 'read' || item === 'write')) ||
        (name === 'counters' && typeof item === 'number' && Number.isSafeInteger(item) && item >= 0);
      if (!fits) wrong(`${at}/${name}/${key.slice(0, 60)} does not belong there`);
    }
  }
}

function checkClock(clock: unknown, at: string): void {
  const known = isObject(clock) ? (clock['frozenAt'] ?? clock['offset']) : undefined;
  if (!Number.isFinite(known)) wrong(`${at} has neither "frozenAt" nor "offset"`);
}

/** Missing if a session has the world of its mock. */
function checkWorld(world: unknown, at: string): void {
  if (world === undefined) return;
  if (!isObject(world)) return wrong(`${at} is not an object`);
  const { seed, persona } = world;
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0) wrong(`${at}/seed is not a whole number`);
  if (!personaNames.some((name) => name === persona)) wrong(`${at}/persona is not one of ${personaNames.join(', ')}`);
}
