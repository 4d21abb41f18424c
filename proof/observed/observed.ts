import type { Exchange } from '../../conformance/index.ts';
import { createMock, profiles, type ProfileName } from '../../mock/index.ts';
import type { Profile } from '../../spec/index.ts';
import { judge } from '../../prove/target.ts';

/** A run against a mock with a profile. Plain data, so that a worker can receive it. */
export interface ObservedRun {
  readonly profile: ProfileName | Profile;
  /** Whether the mock counts as local, so that the run also sends a large body. */
  readonly isHere: boolean;
  /** Adds a second run, against a mock with the observed profile and these additional choices. */
  readonly again?: Partial<Profile>;
}

/** The observations of a run, and its answers, in the order of the requests. */
export type Observed = Awaited<ReturnType<typeof runOnce>>;

/** The parts of an exchange that are equal on two mocks with the same choices: without identifiers and times. */
export interface AnswerOutline {
  readonly request: string;
  /** Whether it is about the given agent of version 5. */
  readonly isOfV5: boolean;
  readonly status: number | undefined;
  /** The names and types in its body. */
  readonly body: string;
}

export async function observe({ again, ...run }: ObservedRun): Promise<readonly Observed[]> {
  const first = await runOnce(run, again !== undefined);
  if (!again) return [first];
  return [first, await runOnce({ ...run, profile: { ...profiles.default, ...first.profile, ...again } }, true)];
}

async function runOnce({ profile, isHere }: Omit<ObservedRun, 'again'>, isOutlined: boolean) {
  const { v5AgentId } = createMock({ seed: 1, profile }).target;
  const sent: { readonly begun: number; readonly outline: AnswerOutline }[] = [];
  const onExchange = ({ begun, method, endpoint, agentId, query, caller, answer }: Exchange): void => {
    const request = `${method} ${endpoint} ${query.map(([name]) => name).join('&')} ${caller}`;
    const body = [...kindsIn(answer?.json)].toSorted().join(' ');
    sent.push({ begun, outline: { request, isOfV5: agentId === v5AgentId, status: answer?.status, body } });
  };
  const baseUrl = isHere ? 'http://127.0.0.1' : 'http://mock.test';
  const { observedProfile } = await judge({ profile }, { baseUrl, onExchange: isOutlined ? onExchange : undefined });
  return {
    profile: observedProfile,
    outlines: sent.toSorted((a, b) => a.begun - b.begun).map(({ outline }) => outline),
  };
}

/** The names in a value, with types instead of values; all items of an array are merged into one. */
function kindsIn(value: unknown, at = '', found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found.add(`${at} ${value === null ? 'null' : typeof value}`);
  found.add(at);
  for (const [name, inner] of Object.entries(value))
    kindsIn(inner, `${at}/${Array.isArray(value) ? '*' : name}`, found);
  return found;
}
