import { isCreating, type EndpointId } from '../../spec/index.ts';
import { optionNames, type TargetOptions } from '../target-options.ts';
import { valueFor } from '../collections.ts';
import type { Facts } from '../history/facts/facts.ts';
import type { TargetApi } from './api/api.ts';
import { CannotProbe } from './cannot-probe.ts';
import { hash } from './draw.ts';
import type { RefusedKind } from './refused-values.ts';

/**
 * When a probe sends its requests: `first`, while others create things and read lists; `open`, for what the
 * specification leaves open; `credentials`, after that, since wrong ones may lock the caller out; `end`, to look at
 * everything once more.
 */
export type Phase = 'first' | 'open' | 'credentials' | 'end';

/** Sends the requests that let a fact show, and judges nothing. @throws CannotProbe if something is missing. */
export interface Probe {
  readonly phase: Phase;
  /** Probes of the queue `lists` run in parallel. Those of `creations` run one at a time beside them. */
  readonly queue: 'lists' | 'creations';
  readonly send: (run: Run) => Promise<void>;
}

export const queueOf = (endpoint: EndpointId): Probe['queue'] => (isCreating(endpoint) ? 'creations' : 'lists');

export const probeOf = (phase: Phase, queue: Probe['queue'], send: (run: Run) => Promise<unknown>): Probe => ({
  phase,
  queue,
  send: async (run) => void (await send(run)),
});

export interface RunParts {
  readonly api: TargetApi;
  readonly token: string | undefined;
  readonly seed: number;
  /** Most requests in flight. Default: one. */
  readonly concurrency?: number;
  /** What is known so far. It decides what to send next, and never a verdict. */
  readonly facts: Facts;
  readonly target: TargetOptions;
  /** Marks what this round of the run creates. */
  readonly tag: string;
  /** The number of the round, from 1. */
  readonly round: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What probes work with. Nothing here judges. */
export type Run = ReturnType<typeof createRun>;

export function createRun({ api, token, seed, concurrency = 1, ...rest }: RunParts) {
  const values = new Map<string, Promise<unknown>>();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ...api,
    ...rest,
    /** Does the work for each item, a few at once if the user allows it. */
    inParallel: <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> =>
      inParallel(items, Math.max(1, Math.min(4, concurrency - 1)), work),
    /** A whole number from 0 to `below` - 1. It depends only on the seed of the round and on `label`. */
    draw: (label: string, below: number) => hash(`${seed} ${label}`) % below,
    /** The kinds of values that bodies of the round take, by place, in the order that was drawn. */
    orders: new Map<string, readonly unknown[]>(),
    /** Kinds of values that creations of agents and of workspaces were refused for, and any usual name. Later ones leave them out. */
    refused: { agent: [] as RefusedKind[], workspace: [] as RefusedKind[], longNames: false },
    /**
     * How many agents never came, or came late; how often each way to send a cursor was accepted (`aloneOnly`: not `beside`
     * others), and only new results came.
     */
    met: { inVain: 0, late: 0, beside: 0, aloneOnly: 0, neither: 0, arrivals: 0 },
    /** Does the work once everything that was given before is done. */
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      const mine = turn.then(work, work);
      turn = mine;
      return mine;
    },
    /** Makes something once in a round, under a key. Further calls get the same value, or the same error. */
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const made = valueFor(values, key, make) as Promise<T>;
      // Whoever awaits the value gets the failure, and it must not become an unhandled rejection.
      made.catch(() => undefined);
      return made;
    },
    /** @throws CannotProbe with what to supply. */
    need(option: keyof TargetOptions): string {
      const value = rest.target[option];
      if (value === undefined) throw new CannotProbe(`This needs ${optionNames[option]}.`, optionNames[option]);
      return value;
    },
    /** The main token. @throws CannotProbe if none was given. */
    token(): string {
      if (token === undefined) throw new CannotProbe('This needs a token.', '--token');
      return token;
    },
  };
}

/** Does the work for each item in order, `width` at a time. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<unknown>) {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
