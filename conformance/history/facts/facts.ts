import { valueFor } from '../../collections.ts';
import type { TargetOptions } from '../../target-options.ts';
import { createAgents } from './agents.ts';
import { createTargetClock } from './clock.ts';
import { createCredentials } from './credentials.ts';
import { createExcuses } from './excuses.ts';
import { createFailures, isUnserved } from './failures.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createWindows, type Windows } from '../../results/windows.ts';
import { createShapes } from '../../shape/shape.ts';
import { createListRefusals } from './list-refusals.ts';
import { createLists } from './lists.ts';
import { createPublicForms } from './public-forms.ts';
import { ownTraffic, type Policy } from '../policy.ts';
import { createTrafficFacts } from './traffic.ts';
import { createWorkspaces } from './workspaces.ts';

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
export interface Facts extends JudgedBy, ReturnType<typeof createParts> {
  readonly policy: Policy;
  readonly windows: Windows;
  /** What follows from the facts, computed once for the current state of the history. */
  derive<T>(from: (facts: Facts) => T): T;
}

function createParts({ policy, target, strict, now }: JudgedBy & { readonly policy: Policy }) {
  const clock = createTargetClock(now, policy);
  const agents = createAgents(target, policy);
  const failures = createFailures();
  const excuses = createExcuses(agents, failures);
  return {
    traffic: createTrafficFacts(policy),
    /** Requests that failed. Only this, the traffic and the excuses see them, and no other check does. */
    failures,
    excuses,
    clock,
    workspaces: createWorkspaces(target),
    agents,
    publicForms: createPublicForms(agents),
    lists: createLists(policy),
    /** Refused requests for lists, grouped by what they are refused for. */
    listRefusals: createListRefusals(agents),
    shapes: createShapes({ strict, agents }),
    credentials: createCredentials(excuses),
  };
}

/** Facts, and the function that must see every exchange, in the order of completion, before any judge does. */
export function createFacts({ policy = ownTraffic, ...rest }: JudgedBy) {
  const by = { ...rest, policy };
  const parts = createParts(by);
  const { traffic, failures, excuses } = parts;
  const derived = new Map<(facts: Facts) => unknown, unknown>();
  const facts: Facts = {
    ...by,
    ...parts,
    windows: createWindows(parts.clock),
    derive: <T>(from: (facts: Facts) => T) => valueFor(derived, from, () => from(facts)) as T,
  };
  return {
    facts,
    see: (exchange: Exchange): void => {
      derived.clear();
      for (const part of isUnserved(exchange) ? [traffic, failures, excuses] : Object.values(parts)) part.see(exchange);
    },
  };
}
