import { personaNames, type PersonaName } from '../fixtures/index.ts';
import { isObject } from './call.ts';
import { MockError } from './mock-error.ts';
import type { SessionState } from './session/session.ts';

/** Everything that a mock needs to go on where another stopped; plain JSON. */
export interface MockState {
  readonly kind: 'agent-contract-state';
  readonly version: 1;
  readonly seed: number;
  readonly persona: PersonaName;
  /** Epoch milliseconds at which the generated world is anchored. */
  readonly anchor: number;
  /** By name; the session of requests that name none is `""`. */
  readonly sessions: Readonly<Record<string, SessionState>>;
}

/**
 * The state in what was read from a file.
 * @throws MockError that says what is wrong with it.
 */
export function readState(value: unknown): MockState {
  const wrong = (what: string): never => {
    throw new MockError(`This is no state of agent-contract: ${what}.`);
  };
  if (!isObject(value)) return wrong('it is not an object');
  const { kind, version, seed, persona, anchor, sessions } = value;
  if (kind !== 'agent-contract-state') return wrong('"kind" is not "agent-contract-state"');
  if (version !== 1) return wrong(`its version is ${JSON.stringify(version)}, and this program reads version 1`);
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0) return wrong('"seed" is not a whole number');
  if (typeof anchor !== 'number' || !Number.isFinite(anchor)) return wrong('"anchor" is not an instant');
  if (!personaNames.some((name) => name === persona)) return wrong(`"persona" is none of ${personaNames.join(', ')}`);
  if (!isObject(sessions)) return wrong('"sessions" is not an object');
  for (const [id, session] of Object.entries(sessions)) {
    const at = `sessions/${JSON.stringify(id)}`;
    if (!isObject(session)) return wrong(`${at} is not an object`);
    checkData(session['data'], `${at}/data`, wrong);
    checkClock(session['clock'], `${at}/clock`, wrong);
    for (const name of ['profile', 'settings', 'snapshots'])
      if (!isObject(session[name])) wrong(`${at}/${name} is not an object`);
    if (!Array.isArray(session['faults'])) wrong(`${at}/faults is not a list`);
    for (const [name, snapshot] of Object.entries(session['snapshots'] as object)) {
      if (!isObject(snapshot)) return wrong(`${at}/snapshots/${name} is not an object`);
      checkData(snapshot['data'], `${at}/snapshots/${name}/data`, wrong);
      checkClock(snapshot['clock'], `${at}/snapshots/${name}/clock`, wrong);
    }
  }
  return value as unknown as MockState;
}

function checkData(data: unknown, at: string, wrong: (what: string) => never): void {
  if (!isObject(data)) return wrong(`${at} is not an object`);
  for (const name of ['agents', 'published', 'results', 'workspaces', 'modes', 'counters']) {
    const part = data[name];
    if (!isObject(part)) return wrong(`${at}/${name} is not an object`);
    for (const [key, item] of Object.entries(part)) {
      const fits =
        (name === 'agents' && isObject(item) && isObject(item['agent']) && typeof item['origin'] === 'string') ||
        (name === 'published' && (item === null || isObject(item))) ||
        (name === 'results' && Array.isArray(item) && item.every(isObject)) ||
        (name === 'workspaces' && isObject(item)) ||
        (name === 'modes' && (item === 'guest' || item === 'read' || item === 'write')) ||
        (name === 'counters' && typeof item === 'number' && Number.isSafeInteger(item) && item >= 0);
      if (!fits) wrong(`${at}/${name}/${key.slice(0, 60)} is not what belongs there`);
    }
  }
}

function checkClock(clock: unknown, at: string, wrong: (what: string) => never): void {
  const known = isObject(clock) ? (clock['frozenAt'] ?? clock['offset']) : undefined;
  if (typeof known !== 'number' || !Number.isFinite(known)) wrong(`${at} has neither "frozenAt" nor "offset"`);
}
