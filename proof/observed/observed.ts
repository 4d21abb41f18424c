import type { Exchange, Report } from '../../conformance/index.ts';
import { createMock, profiles, type ProfileName } from '../../mock/index.ts';
import type { Profile } from '../../spec/index.ts';
import { judge } from '../target.ts';

/** A run to be made against a mock with a profile. Plain data, so that it can go to a worker. */
export interface Run {
  readonly profile: ProfileName | Profile;
  /** Whether the mock is taken to be on this machine, so that a large body is sent as well. */
  readonly isHere: boolean;
  /** Has a second run made, against a mock that takes after what was observed, and beyond that makes these choices. */
  readonly again?: Partial<Profile>;
}

/** What a run observed, and what it was answered. */
export interface Observed {
  readonly profile: Report['observedProfile'];
  /** In the order in which the requests were begun. */
  readonly told: readonly Told[];
}

/** What of an exchange is the same on two mocks that make the same choices: identifiers and times aside. */
export interface Told {
  readonly request: string;
  /** Whether it is about the agent of version 5 that was given. */
  readonly isOfV5: boolean;
  readonly status: number | undefined;
  /** The names and types that its body is made of. */
  readonly body: string;
}

/** The run, and the second one where it is asked for. */
export async function observe({ again, ...run }: Run): Promise<readonly Observed[]> {
  const first = await runOnce(run, again !== undefined);
  if (!again) return [first];
  return [first, await runOnce({ ...run, profile: { ...profiles.default, ...first.profile, ...again } }, true)];
}

async function runOnce({ profile, isHere }: Omit<Run, 'again'>, isTold: boolean): Promise<Observed> {
  const { v5AgentId } = createMock({ seed: 1, profile }).target;
  const sent: { readonly begun: number; readonly told: Told }[] = [];
  const onExchange = (exchange: Exchange): void =>
    void sent.push({ begun: exchange.begun, told: toldBy(exchange, v5AgentId) });
  const { observedProfile } = await judge(
    { profile },
    {
      ...(isHere ? { baseUrl: 'http://127.0.0.1' } : {}),
      ...(isTold ? { onExchange } : {}),
    },
  );
  return {
    profile: observedProfile,
    told: sent.toSorted((one, other) => one.begun - other.begun).map(({ told }) => told),
  };
}

const toldBy = ({ method, endpoint, agentId, query, caller, answer }: Exchange, v5AgentId: string): Told => ({
  request: `${method} ${endpoint} ${query.map(([name]) => name).join('&')} ${caller}`,
  isOfV5: agentId === v5AgentId,
  status: answer?.status,
  body: kindsIn(answer?.json),
});

/** What a value is made of, types in place of values; items of an array count as one, which has what any of them has. */
type Kinds = Map<string, Kinds>;

/** Adds what a value is made of. */
function addKinds(value: unknown, kinds: Kinds): void {
  if (typeof value !== 'object' || value === null) return void kinds.set(value === null ? 'null' : typeof value, none);
  if (Array.isArray(value)) for (const item of value) addKinds(item, within(kinds, '[]'));
  else for (const [name, item] of Object.entries(value)) addKinds(item, within(kinds, `.${name}`));
}

const none: Kinds = new Map();

function within(kinds: Kinds, name: string): Kinds {
  const known = kinds.get(name);
  if (known) return known;
  const fresh: Kinds = new Map();
  kinds.set(name, fresh);
  return fresh;
}

function written(kinds: Kinds): string {
  const parts = [...kinds].map(([name, inner]) => (inner.size === 0 ? name : `${name}{${written(inner)}}`));
  return parts.toSorted().join(' ');
}

function kindsIn(value: unknown): string {
  const kinds: Kinds = new Map();
  addKinds(value, kinds);
  return written(kinds);
}
