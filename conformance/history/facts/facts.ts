import type { TargetOptions } from '../../target-options.ts';
import { createAgents, type Agents } from './agents.ts';
import { createTargetClock, type TargetClock } from './clock.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import { createExcuses, type Excuses } from './excuses.ts';
import { createFailures, isUnserved, type Failures } from './failures.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createWindows, type Windows } from '../../results/windows.ts';
import { createShapes, type Shapes } from '../../shape/shape.ts';
import { createLateness, type Lateness } from './lateness.ts';
import { createListRefusals, type ListRefusals } from './list-refusals.ts';
import { createLists, type Lists } from './lists.ts';
import { ownTraffic, type Policy } from '../policy.ts';
import { createTrafficFacts, type TrafficFacts } from './traffic.ts';
import { createWorkspaces, type Workspaces } from './workspaces.ts';

/** What affects a verdict besides the history. */
export interface JudgedBy {
  readonly target: TargetOptions;
  /** Fails null in a documented optional field, and what was sent often and shown by no answer. */
  readonly strict: boolean;
  /** The clock of the target, in epoch milliseconds. Default: what its answers show. */
  readonly now?: number | undefined;
  /** What the history proves. Default: as much as our own requests do. */
  readonly policy?: Policy | undefined;
  /** The share of an endpoint's answers that may fail and be right when asked again, from 0 to 1. Default: any. */
  readonly maxRate?: number | undefined;
}

/** What a history establishes, computed once and shared by all judges. It grows with the history. */
export interface Facts extends JudgedBy {
  readonly policy: Policy;
  readonly workspaces: Workspaces;
  /** Agents: where each comes from, what was sent for it, and how it read. */
  readonly agents: Agents;
  /** How long new agents could not be read. */
  readonly lateness: Lateness;
  readonly lists: Lists;
  readonly listRefusals: ListRefusals;
  readonly windows: Windows;
  readonly clock: TargetClock;
  readonly shapes: Shapes;
  readonly credentials: Credentials;
  /** Requests that failed. No other fact and no other check sees them. */
  readonly failures: Failures;
  readonly excuses: Excuses;
  readonly traffic: TrafficFacts;
  /** What follows from the facts, computed once for the current state of the history. */
  derive<T>(from: (facts: Facts) => T): T;
}

/** Facts, and the function that must see every exchange, in the order of completion, before any judge does. */
export function createFacts(by: JudgedBy): { readonly facts: Facts; readonly see: (exchange: Exchange) => void } {
  const { policy = ownTraffic, target, strict } = by;
  const clock = createTargetClock(by.now, policy);
  const agents = createAgents(target, policy);
  const excuses = createExcuses(agents);
  const always = { traffic: createTrafficFacts(policy), failures: createFailures(), excuses };
  const seeing = {
    ...always,
    clock,
    workspaces: createWorkspaces(target),
    agents,
    lateness: createLateness(agents),
    lists: createLists(policy),
    listRefusals: createListRefusals(),
    shapes: createShapes({ strict, agents }),
    credentials: createCredentials(excuses),
  };
  const derived = new Map<(facts: Facts) => unknown, unknown>();
  const facts: Facts = {
    ...by,
    ...seeing,
    policy,
    windows: createWindows(clock),
    derive<T>(from: (facts: Facts) => T): T {
      if (!derived.has(from)) derived.set(from, from(facts));
      return derived.get(from) as T;
    },
  };
  return {
    facts,
    see(exchange) {
      derived.clear();
      for (const part of Object.values(isUnserved(exchange) ? always : seeing)) part.see(exchange);
    },
  };
}
