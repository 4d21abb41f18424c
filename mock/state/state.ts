import type { PersonaName } from '../../fixtures/index.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import { isInstant } from '../session/clock.ts';
import type { SessionState, Snapshot } from './snapshots.ts';
import { agentOrigins, overlayFromJson, overlayToJson, type OverlayJson } from '../store/overlay.ts';
import { whyNoWorld } from '../store/world.ts';

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
  throw new MockError(`This is not a state file of agent-contract: ${what}.`);
}

/** The state in the content of a file. @throws MockError that says what is wrong with it. */
export function readState(value: unknown): MockState {
  if (!isObject(value)) return wrong('it is not an object');
  const { kind, version, anchor, sessions } = value;
  if (kind !== 'agent-contract-state') return wrong('"kind" is not "agent-contract-state"');
  if (version !== 3) return wrong(`its version is ${JSON.stringify(version)}, and this program reads version 3`);
  if (!isInstant(anchor)) return wrong('"anchor" is not an instant of the years 1 to 9999');
  checkWorld(value, '');
  if (!isObject(sessions)) return wrong('"sessions" is not an object');
  for (const [id, session] of Object.entries(sessions)) {
    const at = `sessions/${JSON.stringify(id)}`;
    checkSnapshot(session, at);
    for (const name of ['profile', 'settings', 'snapshots'])
      if (!isObject(session[name])) wrong(`${at}/${name} is not an object`);
    const { faults, settings } = session;
    if (!isTexts(faults)) wrong(`${at}/faults is not a list of identifiers`);
    for (const name of Object.keys(settings as object))
      if (name !== 'latency' && name !== 'rateLimit') wrong(`${at}/settings/${name.slice(0, 60)} is no setting`);
    for (const [name, snapshot] of Object.entries(session['snapshots'] as object))
      checkSnapshot(snapshot, `${at}/snapshots/${name}`);
  }
  return value as unknown as MockState;
}

/** What a session and a snapshot have in common: data, a clock, and a world unless it is that of the mock. */
function checkSnapshot(value: unknown, at: string): asserts value is JsonObject {
  if (!isObject(value)) return wrong(`${at} is not an object`);
  const { data, clock, world } = value;
  checkData(data, `${at}/data`);
  const { frozenAt, offset } = Object(clock) as JsonObject;
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

const isTexts = (item: unknown): boolean => Array.isArray(item) && item.every((one) => typeof one === 'string');

const isPresent = (item: unknown): boolean => item === null || isObject(item);

const fits: Readonly<Record<Exclude<keyof OverlayJson, 'learned'>, (item: unknown) => boolean>> = {
  agents: (item) =>
    item === null || (isObject(item) && isObject(item['agent']) && agentOrigins.some((one) => one === item['origin'])),
  published: isPresent,
  results: (item) => Array.isArray(item) && item.every(isObject),
  removedResults: isTexts,
  workspaces: isPresent,
  modes: (item) => item === 'guest' || item === 'read' || item === 'write',
  counters: (item) => Number.isSafeInteger(item) && Number(item) >= 0,
};

function checkData(data: unknown, at: string): void {
  if (!isObject(data)) return wrong(`${at} is not an object`);
  const { learned } = data;
  if (!isTexts(learned)) return wrong(`${at}/learned is not a list of identifiers`);
  for (const [name, isFit] of Object.entries(fits)) {
    const part = data[name];
    if (!isObject(part)) return wrong(`${at}/${name} is not an object`);
    for (const [key, item] of Object.entries(part))
      if (!isFit(item)) wrong(`${at}/${name}/${key.slice(0, 60)} does not belong there`);
  }
}
