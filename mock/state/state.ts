import type { PersonaName } from '../../fixtures/index.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import { isInstant } from '../session/clock.ts';
import type { SessionState, Snapshot } from './snapshots.ts';
import { overlayFromJson, type OverlayJson } from '../store/overlay.ts';
import { whyNoWorld } from '../store/world.ts';
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
  const { kind, version, anchor, pieces, sessions } = value;
  if (kind !== 'agent-contract-state') return wrong('"kind" is not "agent-contract-state"');
  if (version !== 2) return wrong(`its version is ${JSON.stringify(version)}, and this program reads version 2`);
  if (!isInstant(anchor)) return wrong('"anchor" is not an instant of the years 1 to 9999');
  checkWorld(value, '');
  if (!Array.isArray(pieces) || !pieces.every((piece) => Array.isArray(piece)))
    return wrong('"pieces" is not a list of lists');
  const unpack = unpacking(pieces as readonly Piece[], wrong);
  if (!isObject(sessions)) return wrong('"sessions" is not an object');
  for (const [id, session] of Object.entries(sessions)) {
    const at = `sessions/${JSON.stringify(id)}`;
    checkSnapshot(session, at, unpack);
    for (const name of ['profile', 'settings', 'snapshots'])
      if (!isObject(session[name])) wrong(`${at}/${name} is not an object`);
    const { faults, settings } = session;
    if (!Array.isArray(faults) || !faults.every((fault) => typeof fault === 'string'))
      wrong(`${at}/faults is not a list of identifiers`);
    for (const name of Object.keys(settings as object))
      if (name !== 'latency' && name !== 'rateLimit') wrong(`${at}/settings/${name.slice(0, 60)} is no setting`);
    for (const [name, snapshot] of Object.entries(session['snapshots'] as object))
      checkSnapshot(snapshot, `${at}/snapshots/${name}`, unpack);
  }
  return value as unknown as MockState;
}

type Unpack = (packed: PackedOverlay) => OverlayJson;

/** What a session and a snapshot have in common: data, a clock, and a world unless it is that of the mock. */
function checkSnapshot(value: unknown, at: string, unpack: Unpack): asserts value is JsonObject {
  if (!isObject(value)) return wrong(`${at} is not an object`);
  const { data, clock, world } = value;
  checkData(data, `${at}/data`, unpack);
  const { frozenAt, offset } = isObject(clock) ? clock : {};
  // An offset leads to an instant today, and may no longer do so in some thousand years.
  const instant = typeof offset === 'number' ? Date.now() + offset : offset;
  if (!isInstant(frozenAt ?? instant))
    wrong(`${at}/clock has neither a "frozenAt" nor an "offset" that lead to one of the years 1 to 9999`);
  if (world !== undefined && !isObject(world)) wrong(`${at}/world is not an object`);
  if (world !== undefined) checkWorld(world, `${at}/world: `);
}

function checkWorld({ seed, persona }: JsonObject, label: string): void {
  const why = whyNoWorld({ seed, persona });
  if (why !== undefined) wrong(`${label}${why.replace(/\.$/, '')}`);
}

const isPresent = (item: unknown): boolean => item === null || isObject(item);

/** Whether an item belongs into a part of the data. */
const fits: Readonly<Record<Exclude<keyof OverlayJson, 'learned'>, (item: unknown) => boolean>> = {
  agents: (item) => item === null || (isObject(item) && isObject(item['agent']) && typeof item['origin'] === 'string'),
  published: isPresent,
  results: (item) => Array.isArray(item) && item.every(isObject),
  removedResults: (item) => Array.isArray(item) && item.every((id) => typeof id === 'string'),
  workspaces: isPresent,
  modes: (item) => item === 'guest' || item === 'read' || item === 'write',
  counters: (item) => Number.isSafeInteger(item) && Number(item) >= 0,
};

function checkData(packed: unknown, at: string, unpack: Unpack): void {
  if (!isObject(packed)) return wrong(`${at} is not an object`);
  if (!isObject(packed['results'])) return wrong(`${at}/results is not an object`);
  const data = unpack(packed as unknown as PackedOverlay) as unknown as JsonObject;
  const { learned = [] } = data;
  if (!Array.isArray(learned) || !learned.every((id) => typeof id === 'string'))
    return wrong(`${at}/learned is not a list of identifiers`);
  for (const [name, isFit] of Object.entries(fits)) {
    const part = data[name];
    if (!isObject(part)) return wrong(`${at}/${name} is not an object`);
    for (const [key, item] of Object.entries(part))
      if (!isFit(item)) wrong(`${at}/${name}/${key.slice(0, 60)} does not belong there`);
  }
}
