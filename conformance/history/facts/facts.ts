import type { TargetOptions } from '../../target-options.ts';
import { createAgents, type Agents } from './agents.ts';
import { createClock, type Clock } from './clock.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import type { Exchange } from '../exchange.ts';
import { createShapes, type Shapes } from '../../shape/shape.ts';
import { createLateness, type Lateness } from './lateness.ts';
import { createLists, type Lists } from './lists.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { createWorkspaces, type Workspaces } from './workspaces.ts';

/** What bears on a verdict beside the history. */
export interface JudgedBy {
  /** What the user gave of the target. */
  readonly target: TargetOptions;
  /** Treats null for a documented optional field as a failure, which it otherwise is not. */
  readonly strictNull: boolean;
  /** The clock of the target, in epoch milliseconds. Default: what its answers say. */
  readonly now?: number | undefined;
  /**
   * The history is of traffic that others made: nobody knows of its callers, its agents and what happened beside it but
   * what it shows itself, and what it does not establish is not judged. Default: the requests are our own.
   */
  readonly isForeign?: boolean | undefined;
}

/** What a history establishes, folded once and shared by all judges. It grows while the history does. */
export interface Facts extends JudgedBy {
  /** Workspaces: which there are, and which were made. */
  readonly workspaces: Workspaces;
  /** Agents: how each came about, what was sent for it, and how it read. */
  readonly agents: Agents;
  /** How long what was made could not be read at first. */
  readonly lateness: Lateness;
  /** Lists of results: the pages that cursors connect. */
  readonly lists: Lists;
  /** What time it is at the target. */
  readonly clock: Clock;
  /** The shape of every accepted answer, and how much of it was seen. */
  readonly shapes: Shapes;
  /** What came of requests without the right credentials. */
  readonly credentials: Credentials;
  /** What was asked in which way, and how it was answered. */
  readonly traffic: Traffic;
}

/** Facts, and what must see every exchange in the order of completion, before any judge does. */
export function createFacts(by: JudgedBy): { readonly facts: Facts; readonly see: (exchange: Exchange) => void } {
  const isForeign = by.isForeign === true;
  const clock = createClock(by.now, { isForeign });
  const traffic = createTraffic();
  const agents = createAgents(by.target, { isForeign });
  const workspaces = createWorkspaces();
  const lateness = createLateness(agents);
  const lists = createLists({ isForeign });
  const credentials = createCredentials();
  const shapes = createShapes({ strictNull: by.strictNull, agents });
  return {
    facts: { ...by, workspaces, agents, lateness, lists, clock, shapes, credentials, traffic },
    see(exchange) {
      for (const part of [traffic, clock, workspaces, agents, lateness, lists, shapes, credentials]) part.see(exchange);
    },
  };
}
